import { Button, Spinner } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import { ProblemPanel } from "../components/problem.tsx";
import { ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { isDirty, shownSettings } from "../state/settings.ts";
import type { Fault } from "./faults.ts";
import { useFieldName } from "./field-name.ts";
import bar from "./saving.module.css";
import { useFaults } from "./use-faults.ts";

/** One way to save for all parts; it says what is still to be corrected and stays reachable meanwhile (operator-ux D11). */
export function SaveBar() {
  const { t } = useTranslation();
  const { settings, announcer } = useStores();
  const dirty = useStore(settings.store, isDirty);
  const { saving, saveProblem } = useStore(settings.store);
  const faults = useFaults();
  if (!dirty && saveProblem === null) return null;
  const save = async (): Promise<void> => {
    settings.attempt();
    if (faults.length === 0 && (await settings.save())) announcer.say(t("settings.saved"));
  };
  const elsewhere = saveProblem?.code === "SETTINGS_CHANGED_ELSEWHERE";
  return (
    <section className={bar.saveBar} aria-label={t("settings.unsaved")}>
      {saveProblem && (
        <ProblemPanel
          problem={saveProblem}
          {...(elsewhere && {
            action: { label: t("settings.reload"), run: () => void settings.reload() },
          })}
        />
      )}
      {faults.length > 0 && <FaultList faults={faults} />}
      <div className={bar.saveRow}>
        <span className={bar.saveText}>{t("settings.unsaved")}</span>
        {saving && <Spinner size="tiny" />}
        <Button onClick={settings.discard} disabled={saving}>
          {t("settings.discard")}
        </Button>
        <Button
          appearance="primary"
          disabledFocusable={faults.length > 0 || saving || !dirty}
          aria-describedby={faults.length > 0 ? "settings-faults" : undefined}
          onClick={() => void save()}
        >
          {t("settings.save")}
        </Button>
      </div>
    </section>
  );
}

function FaultList({ faults }: { readonly faults: readonly Fault[] }) {
  const { t } = useTranslation();
  const nameOf = useFieldName();
  const shown = useStore(useStores().settings.store, shownSettings);
  return (
    <div className={bar.faults} id="settings-faults">
      {t("settings.toCorrect")}
      <ul>
        {faults.map(({ path, fault, section }) => (
          <li key={`${path} ${fault}`}>
            <a href={routeHash({ page: "settings", section })}>
              <ForeignText text={nameOf(path, shown)} />
            </a>{" "}
            {t(`settings.fault.${fault}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}
