import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type JobList,
  type JobLock,
  type Operation,
  settle,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface JobLocksState {
  readonly list: Loaded<JobList>;
  /** The job whose lock is looked at. */
  readonly jobKey: string | null;
  /** What the runner said, by job key, of every lock that was asked about in this window. */
  readonly inspected: ReadonlyMap<string, Loaded<JobLock>>;
}

const initial: JobLocksState = { list: idle, jobKey: null, inspected: new Map() };

/** What is known of one lock; nothing before it was asked about. */
export const inspectionOf = (state: JobLocksState, jobKey: string | null): Loaded<JobLock> =>
  (jobKey === null ? undefined : state.inspected.get(jobKey)) ?? idle;

/**
 * ジョブロック: the jobs come from the definitions; a lock is asked about when it is opened, and again only when somebody
 * asks: each question starts the runner and costs a request (decisions §3).
 */
export function createJobLocksStore({ api }: { readonly api: ConsoleApi }) {
  const store = createStore<JobLocksState>(() => initial);
  const load = async (): Promise<void> => {
    store.setState((state) => ({ list: loading(state.list) }));
    const answer = await settle(api.jobLocks.list({}));
    store.setState((state) => ({
      list: answer.ok ? ready(answer.value) : failed(state.list, answer.error),
    }));
  };
  const put = (jobKey: string, change: (before: Loaded<JobLock>) => Loaded<JobLock>): void =>
    store.setState((state) => ({
      inspected: new Map(state.inspected).set(jobKey, change(inspectionOf(state, jobKey))),
    }));
  const inspect = async (): Promise<void> => {
    const { jobKey } = store.getState();
    if (jobKey === null || inspectionOf(store.getState(), jobKey).phase === "loading") return;
    put(jobKey, loading);
    const answer = await settle(api.jobLocks.inspect({ jobKey }));
    put(jobKey, (before) => (answer.ok ? ready(answer.value) : failed(before, answer.error)));
  };
  return {
    store,
    load,
    inspect,
    async open(jobKey: string | null): Promise<void> {
      if (store.getState().jobKey === jobKey) return;
      store.setState({ jobKey });
      await inspect();
    },
    /** A release that ended: the lock it was about is looked at once more (operator-ux U9). */
    async follow({ kind, jobKey, endedAt }: Pick<Operation, "kind" | "jobKey" | "endedAt">): Promise<void> {
      if (kind === "jobUnlock" && endedAt !== null && jobKey === store.getState().jobKey) await inspect();
    },
    leave: () => store.setState({ jobKey: null }),
    reset: () => store.setState(initial, true),
  };
}
export type JobLocksStore = ReturnType<typeof createJobLocksStore>;
