import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type LiveBatch,
  type RequestDetail,
  type RequestListRow,
  type RequestPage,
  settle,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export type RequestsView = "all" | "open";

export interface RequestsState {
  readonly view: RequestsView;
  /** The newest page, as the console's own readings found it. */
  readonly page: Loaded<RequestPage>;
  /** Which view the rows of the page answer; null before the first. Those of another are not shown. */
  readonly answered: RequestsView | null;
  /** Older rows that were asked for, and where the next older ones begin. */
  readonly older: readonly RequestListRow[];
  readonly next: string | null;
  readonly olderLoading: boolean;
  readonly olderProblem: Problem | null;
  readonly requestId: string | null;
  readonly detail: Loaded<RequestDetail>;
}

const initial: RequestsState = {
  view: "all",
  page: idle,
  answered: null,
  older: [],
  next: null,
  olderLoading: false,
  olderProblem: null,
  requestId: null,
  detail: idle,
};

const keyOf = (row: RequestListRow): string | null => (row.readable ? row.request.id : row.record.id);

/** The newest rows and the older ones behind them, each once. Pure. */
export function requestRows({
  page,
  older,
}: Pick<RequestsState, "page" | "older">): readonly RequestListRow[] {
  const newest = page.value?.rows ?? [];
  const known = new Set(newest.map(keyOf));
  return [...newest, ...older.filter((row) => keyOf(row) === null || !known.has(keyOf(row)))];
}

/**
 * 操作要求: the queue follows the console's own readings and costs no request; older pages and single records are read
 * when they are asked for (operator-ux U2, U8).
 */
export function createRequestsStore({ api }: { readonly api: ConsoleApi }) {
  const store = createStore<RequestsState>(() => initial);
  let watched = false;
  const load = async (): Promise<void> => {
    const { view } = store.getState();
    store.setState((state) => ({ page: loading(state.page) }));
    const answer = await settle(api.requests.list({ view }));
    store.setState((state) => {
      if (state.view !== view) return state;
      if (!answer.ok) return { page: failed(state.page, answer.error) };
      // Rows that were asked for stay; where none were, the page itself says where older ones begin.
      const next = state.older.length > 0 ? state.next : answer.value.next;
      return { page: ready(answer.value), answered: view, next };
    });
  };
  const readDetail = async (): Promise<void> => {
    const { requestId } = store.getState();
    if (requestId === null) return;
    store.setState((state) => ({ detail: loading(state.detail) }));
    const answer = await settle(api.requests.detail({ requestId }));
    store.setState((state) => {
      if (state.requestId !== requestId) return state;
      return { detail: answer.ok ? ready(answer.value) : failed(state.detail, answer.error) };
    });
  };
  return {
    store,
    load,
    readDetail,
    /** The page is there; its list follows the readings from now on. */
    async enter(): Promise<void> {
      watched = true;
      await load();
    },
    leave(): void {
      watched = false;
      store.setState({ requestId: null, detail: idle });
    },
    async show(view: RequestsView): Promise<void> {
      if (store.getState().view === view) return;
      // What stands around the rows is the same for both views, and who chooses between them stands in it (U5).
      store.setState({ view, answered: null, older: [], next: null, olderProblem: null });
      if (watched) await load();
    },
    async open(requestId: string | null): Promise<void> {
      if (store.getState().requestId !== requestId) store.setState({ requestId, detail: idle });
      await readDetail();
    },
    async loadOlder(): Promise<void> {
      const { next, view, olderLoading } = store.getState();
      if (next === null || olderLoading) return;
      store.setState({ olderLoading: true, olderProblem: null });
      const answer = await settle(api.requests.list({ view, before: next }));
      store.setState((state) => {
        if (state.view !== view) return { olderLoading: false };
        if (!answer.ok) return { olderLoading: false, olderProblem: answer.error };
        return {
          olderLoading: false,
          older: [...state.older, ...answer.value.rows],
          next: answer.value.next,
        };
      });
    },
    /** Reads the request app now, and then what is shown of it. */
    async refresh(): Promise<void> {
      store.setState((state) => ({ page: loading(state.page) }));
      const answer = await settle(api.requests.refresh({}));
      if (!answer.ok) return store.setState((state) => ({ page: failed(state.page, answer.error) }));
      await Promise.all([load(), readDetail()]);
    },
    /** Something was read or may have been missed: the list is asked for again while its page is there. */
    async apply(batch: Pick<LiveBatch, "resync" | "freshness">): Promise<void> {
      const told = batch.freshness.some(({ source }) => source === "request");
      if (!watched || !(batch.resync || told)) return;
      const before = revisionOf(store.getState());
      await load();
      if (revisionOf(store.getState()) !== before) await readDetail();
    },
    reset: () => store.setState(initial, true),
  };
}
export type RequestsStore = ReturnType<typeof createRequestsStore>;

/** The revision of the open record as the list tells it: only a change of it is worth a reading. */
function revisionOf({ requestId, page }: RequestsState): number | null {
  const row = page.value?.rows.find((each) => keyOf(each) === requestId);
  if (row === undefined) return null;
  return row.readable ? row.request.revision : row.record.revision;
}
