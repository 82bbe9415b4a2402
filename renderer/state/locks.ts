import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type LiveBatch,
  type LockDetail,
  type LockList,
  settle,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface LocksState {
  readonly list: Loaded<LockList>;
  /** The holder that is looked at. */
  readonly recordId: string | null;
  readonly detail: Loaded<LockDetail>;
  /** How far the console's clock is ahead of this window's, milliseconds. */
  readonly skewMs: number;
}

const initial: LocksState = { list: idle, recordId: null, detail: idle, skewMs: 0 };

/**
 * ロック: the list follows the console's own readings and costs no request; a holder is read and probed when it is
 * opened, and again only when asked for (operator-ux U8).
 */
export function createLocksStore(deps: { readonly api: ConsoleApi; readonly nowMs: () => number }) {
  const store = createStore<LocksState>(() => initial);
  let watched = false;
  const load = async (): Promise<void> => {
    store.setState((state) => ({ list: loading(state.list) }));
    const answer = await settle(deps.api.locks.list({}));
    store.setState((state) =>
      answer.ok
        ? { list: ready(answer.value), skewMs: Date.parse(answer.value.answeredAt) - deps.nowMs() }
        : { list: failed(state.list, answer.error) },
    );
  };
  const probe = async (): Promise<void> => {
    const { recordId } = store.getState();
    if (recordId === null) return;
    store.setState((state) => ({ detail: loading(state.detail) }));
    const answer = await settle(deps.api.locks.detail({ recordId }));
    store.setState((state) => {
      if (state.recordId !== recordId) return state;
      return { detail: answer.ok ? ready(answer.value) : failed(state.detail, answer.error) };
    });
  };
  return {
    store,
    load,
    probe,
    /** The page is there; its list follows the readings from now on. */
    async enter(): Promise<void> {
      watched = true;
      await load();
    },
    leave(): void {
      watched = false;
      store.setState({ recordId: null, detail: idle });
    },
    async open(recordId: string | null): Promise<void> {
      if (store.getState().recordId !== recordId) store.setState({ recordId, detail: idle });
      await probe();
    },
    /** Something was read or may have been missed: the list is asked for again while its page is there. */
    async apply(batch: Pick<LiveBatch, "resync" | "freshness">): Promise<void> {
      if (watched && (batch.resync || batch.freshness.some(({ source }) => source === "state"))) await load();
    },
    reset: () => store.setState(initial, true),
  };
}
export type LocksStore = ReturnType<typeof createLocksStore>;
