import type { StopFacts } from "../../../shared/domain/forced-release.ts";
import type { NetworkLock, Stored } from "../../../shared/domain/model.ts";
import { ownerInstanceIdOf, parseOwnerInstance } from "../../../shared/domain/owner-instance.ts";
import type { RecoveryDeps } from "./deps.ts";

/** What can be learnt about a lock's owner at this moment, by the method a person names (orchestration section 3.5). */
export async function readStopFacts(
  deps: Pick<RecoveryDeps, "judgeOwner" | "askCloudRun">,
  stopMethod: string,
  lock: Stored<NetworkLock>,
  signal?: AbortSignal,
): Promise<StopFacts> {
  const instance = parseOwnerInstance(ownerInstanceIdOf(lock.statusReason));
  const owner = await deps.judgeOwner(lock);
  if (stopMethod !== "cloud_run_job_execution") return { owner, cloudRun: null };
  return {
    owner,
    cloudRun:
      instance.kind === "cloud-run"
        ? await deps.askCloudRun(instance.execution, signal)
        : { kind: "unknown", why: "the lock does not name an execution." },
  };
}
