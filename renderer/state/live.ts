import { createStore } from "zustand/vanilla";
import {
  type BudgetShare,
  type ClockDifference,
  type Freshness,
  type LiveBatch,
  type Source,
  type SourceStaleness,
  sourceStaleness,
} from "../../shared/api/index.ts";

export interface LiveState {
  readonly line: "connecting" | "open" | "lost";
  /** Of the state app, which decides whether the picture may be acted upon. */
  readonly freshness: Freshness | null;
  /** Of every source this workspace has. */
  readonly sources: Readonly<Partial<Record<Source, Freshness>>>;
  readonly budget: readonly BudgetShare[];
  /** Null until main told of it. */
  readonly clock: ClockDifference | null;
}

const initial: LiveState = { line: "connecting", freshness: null, sources: {}, budget: [], clock: null };

/** How old the picture is, what it costs, and whether news still arrive. */
export function createLiveStore() {
  const store = createStore<LiveState>(() => initial);
  return {
    store,
    line: (line: LiveState["line"]) => store.setState({ line }),
    freshness: (freshness: Freshness) =>
      store.setState((state) => ({
        sources: { ...state.sources, [freshness.source]: freshness },
        ...(freshness.source === "state" && { freshness }),
      })),
    apply(batch: Pick<LiveBatch, "freshness" | "budget" | "clock">): void {
      for (const freshness of batch.freshness) this.freshness(freshness);
      if (batch.budget.length > 0) store.setState({ budget: batch.budget });
      if (batch.clock !== null) store.setState({ clock: batch.clock });
    },
    reset: () => store.setState(initial, true),
  };
}
export type LiveStore = ReturnType<typeof createLiveStore>;

export type Staleness = SourceStaleness | "lost";

/** Whether the picture may be acted upon (operator-ux §1.1): older than twice its interval it may not. */
export function stalenessOf(state: Pick<LiveState, "line" | "freshness">, now: number): Staleness {
  return state.line === "lost" ? "lost" : sourceStaleness(state.freshness, now);
}
