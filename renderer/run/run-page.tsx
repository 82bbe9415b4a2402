import { Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useEscape } from "../components/use-escape.ts";
import { useStaleness, useStores } from "../state/context.tsx";
import { AttemptsTable } from "./attempts-table.tsx";
import { Inconsistencies } from "./inconsistencies.tsx";
import { InvocationsTable } from "./invocations-table.tsx";
import { NodesTable } from "./nodes-table.tsx";
import styles from "./run.module.css";
import { RunHeader } from "./run-header.tsx";

/** One Run: what is stored, what it is doing, and every record behind both. */
export function RunPage({ runId }: { readonly runId: string }) {
  const { t } = useTranslation();
  const { runDetail } = useStores();
  const detail = useStore(runDetail.store, (state) => state.detail);
  const staleness = useStaleness();
  useEffect(() => {
    void runDetail.open(runId);
    return () => runDetail.close();
  }, [runDetail, runId]);
  useEscape(() => goTo({ page: "runs", filter: {} }));
  const { value, problem } = detail;
  const old = staleness === "stale" || staleness === "lost";
  return (
    <div className={page.page}>
      <div>
        <a className={styles.crumb} href={routeHash({ page: "runs", filter: {} })}>
          {t("run.back")}
        </a>
      </div>
      {problem && (
        <ProblemPanel
          problem={problem}
          action={{ label: t("problem.retry"), run: () => void runDetail.reload() }}
        />
      )}
      {value === null && problem === null && (
        <Spinner size="tiny" label={t("run.loading")} labelPosition="after" />
      )}
      {value && (
        <div className={`${page.section} ${old ? page.stale : ""}`} style={{ gap: 24 }}>
          <RunHeader detail={value} />
          {value.inconsistencies.length > 0 && <Inconsistencies found={value.inconsistencies} />}
          <NodesTable nodes={value.nodes} />
          <AttemptsTable attempts={value.attempts} />
          <InvocationsTable invocations={value.invocations} />
        </div>
      )}
    </div>
  );
}
