import { createStore } from "zustand/vanilla";
import { type ConsoleApi, type LiveBatch, type RecoveryPicture, settle } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { oneAtATime } from "./one-at-a-time.ts";

export interface RecoveryState {
  readonly runId: string | null;
  readonly picture: Loaded<RecoveryPicture>;
  /** Why the Run behind a lock cannot be told. */
  readonly lockProblem: Problem | null;
}

const initial: RecoveryState = { runId: null, picture: idle, lockProblem: null };

/**
 * The way out of an accident, read from the records each time: nothing of where it stands is kept here, so that anybody
 * may do any of its steps anywhere.
 */
export function createRecoveryStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RecoveryState>(() => initial);
  const read = oneAtATime(async () => {
    const { runId } = store.getState();
    if (runId === null) return;
    store.setState((state) => ({ picture: loading(state.picture) }));
    const answer = await settle(deps.api.unknown.recovery({ runId }));
    store.setState((state) => {
      if (state.runId !== runId) return state;
      return { picture: answer.ok ? ready(answer.value) : failed(state.picture, answer.error) };
    });
  });
  /** The lock over the network moved: somebody released or took it. The list costs no request. */
  const lockMoved = async (): Promise<boolean> => {
    const known = store.getState().picture.value;
    if (known === null) return false;
    const answer = await settle(deps.api.locks.list({}));
    if (!answer.ok) return false;
    const now = answer.value.locks.find(
      (lock) => lock.networkId === known.networkId && lock.profile === known.profile,
    );
    const before = known.lock?.lock.holder ?? null;
    const holder = now?.holder ?? null;
    return (
      before?.ownerInvocationId !== holder?.ownerInvocationId ||
      before?.staleCandidate !== holder?.staleCandidate
    );
  };
  return {
    store,
    read,
    async open(runId: string): Promise<void> {
      if (store.getState().runId !== runId) store.setState({ ...initial, runId });
      await read();
    },
    /** The Run whose Invocation holds a lock; null when that cannot be told, which is said. */
    async runOfLock(recordId: string): Promise<string | null> {
      store.setState({ lockProblem: null });
      const answer = await settle(deps.api.locks.detail({ recordId }));
      if (!answer.ok) {
        store.setState({ lockProblem: answer.error });
        return null;
      }
      return answer.value.lock.holder?.runId ?? null;
    },
    close: () => store.setState(initial, true),
    /** Somebody did something, here or elsewhere: the steps are told anew (operator-ux U9). */
    async apply(batch: Pick<LiveBatch, "resync" | "runs" | "operations" | "freshness">): Promise<void> {
      const { runId } = store.getState();
      if (runId === null) return;
      const touched =
        batch.resync ||
        batch.runs.some((run) => run.id === runId) ||
        batch.operations.some((each) => each.endedAt !== null);
      if (touched) return read();
      if (batch.freshness.some(({ source }) => source === "state") && (await lockMoved())) await read();
    },
    reset: () => store.setState(initial, true),
  };
}
export type RecoveryStore = ReturnType<typeof createRecoveryStore>;
