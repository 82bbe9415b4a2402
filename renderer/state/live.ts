import { createStore } from "zustand/vanilla";
import type { Freshness } from "../../shared/api/index.ts";

export interface LiveState {
  readonly line: "connecting" | "open" | "lost";
  readonly freshness: Freshness | null;
}

const initial: LiveState = { line: "connecting", freshness: null };

/** How old the picture is and whether news still arrive. */
export function createLiveStore() {
  const store = createStore<LiveState>(() => initial);
  return {
    store,
    line: (line: LiveState["line"]) => store.setState({ line }),
    freshness: (freshness: Freshness) => store.setState({ freshness }),
    reset: () => store.setState(initial, true),
  };
}
export type LiveStore = ReturnType<typeof createLiveStore>;

/** Allowed beyond twice the interval, for the reading itself to take its time; milliseconds. */
const READING_TIME_MS = 5_000;

export type Staleness = "fresh" | "reading" | "stale" | "lost";

/** Whether the picture may be acted upon (operator-ux §1.1): older than twice its interval it may not. */
export function stalenessOf(state: LiveState, now: number): Staleness {
  const { freshness, line } = state;
  if (line === "lost") return "lost";
  if (freshness?.readAt == null) return freshness?.problem ? "stale" : "reading";
  const age = now - Date.parse(freshness.readAt);
  return age > 2 * freshness.intervalMs + READING_TIME_MS ? "stale" : "fresh";
}
