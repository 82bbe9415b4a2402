import type { StoreApi } from "zustand/vanilla";
import { type ConsoleApi, type LogHit, type LogSearchEvent, unreachable } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";

export interface LogSearchState {
  readonly text: string;
  readonly matchCase: boolean;
  readonly phase: "idle" | "running" | "ended" | "stopped" | "failed";
  readonly hits: readonly LogHit[];
  /** Index of the hit in sight; -1 before the first. */
  readonly current: number;
  readonly searchedBytes: number;
  readonly sizeBytes: number;
  /** Where it would go on when the bound on hits ended it. */
  readonly nextLine: number | null;
  readonly problem: Problem | null;
}

export const initialSearch: LogSearchState = {
  text: "",
  matchCase: false,
  phase: "idle",
  hits: [],
  current: -1,
  searchedBytes: 0,
  sizeBytes: 0,
  nextLine: null,
  problem: null,
};

/** A search after one more event. Pure. */
export function applySearchEvent(search: LogSearchState, event: LogSearchEvent): LogSearchState {
  switch (event.kind) {
    case "found": {
      const { searchedBytes, sizeBytes } = event;
      const hits = event.hits.length === 0 ? search.hits : [...search.hits, ...event.hits];
      const current = search.current === -1 && hits.length > 0 ? 0 : search.current;
      return { ...search, hits, current, searchedBytes, sizeBytes };
    }
    case "ended":
      return { ...search, phase: "ended", nextLine: event.limited ? event.nextLine : null };
    case "refused":
      return { ...search, phase: "failed", problem: event.problem };
  }
}

/** The hit after or before the one in sight, around the ends. Pure. */
export function hitAfter({ hits, current }: LogSearchState, step: 1 | -1): number {
  if (hits.length === 0) return -1;
  if (current === -1) return step === 1 ? 0 : hits.length - 1;
  return (current + step + hits.length) % hits.length;
}

interface Searched {
  readonly attemptId: string | null;
  readonly name: string | null;
  readonly search: LogSearchState;
}

/** One search at a time; another, a stop, or leaving ends it in main too. */
export function searchIntents<S extends Searched>(store: StoreApi<S>, api: ConsoleApi) {
  let running: AbortController | null = null;
  const update = (change: (search: LogSearchState) => LogSearchState): void => {
    const { search } = store.getState();
    store.setState({ search: change(search) } as Partial<S>);
  };
  const stopSearch = (): void => {
    running?.abort();
    running = null;
    update((search) => (search.phase === "running" ? { ...search, phase: "stopped" } : search));
  };
  const run = async (fromLine: number): Promise<void> => {
    const { attemptId, name, search } = store.getState();
    if (attemptId === null || name === null) return;
    const mine = new AbortController();
    running = mine;
    const { text, matchCase } = search;
    try {
      const events = await api.logs.search(
        { attemptId, name, text, matchCase, fromLine },
        { signal: mine.signal },
      );
      for await (const event of events) {
        if (mine.signal.aborted) return;
        update((before) => applySearchEvent(before, event));
      }
    } catch (cause) {
      if (!mine.signal.aborted)
        update((before) => ({ ...before, phase: "failed", problem: unreachable(cause) }));
    }
  };
  return {
    stopSearch,
    /** Searches the whole file; without a text the search is taken back. */
    async startSearch(text: string, matchCase: boolean): Promise<void> {
      stopSearch();
      update(() => ({ ...initialSearch, text, matchCase, phase: text === "" ? "idle" : "running" }));
      if (text !== "") await run(0);
    },
    /** Goes on behind the last hit of a search that its bound ended; the hits before it make room. */
    async searchOn(): Promise<void> {
      const { nextLine, text, matchCase } = store.getState().search;
      if (nextLine === null) return;
      stopSearch();
      update(() => ({ ...initialSearch, text, matchCase, phase: "running" }));
      await run(nextLine);
    },
    step: (step: 1 | -1): void => update((search) => ({ ...search, current: hitAfter(search, step) })),
    showHit: (current: number): void => update((search) => ({ ...search, current })),
  };
}
