import type { ElkNode } from "elkjs/lib/elk-api.js";
import ELK from "elkjs/lib/elk-api.js";
import type { DrawnGraph } from "./collapse.ts";
import { elkGraphOf, type Layout, layoutOf } from "./layout.ts";

export interface Layouter {
  /** Lays a graph out off the page's thread. Rejects when the signal aborts; the work under way is ended, not waited for. */
  layout(graph: DrawnGraph, signal: AbortSignal): Promise<Layout>;
  dispose(): void;
}

/** The layout engine in a worker. `openWorker` is called again after a layout was cancelled: ending it is the only way. */
export function createLayouter(openWorker: () => Worker): Layouter {
  let engine: InstanceType<typeof ELK> | null = null;
  const end = (): void => {
    engine?.terminateWorker();
    engine = null;
  };
  return {
    async layout(graph, signal) {
      signal.throwIfAborted();
      engine ??= new ELK({ workerFactory: () => openWorker() });
      const cancelled = Promise.withResolvers<never>();
      const onAbort = (): void => {
        end();
        cancelled.reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        const answer: ElkNode = await Promise.race([engine.layout(elkGraphOf(graph)), cancelled.promise]);
        return layoutOf(answer);
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
    dispose: end,
  };
}
