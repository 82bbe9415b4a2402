import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import { useEffect, useRef, useState } from "react";
import { openWorker } from "../../components/open-worker.ts";
import type { DrawnGraph } from "./collapse.ts";
import type { Layout } from "./layout.ts";
import { createLayouter } from "./layouter.ts";

export type LayoutState =
  | { readonly phase: "working"; readonly layout: Layout | null; readonly cancel: () => void }
  | { readonly phase: "ready"; readonly layout: Layout }
  | { readonly phase: "cancelled"; readonly again: () => void }
  | { readonly phase: "failed"; readonly error: string; readonly again: () => void };

/**
 * The layout of a graph, worked out in a worker; the one before stays on show meanwhile. `shape` names nodes and edges:
 * a change of statuses alone lays nothing out again.
 */
export function useLayout(graph: DrawnGraph, shape: string): LayoutState {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<LayoutState>({
    phase: "working",
    layout: null,
    cancel: () => undefined,
  });
  // What is laid out is the shape; the graph of that shape is read when the work begins.
  const latest = useRef(graph);
  latest.current = graph;
  useEffect(() => {
    const cancelling = new AbortController();
    const leaving = new AbortController();
    const layouter = createLayouter(() => openWorker(workerUrl));
    const again = (): void => setTurn(turn + 1);
    const work = async (): Promise<void> => {
      setState((before) => ({
        phase: "working",
        layout: "layout" in before ? before.layout : null,
        cancel: () => cancelling.abort(),
      }));
      try {
        const signal = AbortSignal.any([cancelling.signal, leaving.signal]);
        const layout = await layouter.layout(latest.current, signal);
        if (shape !== "") setState({ phase: "ready", layout });
      } catch (cause) {
        if (leaving.signal.aborted) return;
        if (cancelling.signal.aborted) return setState({ phase: "cancelled", again });
        setState({ phase: "failed", error: cause instanceof Error ? cause.message : String(cause), again });
      } finally {
        layouter.dispose();
      }
    };
    void work();
    return () => {
      leaving.abort();
      layouter.dispose();
    };
  }, [shape, turn]);
  return state;
}
