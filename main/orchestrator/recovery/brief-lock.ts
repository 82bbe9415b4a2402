import type { Problem } from "../../../shared/domain/problem.ts";
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
