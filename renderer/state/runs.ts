import { createStore, type StoreApi } from "zustand/vanilla";
import { type ConsoleApi, type RunDiff, settle } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import type { RunFilter } from "../app/routes.ts";
import { appendPage, applyDiffs, emptyList, letIn, listOf, type RunsList } from "./runs-list.ts";

/** Rows of one page of the list. */
export const PAGE_SIZE = 100;

export interface RunsState {
  readonly phase: "idle" | "loading" | "ready" | "failed";
  readonly list: RunsList;
  readonly filter: RunFilter;
  readonly total: number;
  readonly cursor: string | null;
  readonly problem: Problem | null;
}

const initial: RunsState = {
  phase: "idle",
  list: emptyList,
  filter: {},
  total: 0,
  cursor: null,
  problem: null,
};

/** The Run list: pages read on demand, kept true by diffs. */
export function createRunsStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RunsState>(() => initial);
  const paging = createPaging(store, deps.api);
  return {
    store,
    load: paging.load,
    loadMore: paging.loadMore,
    async setFilter(filter: RunFilter): Promise<void> {
      store.setState({ filter, list: emptyList, total: 0, cursor: null });
      await paging.load();
    },
    apply: (diffs: readonly RunDiff[]) => store.setState((state) => withDiffs(state, diffs)),
    /** Has the state app read now; the news come through the live stream. */
    async refresh(): Promise<void> {
      const answer = await settle(deps.api.runs.refresh({}));
      store.setState({ problem: answer.ok ? null : answer.error });
    },
    showWaiting: () => store.setState((state) => ({ list: letIn(state.list) })),
    reset(): void {
      paging.forget();
      store.setState(initial, true);
    },
  };
}
export type RunsStore = ReturnType<typeof createRunsStore>;

function withDiffs(state: RunsState, diffs: readonly RunDiff[]): Partial<RunsState> {
  const list = applyDiffs(state.list, diffs, state.filter);
  const count = (of: RunsList): number => of.order.length + of.waiting.length;
  return { list, total: state.total + count(list) - count(state.list) };
}

/** Reads pages into the store. An answer that was overtaken by a newer question is dropped. */
function createPaging(store: StoreApi<RunsState>, api: ConsoleApi) {
  let turn = 0;
  const query = (cursor: string | null) => {
    const { filter } = store.getState();
    return api.runs.list({
      ...(filter.networkId !== undefined && { networkId: filter.networkId }),
      ...(filter.status !== undefined && { statuses: [filter.status] }),
      ...(cursor !== null && { cursor }),
      limit: PAGE_SIZE,
    });
  };
  return {
    forget: () => void turn++,
    async load(): Promise<void> {
      const mine = ++turn;
      store.setState({ phase: "loading" });
      const page = await settle(query(null));
      if (mine !== turn) return;
      if (!page.ok) return store.setState({ phase: "failed", problem: page.error });
      const { rows, total, nextCursor } = page.value;
      store.setState({ phase: "ready", list: listOf(rows), total, cursor: nextCursor, problem: null });
    },
    async loadMore(): Promise<void> {
      const { cursor } = store.getState();
      if (cursor === null) return;
      const mine = turn;
      const page = await settle(query(cursor));
      if (mine !== turn) return;
      if (!page.ok) return store.setState({ problem: page.error });
      const { rows, total, nextCursor } = page.value;
      store.setState(({ list }) => ({
        list: appendPage(list, rows),
        cursor: nextCursor,
        total,
        problem: null,
      }));
    },
  };
}
