import { Button, Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import { pending } from "../state/runs-list.ts";
import { queryOf } from "./query-of.ts";
import { narrows, type RunFilter } from "./run-filter.ts";
import styles from "./runs.module.css";
import { RunsFilter } from "./runs-filter.tsx";
import { RunsGrid } from "./runs-grid.tsx";
import { RunsTable } from "./runs-table.tsx";

/** Run 一覧: every Run with what is stored of it and, apart from that, what it is doing now. */
export function RunsPage({ filter }: { readonly filter: RunFilter }) {
  const { runs, workspace } = useStores();
  const zone = useStore(workspace.store, (state) => state.info.value?.timeZone);
  const grid = filter.view === "grid";
  const query = JSON.stringify(queryOf(filter, zone ?? "UTC"));
  // A period means days of the window's zone: asked once the zone is known.
  const ready = zone !== undefined || (filter.from === undefined && filter.to === undefined);
  useEffect(() => {
    if (!grid && ready) void runs.setQuery(JSON.parse(query));
  }, [runs, query, grid, ready]);
  return (
    <div className={page.page}>
      <RunsHead filter={filter} />
      <RunsFilter filter={filter} />
      {grid ? <RunsGrid networkId={filter.networkId} /> : <RunsBody filter={filter} />}
    </div>
  );
}

function RunsHead({ filter }: { readonly filter: RunFilter }) {
  const { t } = useTranslation();
  const total = useStore(useStores().runs.store, (state) => state.list.order.length);
  const { networkId } = filter;
  return (
    <div className={page.head}>
      <h1 className={page.title}>{t("runs.title")}</h1>
      {filter.view !== "grid" && <span className={page.quiet}>{t("runs.total", { count: total })}</span>}
      <UpdateOrder />
      <span className={page.spacer} />
      <Button appearance="primary" onClick={() => goTo({ page: "start", ...(networkId && { networkId }) })}>
        {t("runs.start")}
      </Button>
    </div>
  );
}

/** New and moved Runs are let in by the operator, never under the pointer (operator-ux U5, U6). */
function UpdateOrder() {
  const { t } = useTranslation();
  const { runs } = useStores();
  const count = useStore(runs.store, (state) => pending(state.list));
  if (count === 0) return null;
  return (
    <Button size="small" onClick={() => void runs.showWaiting()}>
      {t("runs.updateOrder", { count })}
    </Button>
  );
}

function RunsBody({ filter }: { readonly filter: RunFilter }) {
  const { t } = useTranslation();
  const { runs } = useStores();
  const problem = useStore(runs.store, (state) => state.problem);
  const phase = useStore(runs.store, (state) => state.phase);
  const empty = useStore(runs.store, (state) => state.list.order.length === 0);
  const staleness = useStaleness();
  const old = staleness === "stale" || staleness === "lost";
  return (
    <>
      {problem && (
        <ProblemPanel problem={problem} action={{ label: t("problem.retry"), run: () => void runs.load() }} />
      )}
      {empty ? (
        <EmptyList phase={phase} filtered={narrows(filter)} />
      ) : (
        <div className={old ? page.stale : undefined}>
          <RunsTable filter={filter} />
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
      <a className={styles.emptyLink} href={routeHash({ page: "start" })}>
        {t("runs.start")}
      </a>
    </div>
  );
}
