import type { CloudRunAnswer } from "../../../shared/domain/forced-release.ts";
import type { LockOwnerVerdict } from "../../../shared/domain/lock-owner.ts";
import type { NetworkLock, Stored } from "../../../shared/domain/model.ts";
import type { FlowStore } from "../../store/index.ts";
import type { OrchestratorDeps } from "../deps.ts";

/** What the operations beside `run-network` act through. */
export interface RecoveryDeps
  extends Pick<
    OrchestratorDeps,
    "clock" | "ids" | "profile" | "host" | "ownerInstanceId" | "journalLockOwner"
  > {
  readonly store: FlowStore;
  /** Whether the owner of a lock lives, asked at this moment (decisions section 3). Never throws. */
  readonly judgeOwner: (lock: Stored<NetworkLock>) => Promise<LockOwnerVerdict>;
  /** Whether a cloud execution has ended (orchestration section 3.5). Never throws. */
  readonly askCloudRun: (execution: string, signal?: AbortSignal) => Promise<CloudRunAnswer>;
}
