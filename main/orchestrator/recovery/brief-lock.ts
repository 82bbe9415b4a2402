import { FlowError, fail, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { LockSession } from "../../store/index.ts";
import { giveBack } from "../give-back.ts";
import type { RecoveryDeps } from "./deps.ts";

/** Lease of an operation that is over in a few requests; a crash leaves the network closed for no longer. */
const LEASE_MS = 60_000;
const HEARTBEAT_MS = 20_000;

/**
 * Does something short under the Network lock (orchestration section 3.1): taken, used, and given back whatever became
 * of it. `refused` gets the reason the lock was not to be had. The owner instance is the standard one, so that
 * a lock left behind can be judged (W-13).
 */
export async function underBriefLock<T>(
  deps: RecoveryDeps,
  holder: { readonly networkId: string; readonly profile: string; readonly ownerInvocationId: string },
  work: (session: LockSession) => Promise<T>,
  refused: (problem: Problem) => T,
  signal?: AbortSignal,
): Promise<T> {
  await deps.journalLockOwner(holder.ownerInvocationId);
  const acquired = await deps.store.acquireLock(
    { ...holder, ownerInstanceId: deps.ownerInstanceId, leaseMs: LEASE_MS, heartbeatMs: HEARTBEAT_MS },
    signal,
  );
  if (acquired.kind !== "acquired") return refused(acquired.problem);
  const { session } = acquired;
  try {
    return await work(session);
  } finally {
    if (session.state() === "HELD" || session.state() === "LEASE_UNCERTAIN") {
      await giveBack(session, { status: "SUCCESS", resultCode: "NORMAL" });
    }
    await session.dispose();
  }
}

/**
 * The same under the lock of a Run's network; `purpose` begins the owner's id. A Run that is not there, a lock that is
 * not to be had and whatever the store throws become the answer. Codes `RECORD_NOT_FOUND`, `LOCK_CONFLICT`,
 * `LOCK_UNAVAILABLE`, `STORE_*`.
 */
export async function underLockOfRun<T>(
  deps: RecoveryDeps,
  { runId, signal }: { readonly runId: string; readonly signal?: AbortSignal },
  purpose: string,
  work: (session: LockSession) => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    const run = await deps.store.findRunById(runId, signal);
    if (run === null) return fail(runNotFound(runId));
    const holder = {
      networkId: run.networkId,
      profile: run.profileSnapshot.profile,
      ownerInvocationId: `${purpose}_${deps.ids.uuid()}`,
    };
    return await underBriefLock(deps, holder, work, (problem): Result<T> => fail(problem), signal);
  } catch (error) {
    if (error instanceof FlowError) return fail(error.problem);
    throw error;
  }
}

export const runNotFound = (runId: string): Problem => ({
  code: "RECORD_NOT_FOUND",
  message: "No Run of this id is in the state app.",
  place: runId,
  remedy: "Check the id; status lists the Runs of a network.",
});
