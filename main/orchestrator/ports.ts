import type { LockStatus } from "../../shared/domain/lease.ts";
import type { Activity, NodeStatus, OutcomeStatus, RunStatus } from "../../shared/domain/model.ts";
import type { SeenRecords } from "../../shared/domain/operations/seen.ts";
import type { Problem } from "../../shared/domain/problem.ts";

/** `run-network`, whoever asks: the command line, the poller or the console (architecture section 4). */
export interface RunNetworkInput {
  readonly definitionPath: string;
  readonly businessKey?: string;
  readonly scheduledFor?: string;
  readonly resume?: boolean;
  readonly resumeRunId?: string;
  readonly rerunFrom?: string;
  readonly requestedBy: string;
  /** Why a person started it; kept behind the Invocation's own reason (wire-format section 1.2). */
  readonly reason?: string;
  readonly signal?: AbortSignal;
  /** The records a person decided on; execution on other ones is refused (`PLAN_STALE`). Null or left out: none were shown. */
  readonly seen?: SeenRecords | null;
  /** Told at once of everything that happens on this host; no request is spent on it. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Told when the Network lock was taken, and with null once this process gave it back. */
  readonly onLock?: (lock: HeldNetworkLock | null) => void;
}

/** A Network lock of this process, by what identifies it in the records; its token is never told. */
export interface HeldNetworkLock {
  readonly profile: string;
  readonly networkId: string;
  /** `N1:…` (wire-format section 2.2). */
  readonly lockKey: string;
  readonly ownerInvocationId: string;
  readonly ownerInstanceId: string;
}

/** The one-line JSON of `run-network --json` (orchestration section 9.2), plus the problem behind a refusal. */
export interface RunNetworkResult {
  readonly outcome: "NEW" | "RESUME" | "NOOP" | "REJECTED";
  readonly runId: string | null;
  readonly invocationId: string | null;
  readonly aggregateStatus: RunStatus | null;
  readonly invocationResultCode: string;
  readonly retryBrakeNodeIds: readonly string[];
  readonly blockedRunIds: readonly string[];
  /**
   * Set whenever `outcome` is REJECTED, the walk was told to stop or ended abnormally, a schedule's resume had nothing
   * new to say (W-31), or the lock could not be given back.
   */
  readonly problem: Problem | null;
  /** Of the Run in `runId`; not part of the JSON. */
  readonly networkId: string | null;
  /** The nodes that did not succeed, in the order of the plan; empty when none was walked. Not part of the JSON. */
  readonly nodes: readonly NodeEnd[];
}

/** A node as an Invocation left it, for whoever has to find out why. */
export interface NodeEnd {
  readonly nodeId: string;
  readonly status: NodeStatus;
  /** Result code of its turn in this Invocation, else the reason in its Node State. */
  readonly code: string | null;
  /** What its attempt said; foreign text, null when it had no turn or said nothing. */
  readonly message: string | null;
}

export type RunEvent =
  | {
      readonly kind: "run-created";
      readonly runId: string;
      readonly networkId: string;
      readonly businessKey: string;
    }
  /** An existing Run was taken up again; its records were set back. */
  | {
      readonly kind: "run-resumed";
      readonly runId: string;
      readonly networkId: string;
      readonly businessKey: string;
    }
  | {
      readonly kind: "node-started";
      readonly runId: string;
      readonly nodeId: string;
      readonly attemptId: string;
      readonly pid: number | null;
    }
  | {
      readonly kind: "node-ended";
      readonly runId: string;
      readonly nodeId: string;
      readonly status: NodeStatus;
    }
  | { readonly kind: "run-ended"; readonly runId: string; readonly status: RunStatus };

export interface PlanResult {
  readonly networkId: string;
  readonly businessKey: string;
  readonly nodes: readonly {
    readonly order: number;
    readonly id: string;
    readonly jobId: string;
    readonly idempotent: boolean;
    readonly dependsOn: readonly string[];
  }[];
}

export interface StatusInput {
  readonly networkId: string;
  readonly profile: string;
  readonly runId?: string;
  readonly businessKey?: string;
  readonly signal?: AbortSignal;
}

/** The object of `status --json` (orchestration section 9.2), camelCase; `shared` renders it for the wire. */
export interface StatusReport {
  readonly networkId: string;
  readonly profile: string;
  readonly lock: LockStatus | null;
  readonly runs: readonly RunReport[];
  /** Records nothing can be said of, each with its id and revision; what they would say is missing above. */
  readonly unreadable: readonly Problem[];
}

export interface AttemptBrief {
  readonly attemptId: string;
  readonly attemptNo: number;
  readonly status: OutcomeStatus;
  readonly resultCode: string;
}

export interface RunReport {
  readonly runId: string;
  readonly businessKey: string;
  readonly status: RunStatus;
  readonly resumeAllowed: boolean;
  readonly lifecycle: "ACTIVE" | "ARCHIVED";
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly updatedAt: string;
  readonly hold: {
    readonly state: string;
    readonly requestedBy: string;
    readonly requestedAt: string;
  } | null;
  readonly activity: Activity | null;
  /** The owner's lease stands, whatever the Run's status says (W-06). */
  readonly live: boolean;
  /** What the word STOPPED leaves out (W-30): `stopping` while an owner lives, `stopped` when none does. */
  readonly stop: "stopping" | "stopped" | null;
  /** Only for one Run (`--run-id`, `--business-key`). */
  readonly detail: RunDetailReport | null;
}

export interface RunDetailReport {
  readonly invocations: readonly {
    readonly invocationId: string;
    readonly mode: string;
    readonly status: OutcomeStatus;
    readonly resultCode: string;
  }[];
  readonly nodeStates: readonly {
    readonly nodeId: string;
    readonly status: NodeStatus;
    readonly statusReason: string | null;
    readonly idempotent: boolean;
    readonly latestAttemptNo: number;
    readonly activeAttemptId: string | null;
    readonly latestAttempt: AttemptBrief | null;
    readonly activeAttempt: AttemptBrief | null;
  }[];
  readonly inconsistencies: readonly {
    readonly code: string;
    readonly nodeId: string | null;
    readonly detail: string;
    readonly attemptIds: readonly string[];
    /** What a resume makes of it: stops at it, repairs it first, or passes. */
    readonly severity: "blocking" | "repairable" | "notice";
  }[];
  readonly recovery: {
    readonly resolveNode: readonly { readonly runId: string; readonly nodeId: string }[];
    readonly forceUnlockNetwork: {
      readonly networkId: string;
      readonly profile: string;
      readonly expectedOwnerInvocationId: string;
    } | null;
    readonly runNetwork: { readonly resumeRun: string };
  };
}

export interface ValidationReport {
  readonly networkId: string | null;
  /** `place` holds the path of orchestration section 1.2. */
  readonly problems: readonly Problem[];
}

export interface Orchestrator {
  /** Reads the file and its SQL files; never writes, never calls kintone. */
  validate(definitionPath: string): Promise<ValidationReport>;
  plan(
    definitionPath: string,
    keys: { readonly scheduledFor?: string; readonly businessKey?: string },
  ): Promise<{ readonly plan: PlanResult | null; readonly problems: readonly Problem[] }>;
  /** Never throws for a refusal: it is the result. */
  runNetwork(input: RunNetworkInput): Promise<RunNetworkResult>;
  /** Never writes. Errors as `FlowError` (`RECORD_NOT_FOUND`, `STORE_*`). */
  status(input: StatusInput): Promise<StatusReport>;
}
