import { createStore, type StoreApi } from "zustand/vanilla";
import { type ConsoleApi, ROWS_MAX, type RunDiff, type RunQuery, settle } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import {
  applyDiffs,
  compared,
  emptyList,
  onlyRows,
  ordered,
  pending,
  type RunsList,
  rowAt,
  withRows,
  withRowsAgain,
} from "./runs-list.ts";

/** Rows fetched before and after the visible ones, so that a key or a turn of the wheel finds them there. */
const MARGIN = 40;

export interface RunsState {
  readonly phase: "idle" | "loading" | "ready" | "failed";
  readonly list: RunsList;
  readonly query: RunQuery;
  readonly problem: Problem | null;
  /** `recordId` of the row that has, or last had, the focus; it survives updates and visits (operator-ux U5). */
  readonly active: string | null;
  /** Where the list was left, in pixels. */
  readonly scrollTop: number;
}

const initial: RunsState = {
  phase: "idle",
  list: emptyList,
  query: {},
  problem: null,
  active: null,
  scrollTop: 0,
};

/** The Run list: its order comes from main, its rows as they are looked at, the news as diffs. */
export function createRunsStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RunsState>(() => initial);
  const reading = createReading(store, deps.api);
  return {
    store,
    load: reading.load,
    want: reading.want,
    /** Reads the list of another query; what is shown stays until its answer is there. */
    async setQuery(query: RunQuery): Promise<void> {
      const { query: shown, phase } = store.getState();
      if (phase !== "idle" && JSON.stringify(query) === JSON.stringify(shown)) return reading.load();
      store.setState({ query, active: null, scrollTop: 0 });
      await reading.show();
    },
    apply(diffs: readonly RunDiff[]): void {
      store.setState(({ list, query }) => ({ list: applyDiffs(list, diffs, query) }));
      const { list, phase } = store.getState();
      // Nothing is on screen that could move: the first Runs come in at once.
      if (phase === "ready" && list.order.length === 0 && pending(list) > 0) void reading.show();
    },
    /** Has the state app read now; the news come through the live stream. */
    async refresh(): Promise<void> {
      const answer = await settle(deps.api.runs.refresh({}));
      store.setState({ problem: answer.ok ? null : answer.error });
    },
    /** Puts the list into the order of now. */
    showWaiting: reading.show,
    setActive: (active: string | null) => store.setState({ active }),
    keepScroll: (scrollTop: number) => store.setState({ scrollTop }),
    reset(): void {
      reading.forget();
      store.setState(initial, true);
    },
  };
}
export type RunsStore = ReturnType<typeof createRunsStore>;

/** Reads order and rows into the store. An answer that was overtaken by a newer question is dropped. */
function createReading(store: StoreApi<RunsState>, api: ConsoleApi) {
  let turn = 0;
  let range = { first: 0, last: MARGIN };
  const asked = new Set<string>();

  const rowsOf = async (recordIds: readonly string[], take = withRows): Promise<void> => {
    const mine = turn;
    for (const recordId of recordIds) asked.add(recordId);
    const answer = await settle(api.runList.rows({ recordIds }));
    for (const recordId of recordIds) asked.delete(recordId);
    if (mine !== turn) return;
    store.setState((state) =>
      answer.ok ? { list: take(state.list, answer.value.rows) } : { problem: answer.error },
    );
  };
  const want = async (first: number, last: number): Promise<void> => {
    range = { first, last };
    const { list } = store.getState();
    const missing = list.order
      .slice(Math.max(0, first - MARGIN), last + MARGIN)
      .filter((recordId) => rowAt(list, recordId) === undefined && !asked.has(recordId));
    if (missing.length > 0) await rowsOf(missing.slice(0, ROWS_MAX));
  };
  const inSight = (): readonly string[] =>
    store.getState().list.order.slice(Math.max(0, range.first), range.last + 1);
  const read = async (take: (list: RunsList, order: readonly string[]) => RunsList): Promise<void> => {
    const mine = ++turn;
    asked.clear();
    if (store.getState().list.order.length === 0) range = { first: 0, last: MARGIN };
    store.setState({ phase: "loading" });
    const answer = await settle(api.runList.order(store.getState().query));
    if (mine !== turn) return;
    if (!answer.ok) return store.setState({ phase: "failed", problem: answer.error });
    const { recordIds } = answer.value;
    store.setState(({ list }) => ({ phase: "ready", problem: null, list: take(list, recordIds) }));
    await want(range.first, range.last);
  };
  return {
    forget: () => void turn++,
    want,
    /** Reads again after changes may have been missed; an order on screen stays until the operator lets it go. */
    async load(): Promise<void> {
      const seen = inSight();
      await read((list, order) =>
        list.order.length === 0 ? ordered(list, order) : compared(onlyRows(list, new Set(seen)), order),
      );
      if (seen.length > 0) await rowsOf(seen.slice(0, ROWS_MAX), withRowsAgain);
    },
    show: () => read(ordered),
  };
}
