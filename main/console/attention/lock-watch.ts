import type { NetworkLock, Stored } from "../../../shared/domain/model.ts";
import type { FlowReads } from "../../store/index.ts";

export interface LockWatch {
  /** The same reads; what they bring of locks and owners is remembered on the way. */
  readonly reads: FlowReads;
  /** Every held lock as last read; null before the first reading. */
  held(): readonly Stored<NetworkLock>[] | null;
  /** Which Run an owner works on, asked once; null while its Invocation is not written. */
  runOfOwner(invocationId: string, signal?: AbortSignal): Promise<string | null>;
}

/** Remembers what the picture's own readings bring of the locks, so that looking at them costs no request (operator-ux U2). */
export function watchLocks(reads: FlowReads): LockWatch {
  let held: readonly Stored<NetworkLock>[] | null = null;
  const runs = new Map<string, string>();
  const findRunIdOfInvocation: FlowReads["findRunIdOfInvocation"] = async (invocationId, signal) => {
    const runId = await reads.findRunIdOfInvocation(invocationId, signal);
    if (runId !== null) runs.set(invocationId, runId);
    return runId;
  };
  return {
    reads: {
      ...reads,
      findRunIdOfInvocation,
      async readOverview(since, signal) {
        const overview = await reads.readOverview(since, signal);
        held = overview.locks;
        return overview;
      },
      async listHeldLocks(signal) {
        held = await reads.listHeldLocks(signal);
        return held;
      },
    },
    held: () => held,
    runOfOwner: async (invocationId, signal) =>
      runs.get(invocationId) ?? (await findRunIdOfInvocation(invocationId, signal)),
  };
}
