import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { routeHash } from "../app/routes.ts";
import face from "../components/face.module.css";
import link from "../components/link.module.css";
import { PaceMark, RunMinutes } from "../components/pace.tsx";
import { RunStatusBadge } from "../components/status.tsx";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../components/virtual-table.tsx";
import type { DayBar } from "./day-model.ts";

const Bars = createContext<ReadonlyMap<string, DayBar>>(new Map());

/** The day as a list: the same Runs, times and marks as the drawing (operator-ux §4, 1.1.1). */
export function DayList({ bars }: { readonly bars: readonly DayBar[] }) {
  const { t } = useTranslation();
  const byRun = useMemo(() => new Map(bars.map((bar) => [bar.run.runId, bar])), [bars]);
  const keys = useMemo(
    () => bars.toSorted((left, right) => right.from - left.from).map(({ run }) => run.runId),
    [bars],
  );
  const columns: readonly VirtualColumn[] = [
    { key: "network", label: t("day.network"), width: "18%" },
    { key: "run", label: t("runs.column.businessKey") },
    { key: "status", label: t("day.status"), width: "128px" },
    { key: "started", label: t("day.started"), width: "166px", minute: true },
    { key: "finished", label: t("day.finished"), width: "166px", minute: true },
    { key: "duration", label: t("day.duration"), width: "112px", align: "right" },
    { key: "pace", label: t("day.pace"), width: "132px" },
  ];
  return (
    <Bars.Provider value={byRun}>
      <VirtualTable
        caption={t("day.listCaption")}
        columns={columns}
        keys={keys}
        Cells={ListCells}
        rowAttribute="data-run"
        maxHeight="max(280px, calc(100vh - 320px))"
      />
    </Bars.Provider>
  );
}

function ListCells({ rowKey, target }: RowProps) {
  const bar = useContext(Bars).get(rowKey);
  if (bar === undefined) return null;
  const { run, pace } = bar;
  return (
    <>
      <td>
        <ForeignText text={run.networkId} id />
      </td>
      <td>
        <a
          className={`${link.open} ${link.whole}`}
          href={routeHash({ page: "run", runId: run.runId })}
          {...target}
        >
          <ForeignText text={run.businessKey} id />
        </a>
      </td>
      <td>
        <RunStatusBadge status={run.status} />
      </td>
      <td>
        <MinuteTime at={run.startedAt} />
      </td>
      <td>
        <MinuteTime at={run.finishedAt} />
      </td>
      <td className={face.figure}>
        <RunMinutes run={run} marked={false} />
      </td>
      <td>{pace === "usual" ? <Absent /> : <PaceMark pace={pace} />}</td>
    </>
  );
}
