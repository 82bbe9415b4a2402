import type {
  Activity,
  Attempt,
  Hold,
  Invocation,
  NetworkLock,
  NodeState,
  Resolution,
  Run,
  RunStatus,
  Stored,
} from "./model.ts";

/** A Run as the picture of all Runs shows it: the stored status and, beside it, the activity judged then. */
export interface RunInPicture {
  readonly runId: string;
  readonly networkId: string;
  readonly profile: string;
  readonly businessKey: string;
  readonly status: RunStatus;
  readonly lifecycle: Run["lifecycle"];
  readonly activity: Activity | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly updatedAt: string;
}

/** The records behind a Run, read together. */
export interface RunRecordsRead {
  readonly run: Pick<Run, "runId" | "status" | "startedAt">;
  readonly states: readonly Stored<NodeState>[];
  readonly attempts: readonly Attempt[];
  readonly invocations: readonly Invocation[];
  readonly resolutions: readonly Resolution[];
  readonly hold: Hold | null;
}

export interface RunPicture {
  readonly run: RunInPicture;
  /** Null when they were not read; then only what the Run record itself says is told. */
  readonly records: RunRecordsRead | null;
  /** The lock over its network, whoever holds it. */
  readonly lock: Pick<
    Stored<NetworkLock>,
    "ref" | "ownerInvocationId" | "heartbeatAt" | "leaseExpiresAt"
  > | null;
  /** That lock's lease stands, the allowance included: somebody may be writing at this moment. */
  readonly lockStands: boolean;
}
