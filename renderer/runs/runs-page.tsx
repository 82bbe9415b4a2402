import { Button, Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type RunFilter, routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import styles from "./runs.module.css";
import { RunsFilter } from "./runs-filter.tsx";
import { RunsTable } from "./runs-table.tsx";

/** Run 一覧: every Run with what is stored of it and, apart from that, what it is doing now. */
export function RunsPage({ filter }: { readonly filter: RunFilter }) {
  const { t } = useTranslation();
  const { runs } = useStores();
  const state = useStore(runs.store);
  const staleness = useStaleness();
  const { networkId, status } = filter;
  useEffect(() => {
    void runs.setFilter({ ...(networkId && { networkId }), ...(status && { status }) });
  }, [runs, networkId, status]);
  const filtered = networkId !== undefined || status !== undefined;
  const { order, waiting } = state.list;
  const old = staleness === "stale" || staleness === "lost";
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("runs.title")}</h1>
        <span className={page.quiet}>
          {order.length + waiting.length === state.total
            ? t("runs.total", { count: state.total })
            : t("runs.shown", { count: state.total, shown: order.length })}
        </span>
        <span className={page.spacer} />
        <Button appearance="primary" onClick={() => goTo({ page: "start", ...(networkId && { networkId }) })}>
          {t("runs.start")}
        </Button>
      </div>
      <RunsFilter filter={filter} />
      {state.problem && (
        <ProblemPanel
          problem={state.problem}
          action={{ label: t("problem.retry"), run: () => void runs.load() }}
        />
      )}
      {waiting.length > 0 && (
        <div>
          <Button size="small" onClick={() => runs.showWaiting()}>
            {t("runs.newRuns", { count: waiting.length })}
          </Button>
        </div>
      )}
      {order.length > 0 ? (
        <div className={old ? page.stale : undefined}>
          <RunsTable />
        </div>
      ) : (
        <EmptyList phase={state.phase} filtered={filtered} />
      )}
      {state.cursor !== null && (
        <div className={styles.foot}>
          <Button size="small" onClick={() => void runs.loadMore()}>
            {t("runs.more")}
          </Button>
        </div>
      )}
    </div>
  );
}

function EmptyList({ phase, filtered }: { readonly phase: string; readonly filtered: boolean }) {
  const { t } = useTranslation();
  if (phase === "failed") return null;
  if (phase !== "ready") return <Spinner size="tiny" label={t("runs.loading")} labelPosition="after" />;
  if (filtered) {
    return (
      <div className={page.empty}>
        <p>{t("runs.emptyFiltered")}</p>
        <a href={routeHash({ page: "runs", filter: {} })}>{t("runs.clearFilter")}</a>
      </div>
    );
  }
  return (
    <div className={page.empty}>
      <p>{t("runs.empty")}</p>
      <p>{t("runs.emptyNext")}</p>
      <a href={routeHash({ page: "start" })}>{t("runs.start")}</a>
    </div>
  );
}
