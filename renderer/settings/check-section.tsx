import { Button, Field, ProgressBar, Select } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { ConnectionSettings } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import looks from "./check.module.css";
import { CheckItems } from "./check-items.tsx";
import styles from "./settings.module.css";

/** 検査: everything a saved connection rests on, looked at while one watches. */
export function CheckSection({ openConnections }: { readonly openConnections: () => void }) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const saved = useStore(settings.store, (state) => state.view.value?.settings ?? null);
  const draft = useStore(settings.store, (state) => state.draft);
  const check = useStore(settings.store, (state) => state.check);
  // A check nobody looks at any more ends: it asks kintone and starts the runner.
  useEffect(() => settings.stopCheck, [settings]);
  if (saved === null) return null;
  if (saved.connections.length === 0) {
    return (
      <div className={page.empty}>
        <p>{t("settings.check.none")}</p>
        <Button onClick={openConnections}>{t("settings.section.connections")}</Button>
      </div>
    );
  }
  return (
    <>
      <p className={page.lead}>{t("settings.check.lead")}</p>
      {draft !== null && <p className={styles.warn}>{t("settings.check.draft")}</p>}
      <Controls connections={saved.connections} active={saved.activeConnection} />
      {check.problem && <ProblemPanel problem={check.problem} />}
      <Summary />
      {check.items.length > 0 && <CheckItems items={check.items} />}
    </>
  );
}

interface ControlsProps {
  readonly connections: readonly ConnectionSettings[];
  readonly active: string | null;
}

function Controls({ connections, active }: ControlsProps) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const check = useStore(settings.store, (state) => state.check);
  const mayCheck = useStore(settings.store, (state) => state.view.value?.may.settings === true);
  const [chosen, setChosen] = useState(check.connectionId ?? active ?? connections[0]?.id ?? "");
  const running = check.phase === "running";
  return (
    <div className={looks.checkRow}>
      <Field label={t("settings.check.which")}>
        <Select value={chosen} disabled={running} onChange={(_, { value }) => setChosen(value)}>
          {connections.map(({ id, name }) => (
            <option key={id} value={id}>
              {markedText(name)}
            </option>
          ))}
        </Select>
      </Field>
      {running ? (
        <Button onClick={settings.stopCheck}>{t("settings.check.stop")}</Button>
      ) : (
        <Button
          appearance="primary"
          disabledFocusable={!mayCheck}
          onClick={() => void settings.startCheck(chosen)}
        >
          {t("settings.check.start")}
        </Button>
      )}
    </div>
  );
}

function Summary() {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const { phase, total, items, endedAt } = useStore(useStores().settings.store, (state) => state.check);
  const done = items.filter(({ result }) => result !== null).length;
  const blocking = items.filter(({ blocks }) => blocks).length;
  if (phase === "idle" || phase === "failed") return null;
  return (
    <div className={looks.summary} role="status" data-phase={phase}>
      {phase === "running" && (
        <ProgressBar
          className={looks.bar}
          aria-label={t("settings.section.check")}
          value={total === 0 ? 0 : done / total}
          thickness="large"
        />
      )}
      {phase === "running" && <span>{t("settings.check.progress", { done, total })}</span>}
      {phase === "stopped" && <span>{t("settings.check.stopped")}</span>}
      {phase === "ended" && endedAt && (
        <>
          <strong data-usable={blocking === 0}>
            {blocking === 0 ? t("settings.check.usable") : t("settings.check.unusable", { count: blocking })}
          </strong>
          <span className={page.quiet}>{t("settings.check.ended", { time: secondText(endedAt) })}</span>
        </>
      )}
    </div>
  );
}
