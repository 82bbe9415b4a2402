import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { goTo } from "../../app/use-route.ts";
import face from "../../components/face.module.css";
import link from "../../components/link.module.css";
import { NodeStatusBadge } from "../../components/status.tsx";
import { Absent, ForeignText } from "../../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../../components/virtual-table.tsx";
import type { CausePath } from "../cause.ts";
import { NodeLinks } from "../node-links.tsx";
import styles from "../run.module.css";
import type { GraphNode, RunGraph } from "./graph-model.ts";

interface ListRows {
  readonly runId: string;
  readonly byId: ReadonlyMap<string, GraphNode>;
  readonly path: CausePath;
}
const Rows = createContext<ListRows>({
  runId: "",
  byId: new Map(),
  path: { nodeIds: new Set(), edgeIds: new Set() },
});

/** The graph as a list: the same nodes, statuses, edges and cause path (operator-ux §4, 1.1.1). */
export function GraphList(props: {
  readonly runId: string;
  readonly graph: RunGraph;
  readonly path: CausePath;
}) {
  const { t } = useTranslation();
  const { runId, graph, path } = props;
  const rows = useMemo<ListRows>(
    () => ({ runId, path, byId: new Map(graph.nodes.map((node) => [node.id, node])) }),
    [runId, graph, path],
  );
  const keys = useMemo(() => graph.nodes.map((node) => node.id), [graph]);
  const columns: readonly VirtualColumn[] = [
    { key: "order", label: t("run.graph.order"), width: "56px", align: "right" },
    { key: "node", label: t("run.nodes.node"), width: "24%" },
    { key: "status", label: t("run.nodes.status"), width: "168px" },
    { key: "cause", label: t("run.graph.onPath"), width: "96px" },
    { key: "upstream", label: t("run.graph.upstream") },
    { key: "downstream", label: t("run.graph.downstream") },
  ];
  return (
    <Rows.Provider value={rows}>
      <VirtualTable
        caption={t("run.graph.listCaption")}
        columns={columns}
        keys={keys}
        Cells={ListCells}
        rowAttribute="data-node"
      />
    </Rows.Provider>
  );
}

function ListCells({ rowKey, index, target }: RowProps) {
  const { t } = useTranslation();
  const { runId, byId, path } = useContext(Rows);
  const node = byId.get(rowKey);
  if (node === undefined) return null;
  const links = (ids: readonly string[]) =>
    ids.length === 0 ? (
      <Absent />
    ) : (
      <span className={styles.above}>
        <NodeLinks runId={runId} tab="graph" nodeIds={ids} />
      </span>
    );
  return (
    <>
      <td className={face.figure}>{index + 1}</td>
      <td>
        <button
          type="button"
          className={`${link.button} ${link.open} ${link.whole}`}
          onClick={() => goTo({ page: "run", runId, tab: "graph", nodeId: rowKey })}
          {...target}
        >
          <ForeignText text={rowKey} id />
        </button>
      </td>
      <td>{node.status === null ? t("run.graph.noState") : <NodeStatusBadge status={node.status} />}</td>
      <td>{path.nodeIds.has(rowKey) ? t("run.graph.onPathYes") : <Absent />}</td>
      <td>{links(node.upstream)}</td>
      <td>{links(node.downstream)}</td>
    </>
  );
}
