import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { NodeFacts } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import face from "../components/face.module.css";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { NodeStatusBadge } from "../components/status.tsx";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../components/virtual-table.tsx";
import { firstCauses } from "./cause.ts";
import { NodeLinks } from "./node-links.tsx";
import { NodePanel } from "./node-panel.tsx";
import styles from "./run.module.css";
import { RunSplit } from "./run-split.tsx";
import type { TabProps } from "./tab-props.ts";

interface NodeRows {
  readonly runId: string;
  readonly all: readonly NodeFacts[];
  readonly byId: ReadonlyMap<string, NodeFacts>;
}
const Rows = createContext<NodeRows>({ runId: "", all: [], byId: new Map() });

/** Every node: how it stands, why, and which nodes are the cause (operator-ux §1.1). */
export function NodesView({ detail, view }: TabProps) {
  const { t } = useTranslation();
  const rows = useMemo<NodeRows>(
    () => ({
      runId: detail.run.runId,
      all: detail.nodes,
      byId: new Map(detail.nodes.map((node) => [node.nodeId, node])),
    }),
    [detail.run.runId, detail.nodes],
  );
  const keys = useMemo(() => detail.nodes.map((node) => node.nodeId), [detail.nodes]);
  const columns: readonly VirtualColumn[] = [
    { key: "node", label: t("run.nodes.node") },
    { key: "status", label: t("run.nodes.status"), width: "168px" },
    { key: "reason", label: t("run.nodes.reason"), width: "20%" },
    { key: "attempts", label: t("run.nodes.attempts"), width: "80px", align: "right" },
    { key: "idempotent", label: t("run.nodes.idempotent"), width: "76px" },
    { key: "startedAt", label: t("run.nodes.startedAt"), width: "166px", minute: true },
    { key: "finishedAt", label: t("run.nodes.finishedAt"), width: "166px", minute: true },
  ];
  if (keys.length === 0) {
    return (
      <div className={page.empty}>
        <p>{t("run.nodes.empty")}</p>
      </div>
    );
  }
  return (
    <Rows.Provider value={rows}>
      <RunSplit
        runId={detail.run.runId}
        view={view}
        label={view.nodeId ?? ""}
        detail={view.nodeId === undefined ? null : <NodePanel detail={detail} view={view} />}
      >
        <VirtualTable
          caption={t("run.nodes.caption")}
          columns={columns}
          keys={keys}
          open={view.nodeId}
          Cells={NodeCells}
          rowAttribute="data-node"
        />
      </RunSplit>
    </Rows.Provider>
  );
}

function NodeCells({ rowKey, target }: RowProps) {
  const { t } = useTranslation();
  const { runId, all, byId } = useContext(Rows);
  const node = byId.get(rowKey);
  if (node === undefined) return null;
  return (
    <>
      <td>
        <button
          type="button"
          className={`${link.button} ${link.open} ${link.whole}`}
          onClick={() => goTo({ page: "run", runId, tab: "nodes", nodeId: rowKey })}
          {...target}
        >
          <ForeignText text={rowKey} id />
        </button>
      </td>
      <td>
        <NodeStatusBadge status={node.status} />
      </td>
      <td>
        {node.blockedBy.length > 0 ? (
          <span className={styles.above}>
            {t("run.overview.waitsFor")}{" "}
            <NodeLinks runId={runId} tab="nodes" nodeIds={firstCauses(all, rowKey)} />
          </span>
        ) : node.statusReason === null ? (
          <Absent />
        ) : (
          <ForeignText text={node.statusReason} />
        )}
      </td>
      <td className={face.figure}>{node.latestAttemptNo}</td>
      <td>{node.idempotent ? t("run.nodes.idempotentYes") : t("run.nodes.idempotentNo")}</td>
      <td>
        <MinuteTime at={node.startedAt} />
      </td>
      <td>
        <MinuteTime at={node.finishedAt} />
      </td>
    </>
  );
}
