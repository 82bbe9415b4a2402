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
  const problem = useStore(runs.store, (state) => state.problem);
  const { networkId, status } = filter;
  useEffect(() => {
    void runs.setFilter({ ...(networkId && { networkId }), ...(status && { status }) });
  }, [runs, networkId, status]);
  return (
    <div className={page.page}>
      <RunsHead networkId={networkId} />
      <RunsFilter filter={filter} />
      {problem && (
        <ProblemPanel problem={problem} action={{ label: t("problem.retry"), run: () => void runs.load() }} />
      )}
      <RunsBody filtered={networkId !== undefined || status !== undefined} />
    </div>
  );
}

function RunsHead({ networkId }: { readonly networkId: string | undefined }) {
  const { t } = useTranslation();
  const { list, total } = useStore(useStores().runs.store);
  const shown = list.order.length;
  return (
    <div className={page.head}>
      <h1 className={page.title}>{t("runs.title")}</h1>
      <span className={page.quiet}>
        {shown + list.waiting.length === total
          ? t("runs.total", { count: total })
          : t("runs.shown", { count: total, shown })}
      </span>
      <span className={page.spacer} />
      <Button appearance="primary" onClick={() => goTo({ page: "start", ...(networkId && { networkId }) })}>
        {t("runs.start")}
      </Button>
    </div>
  );
}

function RunsBody({ filtered }: { readonly filtered: boolean }) {
  const { t } = useTranslation();
  const { runs } = useStores();
  const { list, phase, cursor } = useStore(runs.store);
  const staleness = useStaleness();
  const old = staleness === "stale" || staleness === "lost";
  return (
    <>
      {list.waiting.length > 0 && (
        <div>
          <Button size="small" onClick={() => runs.showWaiting()}>
            {t("runs.newRuns", { count: list.waiting.length })}
          </Button>
        </div>
      )}
      {list.order.length > 0 ? (
        <div className={old ? page.stale : undefined}>
          <RunsTable />
        </div>
      ) : (
        <EmptyList phase={phase} filtered={filtered} />
      )}
      {cursor !== null && (
        <div className={styles.foot}>
          <Button size="small" onClick={() => void runs.loadMore()}>
            {t("runs.more")}
          </Button>
        </div>
      )}
    </>
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
