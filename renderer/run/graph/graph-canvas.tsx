import "@xyflow/react/dist/base.css";
import { Button } from "@fluentui/react-components";
import {
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import {
  createContext,
  type KeyboardEvent,
  memo,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { goTo } from "../../app/use-route.ts";
import { NodeStatusBadge } from "../../components/status.tsx";
import { NODE_LOOK } from "../../components/status-model.ts";
import { ForeignText } from "../../components/text.tsx";
import { markedText } from "../../text/marks.ts";
import type { CausePath } from "../cause.ts";
import type { DrawnGraph, DrawnNode } from "./collapse.ts";
import styles from "./graph.module.css";
import { type Layout, NODE_HEIGHT, NODE_WIDTH, neighbour } from "./layout.ts";

interface GraphCanvasProps {
  readonly runId: string;
  readonly drawn: DrawnGraph;
  readonly layout: Layout;
  readonly path: CausePath;
  readonly selected: string | null;
  /** The node to zoom to when something went wrong. */
  readonly trouble: string | null;
  readonly onUnfold: (id: string) => void;
}

interface CanvasUse {
  readonly active: string;
  readonly selected: string | null;
  readonly path: CausePath;
  readonly open: (node: DrawnNode) => void;
}
const Canvas = createContext<CanvasUse | null>(null);

type FlowNode = Node<{ readonly drawn: DrawnNode }, "run">;
const NODE_TYPES = { run: memo(NodeBox) };
/** Boxes above which only those in sight are in the document. */
const ALL_BOXES_UP_TO = 80;

/** The drawing itself: one tab stop, arrow keys along the edges, Enter opens a node (operator-ux §4, 2.1.1). */
export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

function Flow({ runId, drawn, layout, path, selected, trouble, onUnfold }: GraphCanvasProps) {
  const { t } = useTranslation();
  const { setCenter, fitView, getZoom } = useReactFlow();
  const width = useStore((state) => state.width);
  const thin = useStore((state) => borderAt(state.transform[2]));
  const frame = useRef<HTMLElement>(null);
  const [active, setActive] = useState(selected ?? trouble ?? drawn.nodes[0]?.id ?? "");
  const partial = drawn.nodes.length > ALL_BOXES_UP_TO;
  const nodes = useMemo(() => flowNodes(drawn, layout), [drawn, layout]);
  const edges = useMemo(() => flowEdges(drawn, path), [drawn, path]);
  const centre = (id: string): void => {
    const place = layout.get(id);
    if (place === undefined) return;
    void setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, {
      zoom: Math.max(0.6, getZoom()),
      duration: 0,
    });
  };
  const show = useRef(centre);
  show.current = centre;
  // The node looked at stays in sight when its panel takes room from the drawing.
  useEffect(() => {
    if (selected !== null && width > 0) show.current(selected);
  }, [selected, width]);
  const onKeyDown = useArrowKeys({ frame, drawn, layout, active, setActive, centre });
  const use = useMemo<CanvasUse>(
    () => ({
      active,
      selected,
      path,
      open(node) {
        if (node.folded.length > 0) onUnfold(node.id);
        else goTo({ page: "run", runId, tab: "graph", nodeId: node.id });
      },
    }),
    [active, selected, path, onUnfold, runId],
  );
  const troubled = trouble === null ? undefined : drawn.nodes.find((node) => node.id === trouble);
  return (
    <Canvas.Provider value={use}>
      <div className={styles.frame}>
        <div className={styles.tools}>
          <Button size="small" onClick={() => void fitView({ duration: 0 })}>
            {t("run.graph.whole")}
          </Button>
          {troubled !== undefined && (
            <Button
              size="small"
              onClick={() => {
                setActive(troubled.id);
                centre(troubled.id);
              }}
            >
              {t("run.graph.toTrouble")}
            </Button>
          )}
        </div>
        <section
          ref={frame}
          className={styles.canvas}
          style={{ "--thin": `${thin}px` } as React.CSSProperties}
          aria-label={t("run.graph.caption")}
          onKeyDown={onKeyDown}
        >
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            fitView
            fitViewOptions={{ maxZoom: 1, minZoom: 0.15 }}
            minZoom={0.05}
            maxZoom={1.6}
            onlyRenderVisibleElements={partial}
            // The one tab stop must be in the document: a large graph opens where it is, the trouble first.
            onInit={() => {
              if (partial) show.current(active);
            }}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            zoomOnDoubleClick={false}
            proOptions={{ hideAttribution: true }}
          />
        </section>
      </div>
    </Canvas.Provider>
  );
}

/**
 * How thick a border is drawn so that it is a pixel on the screen at that zoom; CSS pixels of the drawing. In quarters:
 * not every step of the wheel restyles every box. Bounded, or it would fill the box.
 */
function borderAt(zoom: number): number {
  return Math.min(8, Math.max(1, Math.ceil(4 / zoom) / 4));
}

function flowNodes(drawn: DrawnGraph, layout: Layout): FlowNode[] {
  return drawn.nodes.map((node) => ({
    id: node.id,
    type: "run",
    position: layout.get(node.id) ?? { x: 0, y: 0 },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    // The library gives the pointer only to nodes it may move or mark itself.
    style: { pointerEvents: "all" },
    data: { drawn: node },
  }));
}

function flowEdges(drawn: DrawnGraph, path: CausePath): Edge[] {
  return drawn.edges.map(({ id, from, to }) => {
    const cause = path.edgeIds.has(id);
    return {
      id,
      source: from,
      target: to,
      className: cause ? (styles.causeEdge ?? "") : (styles.edge ?? ""),
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "context-stroke" },
      zIndex: cause ? 1 : 0,
    };
  });
}

interface ArrowKeysInput {
  readonly frame: React.RefObject<HTMLElement | null>;
  readonly drawn: DrawnGraph;
  readonly layout: Layout;
  readonly active: string;
  readonly setActive: (id: string) => void;
  readonly centre: (id: string) => void;
}

/** Moves the one tab stop along the edges; the node comes into sight first, then takes the focus. */
function useArrowKeys({ frame, drawn, layout, active, setActive, centre }: ArrowKeysInput) {
  const wanted = useRef(false);
  useEffect(() => {
    if (!wanted.current) return;
    const boxes = [...(frame.current?.querySelectorAll<HTMLElement>("[data-box]") ?? [])];
    const box = boxes.find((each) => each.dataset.box === active);
    if (box === undefined) return;
    wanted.current = false;
    box.focus({ preventScroll: true });
  });
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = neighbour(event.key, active, drawn, layout);
    if (next === null) return;
    event.preventDefault();
    wanted.current = true;
    centre(next);
    setActive(next);
  };
}

function NodeBox({ data }: NodeProps<FlowNode>) {
  const { t } = useTranslation();
  const use = useContext(Canvas);
  const { drawn } = data;
  const { node, folded } = drawn;
  const tone = node.status === null ? "waiting" : NODE_LOOK[node.status].tone;
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
        { "--tone": `var(--tone-${tone})`, width: NODE_WIDTH, height: NODE_HEIGHT } as React.CSSProperties
      }
      onClick={() => use?.open(drawn)}
    >
      <Handle type="target" position={Position.Left} className={styles.handle} isConnectable={false} />
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
        {cause && <span className={styles.unseen}> {t("run.graph.onPathYes")}</span>}
      </span>
      <Handle type="source" position={Position.Right} className={styles.handle} isConnectable={false} />
    </button>
  );
}
