import type { LockOwnerVerdict } from "../../../shared/domain/lock-owner.ts";
import type { NetworkLock, Stored } from "../../../shared/domain/model.ts";
import { holderOf } from "./locks.ts";
import { type ProbeDeps, probeHolder } from "./probes.ts";

/** Judges the owner of a lock at this moment, with the probes the lock screen shows (decisions §3). */
export function createOwnerJudge(
  deps: ProbeDeps & { readonly host: string },
): (lock: Stored<NetworkLock>) => Promise<LockOwnerVerdict> {
  return async (lock) => {
    const picture = { lock, networkId: null, runId: null, businessKey: null };
    const holder = holderOf(picture, deps.host, deps.nowMs());
    return (await probeHolder(holder, [], deps)).verdict;
  };
}
