import { type Node, type NodeProps, Position } from "@xyflow/react";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import { NodeStatusBadge } from "../../components/status.tsx";
import { NODE_LOOK, type Tone } from "../../components/status-model.ts";
import { ForeignText } from "../../components/text.tsx";
import unseen from "../../components/unseen.module.css";
import { markedText } from "../../text/marks.ts";
import type { CausePath } from "../cause.ts";
import type { DrawnNode } from "./collapse.ts";
import styles from "./graph.module.css";
import type { GraphNode } from "./graph-model.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "./layout.ts";

/** What a box needs of the drawing around it. */
export interface CanvasUse {
  readonly active: string;
  readonly selected: string | null;
  readonly path: CausePath;
  readonly open: (node: DrawnNode) => void;
}
export const Canvas = createContext<CanvasUse | null>(null);

export type FlowNode = Node<{ readonly drawn: DrawnNode }, "run">;

export const toneOf = ({ status }: GraphNode): Tone => (status === null ? "waiting" : NODE_LOOK[status].tone);

/** One node of the drawing: a button with its name and, as glyph and word, its status. */
export function NodeBox({ data }: NodeProps<FlowNode>) {
  const { t } = useTranslation();
  const use = useContext(Canvas);
  const { drawn } = data;
  const { node, folded } = drawn;
  const cause = use?.path.nodeIds.has(drawn.id) === true;
  return (
    <button
      type="button"
      className={styles.box}
      data-box={drawn.id}
      data-cause={cause}
      data-selected={use?.selected === drawn.id}
      tabIndex={use?.active === drawn.id ? 0 : -1}
      aria-expanded={folded.length > 0 ? false : undefined}
      style={
        {
          "--tone": `var(--tone-${toneOf(node)})`,
          width: NODE_WIDTH,
          height: NODE_HEIGHT,
        } as React.CSSProperties
      }
      onClick={() => use?.open(drawn)}
    >
      <span className={styles.boxName} title={markedText(drawn.id, true)}>
        {folded.length > 0 ? (
          t("run.graph.folded", { count: folded.length })
        ) : (
          <ForeignText text={drawn.id} id />
        )}
      </span>
      <span className={styles.boxState}>
        {node.status === null ? t("run.graph.noState") : <NodeStatusBadge status={node.status} />}
        {folded.length === 0 && node.attemptNo > 1 && ` ×${node.attemptNo}`}
        {cause && <span className={unseen.unseen}> {t("run.graph.onPathYes")}</span>}
      </span>
      {/* Where the library looks for the ends of edges; its own component would watch for connections nobody makes. */}
      <span className={`target ${styles.from}`} data-handlepos={Position.Left} />
      <span className={`source ${styles.to}`} data-handlepos={Position.Right} />
    </button>
  );
}
