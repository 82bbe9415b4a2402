import "@xyflow/react/dist/base.css";
import { Button } from "@fluentui/react-components";
import {
  type Edge,
  MarkerType,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type Viewport,
} from "@xyflow/react";
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { goTo } from "../../app/use-route.ts";
import type { CausePath } from "../cause.ts";
import type { DrawnGraph } from "./collapse.ts";
import styles from "./graph.module.css";
import { Canvas, type CanvasUse, type FlowNode, NodeBox } from "./graph-node.tsx";
import { Overview } from "./graph-overview.tsx";
import { type Layout, NODE_HEIGHT, NODE_WIDTH, neighbour, type Place } from "./layout.ts";
import { boundsOf, nodeAt } from "./overview.ts";

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

const NODE_TYPES = { run: memo(NodeBox) };
/** Boxes above which only those in sight are in the document. */
const ALL_BOXES_UP_TO = 80;
/** How near a large graph is opened, and the nearest a node is brought by being looked for. */
const NEAR = 0.6;
/** Zoom below which a large graph is drawn as an overview: its texts would be under five pixels high. */
const FAR = 0.4;
const NO_EDGES: Edge[] = [];
const FIT = { fitView: true, fitViewOptions: { maxZoom: 1, minZoom: 0.15 } } as const;
/** Where edges end and begin: told instead of measured, so that a box out of sight need not be made to know. */
const HANDLES: FlowNode["handles"] = [
  { type: "target", position: Position.Left, x: 0, y: (NODE_HEIGHT - 1) / 2, width: 1, height: 1 },
  {
    type: "source",
    position: Position.Right,
    x: NODE_WIDTH - 1,
    y: (NODE_HEIGHT - 1) / 2,
    width: 1,
    height: 1,
  },
];

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
  const { setCenter, getZoom, screenToFlowPosition } = useReactFlow();
  const width = useStore((state) => state.width);
  const thin = useStore((state) => borderAt(state.transform[2]));
  const frame = useRef<HTMLElement>(null);
  const [active, setActive] = useState(selected ?? trouble ?? drawn.nodes[0]?.id ?? "");
  const partial = drawn.nodes.length > ALL_BOXES_UP_TO;
  const { far, showWhole } = useWhole(partial, layout);
  const nodes = useMemo(() => flowNodes(drawn, layout), [drawn, layout]);
  const edges = useMemo(() => flowEdges(drawn, path), [drawn, path]);
  // The one tab stop stays in the document, whatever it is seen from.
  const near = useMemo(
    () => (far ? nodes.filter((node) => node.id === active) : nodes),
    [far, nodes, active],
  );
  const first = useFirstViewport(frame, partial ? (layout.get(active) ?? null) : null);
  const centre = (id: string): void => {
    const place = layout.get(id);
    if (place === undefined) return;
    void setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, {
      zoom: Math.max(NEAR, getZoom()),
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
  const onPaneClick = (event: MouseEvent): void => {
    const point = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const id = far ? nodeAt(point, layout.keys(), layout) : null;
    const node = drawn.nodes.find((each) => each.id === id);
    if (node !== undefined) use.open(node);
  };
  const toTrouble = (id: string): void => {
    setActive(id);
    centre(id);
  };
  return (
    <Canvas.Provider value={use}>
      <div className={styles.frame}>
        <Tools
          onWhole={showWhole}
          trouble={drawn.nodes.some((node) => node.id === trouble) ? trouble : null}
          onTrouble={toTrouble}
        />
        <section
          ref={frame}
          className={styles.canvas}
          style={{ "--thin": `${thin}px` } as React.CSSProperties}
          aria-label={t("run.graph.caption")}
          onKeyDown={onKeyDown}
        >
          {(!partial || first !== null) && (
            <ReactFlow
              nodes={near}
              edges={far ? NO_EDGES : edges}
              nodeTypes={NODE_TYPES}
              onlyRenderVisibleElements={partial}
              // A large graph opens where its one tab stop is, the trouble first.
              {...(first === null ? FIT : { defaultViewport: first })}
              minZoom={0.05}
              maxZoom={1.6}
              onPaneClick={onPaneClick}
              nodesDraggable={false}
              nodesConnectable={false}
              nodesFocusable={false}
              edgesFocusable={false}
              elementsSelectable={false}
              disableKeyboardA11y
              zoomOnDoubleClick={false}
              proOptions={{ hideAttribution: true }}
            >
              {far && <Overview drawn={drawn} layout={layout} path={path} />}
            </ReactFlow>
          )}
        </section>
      </div>
    </Canvas.Provider>
  );
}

interface ToolsProps {
  readonly onWhole: () => void;
  readonly trouble: string | null;
  readonly onTrouble: (id: string) => void;
}

function Tools({ onWhole, trouble, onTrouble }: ToolsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.tools}>
      <Button size="small" onClick={onWhole}>
        {t("run.graph.whole")}
      </Button>
      {trouble !== null && (
        <Button size="small" onClick={() => onTrouble(trouble)}>
          {t("run.graph.toTrouble")}
        </Button>
      )}
    </div>
  );
}

/**
 * Whether the drawing is seen from far, and the way to all of it. A large graph becomes its overview before the zoom
 * changes: the other way round, every box that comes into sight would be made first.
 */
function useWhole(partial: boolean, layout: Layout): { far: boolean; showWhole: () => void } {
  const { fitView, fitBounds } = useReactFlow();
  const zoomedOut = useStore((state) => state.transform[2] < FAR);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!leaving) return;
    const { x, y, width, height } = boundsOf(layout);
    const bounds = { x, y, width: width + NODE_WIDTH, height: height + NODE_HEIGHT };
    void fitBounds(bounds, { duration: 0 }).then(() => setLeaving(false));
  }, [leaving, layout, fitBounds]);
  return {
    far: partial && (zoomedOut || leaving),
    showWhole: () => (partial ? setLeaving(true) : void fitView({ duration: 0 })),
  };
}

/** Where a drawing is looked at first so that a place is in its middle; null before it is in the document, or without one. */
function useFirstViewport(frame: RefObject<HTMLElement | null>, place: Place | null): Viewport | null {
  const [first, setFirst] = useState<Viewport | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (first !== null || place === null || element === null) return;
    setFirst({
      x: element.clientWidth / 2 - (place.x + NODE_WIDTH / 2) * NEAR,
      y: element.clientHeight / 2 - (place.y + NODE_HEIGHT / 2) * NEAR,
      zoom: NEAR,
    });
  }, [frame, place, first]);
  return first;
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
    measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
    handles: HANDLES,
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
      interactionWidth: 0,
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
