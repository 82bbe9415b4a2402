import { Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { SettingsView } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { SaveBundle } from "../components/save-bundle.tsx";
import { Tab, Tabs } from "../components/tabs.tsx";
import { ForeignText } from "../components/text.tsx";
import unseen from "../components/unseen.module.css";
import { useStores } from "../state/context.tsx";
import { isDirty } from "../state/settings.ts";
import { ApproversSection } from "./approvers-section.tsx";
import { BudgetSection } from "./budget-section.tsx";
import { CheckSection } from "./check-section.tsx";
import { ConnectionsSection } from "./connections-section.tsx";
import { DisplaySection } from "./display-section.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { NetworkSection } from "./network-section.tsx";
import { RolesSection } from "./roles-section.tsx";
import { SaveBar } from "./save-bar.tsx";
import { SETTINGS_SECTIONS, type SettingsSection } from "./sections.ts";
import styles from "./settings.module.css";
import { useFaults } from "./use-faults.ts";

/** 設定: what this host's console stands on, saved whole or not at all. */
export function SettingsPage({ section }: { readonly section: SettingsSection }) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const view = useStore(settings.store, (state) => state.view);
  useEffect(() => {
    // Typed changes outlive a look at another part; they are only read anew where there are none.
    if (!isDirty(settings.store.getState())) void settings.load();
  }, [settings]);
  return (
    <div className={styles.frame}>
      <div className={page.page}>
        <h1 className={page.title}>{t("settings.title")}</h1>
        {view.value && (
          <p className={page.lead}>
            <ForeignText text={t("settings.lead", { folder: view.value.dataFolder })} />
          </p>
        )}
        {view.value && (
          <p className={page.quiet} data-testid="program-log">
            <ForeignText text={t("settings.log", { file: view.value.log.file })} />
            {view.value.log.dropped > 0 &&
              ` · ${t("settings.logDropped", { count: view.value.log.dropped })}`}
          </p>
        )}
        <Sections current={section} />
        {view.problem && (
          <ProblemPanel
            problem={view.problem}
            action={{ label: t("problem.retry"), run: () => void settings.load() }}
          />
        )}
        {view.value === null && view.phase === "loading" && (
          <Spinner size="small" label={t("settings.loading")} labelPosition="after" />
        )}
        {view.value && <Notices view={view.value} section={section} />}
        {view.value && <Content section={section} />}
      </div>
      <SaveBar />
      <LeaveGuard />
    </div>
  );
}

function Sections({ current }: { readonly current: SettingsSection }) {
  const { t } = useTranslation();
  const faults = useFaults();
  return (
    <Tabs label={t("settings.sections")}>
      {SETTINGS_SECTIONS.map((section) => {
        const wrong = faults.some((fault) => fault.section === section);
        return (
          <Tab key={section} href={routeHash({ page: "settings", section })} current={section === current}>
            {t(`settings.section.${section}`)}
            {wrong && (
              <span className={styles.wrong}>
                <span aria-hidden="true">!</span>
                <span className={unseen.unseen}>{t("settings.toCorrect")}</span>
              </span>
            )}
          </Tab>
        );
      })}
    </Tabs>
  );
}

/** What stands above every part: why nothing can be changed, or why another workspace is open. */
function Notices({ view, section }: { readonly view: SettingsView; readonly section: SettingsSection }) {
  const { t } = useTranslation();
  const { opened, readOnly, may, session } = view;
  return (
    <>
      {opened.source === "fallback" && (
        <div className={styles.notice} role="status">
          <strong>{t("settings.fallback")}</strong>
          <span>{t("settings.fallbackNext")}</span>
          {opened.problem && section === "connections" && <ProblemPanel problem={opened.problem} />}
        </div>
      )}
      {opened.source === "variables" && <p className={styles.hint}>{t("settings.byVariables")}</p>}
      {readOnly && (
        <div className={styles.notice} role="status">
          <strong>{t("settings.readOnly")}</strong>
          <ProblemPanel problem={readOnly} />
        </div>
      )}
      {!may.settings && (
        <p className={styles.hint} role="status">
          <ForeignText text={t("settings.mayNot", { account: session.account })} />
        </p>
      )}
    </>
  );
}

function Content({ section }: { readonly section: SettingsSection }) {
  switch (section) {
    case "connections":
      return <ConnectionsSection />;
    case "check":
      return (
        <>
          <CheckSection openConnections={() => goTo({ page: "settings", section: "connections" })} />
          <SaveBundle />
        </>
      );
    case "network":
      return <NetworkSection />;
    case "display":
      return <DisplaySection />;
    case "roles":
      return <RolesSection />;
    case "approvers":
      return <ApproversSection />;
    case "budget":
      return <BudgetSection />;
  }
}
