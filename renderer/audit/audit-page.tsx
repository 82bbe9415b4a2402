import { Button, Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { AuditFilter } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import { HEIRS } from "../components/kept-focus.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Split } from "../components/split.tsx";
import { useSecondText } from "../components/text.tsx";
import { useLanguage, useStores } from "../state/context.tsx";
import styles from "./audit.module.css";
import { AuditDetailPanel } from "./audit-detail.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";
import { ChainLine } from "./chain-line.tsx";

interface AuditPageProps {
  readonly filter: AuditFilter;
  /** The entry that is open. */
  readonly entry: string | undefined;
}

/** 監査履歴: what was done, by whom, with which evidence; newest first, read page by page (operator-ux §2.5). */
export function AuditPage({ filter, entry }: AuditPageProps) {
  const { t } = useTranslation();
  const { audit } = useStores();
  const problem = useStore(audit.store, (state) => state.problem);
  // A filter is a new object with every look at the address; what it says decides.
  const question = JSON.stringify(filter);
  useEffect(() => {
    void audit.show(JSON.parse(question));
  }, [audit, question]);
  useEffect(() => () => audit.leave(), [audit]);
  useEffect(() => {
    void audit.open(entry ?? null);
  }, [audit, entry]);
  return (
    <div className={page.page}>
      <Head />
      <p className={page.lead}>{t("audit.lead")}</p>
      <AuditFilters filter={filter} />
      <SaveResult />
      {problem && (
        <ProblemPanel
          problem={problem}
          action={{ label: t("problem.retry"), run: () => void audit.refresh() }}
        />
      )}
      <Split
        id="audit"
        usualShare={40}
        maxHeight="max(280px, calc(100vh - 232px))"
        detail={entry === undefined ? null : <AuditDetailPanel />}
        detailKey={entry ?? null}
        detailLabel={t("audit.detail.label")}
        onClose={() => goTo({ page: "audit", filter })}
      >
        <div className={page.section}>
          <Entries filter={filter} />
          <Older />
          <ChainLine />
        </div>
      </Split>
    </div>
  );
}

function Head() {
  const { t } = useTranslation();
  const { audit } = useStores();
  const { readAt, phase, saving } = useStore(audit.store);
  const secondText = useSecondText();
  const busy = saving === "busy";
  return (
    <div className={page.head}>
      <h1 className={page.title}>{t("audit.title")}</h1>
      {readAt !== null && (
        <span className={page.quiet}>{t("audit.readAt", { time: secondText(readAt) })}</span>
      )}
      <span className={page.spacer} />
      <Button size="small" onClick={() => void audit.refresh()} disabledFocusable={phase === "loading"}>
        {t("audit.refresh")}
      </Button>
      <Button size="small" onClick={() => void audit.save("csv")} disabledFocusable={busy}>
        {t("audit.saveCsv")}
      </Button>
      <Button size="small" onClick={() => void audit.save("json")} disabledFocusable={busy}>
        {t("audit.saveJson")}
      </Button>
    </div>
  );
}

function SaveResult() {
  const { t } = useTranslation();
  const { audit } = useStores();
  const { saving, saveProblem } = useStore(audit.store);
  return (
    <>
      <div role="status" className={styles.saved} data-testid="audit-saved">
        {saving === "idle" ? "" : t(`audit.saving.${saving}`)}
      </div>
      {saveProblem && <ProblemPanel problem={saveProblem} />}
    </>
  );
}

function Entries({ filter }: { readonly filter: AuditFilter }) {
  const { t } = useTranslation();
  const { audit } = useStores();
  const entries = useStore(audit.store, (state) => state.entries);
  const phase = useStore(audit.store, (state) => state.phase);
  const next = useStore(audit.store, (state) => state.next);
  if (entries.length > 0) return <AuditTable filter={filter} />;
  if (phase === "loading" || phase === "idle") {
    return <Spinner size="tiny" label={t("audit.loading")} labelPosition="after" />;
  }
  if (phase === "failed") return null;
  return (
    <div className={page.empty}>
      <p>{t(next === null ? "audit.empty" : "audit.emptySoFar")}</p>
    </div>
  );
}

/** Older entries, when asked for; how far was looked is told, because a filter may find nothing in it. */
function Older() {
  const { t } = useTranslation();
  const { audit } = useStores();
  const { next, looked, phase, entries } = useStore(audit.store);
  const count = new Intl.NumberFormat(useLanguage());
  if (phase === "idle" || (phase === "loading" && entries.length === 0)) return null;
  return (
    <div className={styles.older} {...HEIRS}>
      <span className={page.quiet} data-testid="audit-extent">
        {t(next === null ? "audit.all" : "audit.soFar", {
          shown: count.format(entries.length),
          looked: count.format(looked),
        })}
      </span>
      {next !== null && (
        <Button size="small" onClick={() => void audit.older()} disabledFocusable={phase === "loading"}>
          {t(phase === "loading" ? "audit.loadingOlder" : "audit.older")}
        </Button>
      )}
      <span className={page.quiet}>{t("audit.order")}</span>
    </div>
  );
}
