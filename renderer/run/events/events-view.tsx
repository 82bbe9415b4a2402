import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { routeHash } from "../../app/routes.ts";
import face from "../../components/face.module.css";
import link from "../../components/link.module.css";
import page from "../../components/page.module.css";
import { Absent, ForeignText, MinuteTime } from "../../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../../components/virtual-table.tsx";
import { AttemptsReading } from "../attempts-view.tsx";
import type { TabProps } from "../tab-props.ts";
import { type RunEvent, runEvents } from "./run-events.ts";

interface EventRows {
  readonly runId: string;
  readonly byKey: ReadonlyMap<string, RunEvent>;
}
const Rows = createContext<EventRows>({ runId: "", byKey: new Map() });

/** What happened to the Run, in the order the records prove (wire-format §5). */
export function EventsView({ detail }: TabProps) {
  const { t } = useTranslation();
  const events = useMemo(() => runEvents(detail), [detail]);
  const rows = useMemo<EventRows>(
    () => ({ runId: detail.run.runId, byKey: new Map(events.map((event) => [event.key, event])) }),
    [detail.run.runId, events],
  );
  const keys = useMemo(() => events.map((event) => event.key), [events]);
  const columns: readonly VirtualColumn[] = [
    { key: "event", label: t("run.events.event"), width: "172px" },
    { key: "node", label: t("run.events.node") },
    { key: "result", label: t("run.events.result"), width: "26%" },
    { key: "who", label: t("run.events.who"), width: "13%" },
    { key: "at", label: t("run.events.at"), width: "166px", minute: true },
    { key: "record", label: t("run.events.record"), width: "96px", align: "right" },
  ];
  return (
    <Rows.Provider value={rows}>
      <p className={page.quiet}>{t("run.events.order")}</p>
      <AttemptsReading detail={detail} />
      <VirtualTable caption={t("run.events.caption")} columns={columns} keys={keys} Cells={EventCells} />
    </Rows.Provider>
  );
}

function EventCells({ rowKey, index, target }: RowProps) {
  const { t } = useTranslation();
  const { runId, byKey } = useContext(Rows);
  const event = byKey.get(rowKey);
  if (event === undefined) return null;
  const { nodeId, attemptId } = event;
  const name = `${index + 1}. ${t(`run.events.kind.${event.kind}`)}`;
  const place =
    nodeId === null
      ? ({ page: "run", runId, tab: "invocations" } as const)
      : ({ page: "run", runId, tab: "attempts", nodeId, ...(attemptId && { attemptId }) } as const);
  return (
    <>
      <td>
        <a className={`${link.open} ${link.whole}`} href={routeHash(place)} {...target}>
          {name}
        </a>
      </td>
      <td>
        {nodeId === null ? <Absent /> : <ForeignText text={nodeId} id />}
        {event.attemptNo !== null && ` · ${t("run.panel.attempt", { no: event.attemptNo })}`}
      </td>
      <td className={face.mono}>
        <ForeignText text={[event.status, event.code].filter(Boolean).join(" ")} />
      </td>
      <td>{event.who === null ? <Absent /> : <ForeignText text={event.who} id />}</td>
      <td>
        <MinuteTime at={event.at} />
      </td>
      <td className={face.figure}>{event.record === "" ? <Absent /> : event.record}</td>
    </>
  );
}
