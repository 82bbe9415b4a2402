import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { InvocationFacts } from "../../shared/api/index.ts";
import face from "../components/face.module.css";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { Absent, CopyId, ForeignText, MinuteTime } from "../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../components/virtual-table.tsx";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { markedText } from "../text/marks.ts";
import type { TabProps } from "./tab-props.ts";
import { triggerOf } from "./trigger.ts";

interface InvocationRows {
  readonly byId: ReadonlyMap<string, InvocationFacts>;
  readonly version: string;
}
const Rows = createContext<InvocationRows>({ byId: new Map(), version: "" });

/** Who and what moved the Run forward, start by start (operator-ux §1.1). */
export function InvocationsView({ detail }: TabProps) {
  const { t } = useTranslation();
  const { invocations, flowVersion } = detail;
  const rows = useMemo<InvocationRows>(
    () => ({
      byId: new Map(invocations.map((invocation) => [invocation.recordId, invocation])),
      version: flowVersion,
    }),
    [invocations, flowVersion],
  );
  const keys = useMemo(() => invocations.map((invocation) => invocation.recordId), [invocations]);
  const columns: readonly VirtualColumn[] = [
    { key: "id", label: t("run.invocations.id"), width: "108px" },
    { key: "mode", label: t("run.invocations.mode"), width: "92px" },
    { key: "status", label: t("run.invocations.status"), width: "96px" },
    { key: "code", label: t("run.invocations.code"), width: "120px" },
    { key: "trigger", label: t("run.invocations.trigger") },
    { key: "reason", label: t("run.invocations.reason"), width: "16%" },
    { key: "host", label: t("run.invocations.host"), width: "84px" },
    { key: "nodes", label: t("run.invocations.nodes"), width: "120px", align: "right" },
    { key: "startedAt", label: t("run.invocations.startedAt"), width: "164px", minute: true },
    { key: "finishedAt", label: t("run.invocations.finishedAt"), width: "164px", minute: true },
  ];
  if (keys.length === 0) {
    return (
      <div className={page.empty}>
        <p>{t("run.invocations.empty")}</p>
      </div>
    );
  }
  return (
    <Rows.Provider value={rows}>
      <p className={page.quiet}>{t("run.invocations.version", { version: markedText(flowVersion, true) })}</p>
      <VirtualTable
        caption={t("run.invocations.caption")}
        columns={columns}
        keys={keys}
        Cells={InvocationCells}
        rowAttribute="data-invocation"
      />
    </Rows.Provider>
  );
}

/** Characters of a reason that a row holds; a reason is free text of any length. */
const REASON_SHOWN = 500;

function InvocationCells({ rowKey, target }: RowProps) {
  const { t } = useTranslation();
  const invocation = useContext(Rows).byId.get(rowKey);
  if (invocation === undefined) return null;
  const { selectedNodeIds, preservedNodeIds, blockedNodeIds } = invocation;
  const reason = invocation.reason.slice(0, REASON_SHOWN);
  const trigger = triggerOf(invocation.requestedBy);
  return (
    <>
      <td>
        <CopyId
          id={invocation.invocationId}
          short={`…${invocation.invocationId.slice(-8)}`}
          what={t("run.invocations.id")}
          always
          target={target}
        />
      </td>
      <td>{t(`run.mode.${invocation.mode}`)}</td>
      <td>
        <OutcomeBadge status={invocation.status} />
      </td>
      <td className={face.mono}>
        <GuidanceLink code={invocation.resultCode} />
      </td>
      <td>
        {trigger.kind === "request" ? (
          <>
            {t("run.invocations.byRequest", { id: markedText(trigger.requestId, true) })}{" "}
            <ForeignText text={trigger.creator} id />
          </>
        ) : (
          <ForeignText text={trigger.who} id />
        )}
      </td>
      <td title={markedText(reason)}>{reason === "" ? <Absent /> : <ForeignText text={reason} />}</td>
      <td>
        <ForeignText text={invocation.host} />
      </td>
      <td className={face.figure}>
        {selectedNodeIds.length} / {preservedNodeIds.length} / {blockedNodeIds.length}
      </td>
      <td>
        <MinuteTime at={invocation.startedAt} />
      </td>
      <td>
        <MinuteTime at={invocation.finishedAt} />
      </td>
    </>
  );
}
