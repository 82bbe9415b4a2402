import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RunRow, RunSort } from "../../shared/api/index.ts";
import { BulkBar } from "../action/bulk/bulk-bar.tsx";
import { ChooseBox } from "../action/bulk/choose-box.tsx";
import { routeHash } from "../app/routes.ts";
import face from "../components/face.module.css";
import link from "../components/link.module.css";
import { RunMinutes } from "../components/pace.tsx";
import page from "../components/page.module.css";
import { ActivityBadge, RunStatusBadge } from "../components/status.tsx";
import { ForeignText, MinuteTime, useSecondText } from "../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../components/virtual-table.tsx";
import { useStores } from "../state/context.tsx";
import { rowAt } from "../state/runs-list.ts";
import { markedText } from "../text/marks.ts";
import { narrowRuns } from "./narrow.ts";
import type { RunFilter } from "./run-filter.ts";
import styles from "./runs.module.css";

/** The rows in the order main gave; each listens to its own Run alone, so a change redraws one row. */
export function RunsTable({ filter }: { readonly filter: RunFilter }) {
  const { t } = useTranslation();
  const { runs } = useStores();
  const order = useStore(runs.store, (state) => state.list.order);
  const active = useStore(runs.store, (state) => state.active);
  const question = useStore(runs.store, (state) => JSON.stringify(state.query));
  const sight = useRef({ first: 0, last: 0 });
  const { pace } = useStores();
  useEffect(() => void pace.want(), [pace]);
  const onRange = useCallback(
    (first: number, last: number) => {
      sight.current = { first, last };
      void runs.want(first, last);
    },
    [runs],
  );
  const inSight = (): readonly string[] => order.slice(sight.current.first, sight.current.last + 1);
  return (
    <>
      <BulkBar inSight={inSight} />
      <VirtualTable
        caption={t("runs.caption")}
        columns={useColumns(filter)}
        keys={order}
        Cells={RunCells}
        layoutId="runs"
        rowAttribute="data-run"
        active={active}
        onActive={runs.setActive}
        onRange={onRange}
        scrollTop={runs.store.getState().scrollTop}
        onLeave={runs.keepScroll}
        question={question}
      />
    </>
  );
}

function useColumns(filter: RunFilter): readonly VirtualColumn[] {
  const { t } = useTranslation();
  const sort = filter.sort ?? "newest";
  const by = (wanted: RunSort): void =>
    narrowRuns(filter, { sort: wanted === "newest" || wanted === sort ? undefined : wanted });
  const sortable = (wanted: RunSort) => ({
    state: sort === wanted ? ("ascending" as const) : ("none" as const),
    toggle: () => by(wanted),
  });
  return [
    // The word would be cut to its first letters here; it still names the column to whoever listens.
    { key: "choose", label: t("action.bulk.column"), head: <span aria-hidden="true">✓</span>, width: "48px" },
    {
      key: "record",
      label: t("runs.column.record"),
      width: "76px",
      align: "right",
      sort: {
        state: sort === "newest" ? "descending" : sort === "oldest" ? "ascending" : "none",
        toggle: () => by(sort === "newest" ? "oldest" : "newest"),
      },
    },
    { key: "businessKey", label: t("runs.column.businessKey"), sort: sortable("businessKey") },
    { key: "network", label: t("runs.column.network"), width: "8%", sort: sortable("networkId") },
    { key: "status", label: t("runs.column.status"), width: "124px", sort: sortable("status") },
    { key: "activity", label: t("runs.column.activity"), width: "160px" },
    { key: "startedAt", label: t("runs.column.startedAt"), width: "166px", minute: true },
    { key: "duration", label: t("pace.column"), width: "160px", minute: true, align: "right" },
  ];
}

function RunCells({ rowKey, target }: RowProps) {
  const { t } = useTranslation();
  const { runs } = useStores();
  const run = useStore(runs.store, (state) => rowAt(state.list, rowKey));
  if (run === undefined) return <PendingCells recordId={rowKey} />;
  return (
    <>
      <td>
        <ChooseBox recordId={rowKey} name={run.businessKey} tabIndex={target.tabIndex} />
      </td>
      <td className={`${face.figure} ${page.quiet}`}>{run.recordId}</td>
      <td>
        <a
          className={`${link.open} ${link.whole}`}
          href={routeHash({ page: "run", runId: run.runId })}
          title={markedText(run.businessKey, true)}
          onFocus={() => runs.setActive(rowKey)}
          {...target}
        >
          <ForeignText text={run.businessKey} id />
        </a>
        {run.lifecycle === "ARCHIVED" && <span className={styles.tag}>{t("status.archived")}</span>}
      </td>
      <td>
        <ForeignText text={run.networkId} id />
      </td>
      <td>
        <RunStatusBadge status={run.status} />
      </td>
      <td>
        <ActivityCell run={run} />
      </td>
      <td>
        <MinuteTime at={run.startedAt} />
      </td>
      <td className={`${face.figure} ${page.quiet}`}>
        <RunMinutes run={run} />
      </td>
    </>
  );
}

/** A row that is on its way from main; its place is known already. */
function PendingCells({ recordId }: { readonly recordId: string }) {
  const { t } = useTranslation();
  return (
    <>
      <td />
      <td className={`${face.figure} ${page.quiet}`}>{recordId}</td>
      <td className={styles.judged} colSpan={6}>
        {t("runs.rowPending")}
      </td>
    </>
  );
}

/** What the Run is doing, with when that was judged; apart from its stored status (operator-ux §1.1). */
function ActivityCell({ run }: { readonly run: RunRow }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  if (run.activityJudgedAt === null) return <span className={styles.judged}>{t("activity.unjudged")}</span>;
  if (run.activity === null) return <span className={styles.judged}>{t("activity.none")}</span>;
  return (
    <span className={styles.activity} title={t(`activity.line.${run.activity}`)}>
      <ActivityBadge activity={run.activity} />
      <span className={styles.judged}>
        {t("activity.judgedAt", { time: secondText(run.activityJudgedAt) })}
      </span>
    </span>
  );
}
