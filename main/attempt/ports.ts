import type { Capabilities, JobInspection, ProfileDescription } from "../../shared/contract/index.ts";
import type { InputFileReceipt, OutputFileReceipt } from "../../shared/domain/execution-result.ts";
import type { AttemptStatus, NodeStatus } from "../../shared/domain/model.ts";
import type { Problem, Result } from "../../shared/domain/problem.ts";
import type { ProcessIdentity } from "../process/index.ts";

/** The configured runner: a command with fixed leading arguments and its configuration (execution-contract section 1). */
export interface RunnerConfig {
  readonly command: string;
  readonly leadingArgs: readonly string[];
  readonly configPath: string;
  readonly profile: string;
  readonly workDir: string;
  /** Environment handed to every child: an allow list plus the variables the runner's configuration names. */
  readonly env: Readonly<Record<string, string>>;
  readonly graceMs: number;
  /** True for the built-in runner, which listens on a control pipe. */
  readonly controlPipe: boolean;
}

/** The runner's read-only commands (execution-contract section 2), gated and shape-checked. `CANCELLED` when `signal` aborts. */
export interface Runner {
  /** Errors: `CAPABILITY_CONTRACT_MISSING`, `CAPABILITY_FEATURE_MISSING`, `KSQL_FLOW_PROCESS_FAILED`, `KSQL_FLOW_EXIT_MISMATCH`, `KSQL_FLOW_INVALID_JSON`, `KSQL_FLOW_OUTPUT_INVALID`. */
  capabilities(
    need: { readonly inputs: boolean; readonly outputs: boolean },
    signal?: AbortSignal,
  ): Promise<Result<Capabilities>>;
  /** Also returns the canonical JSON that is hashed into `resolved_profile_sha256`. */
  describeProfile(
    signal?: AbortSignal,
  ): Promise<Result<{ readonly description: ProfileDescription; readonly canonical: string }>>;
  inspectJob(sqlPath: string, signal?: AbortSignal): Promise<Result<JobInspection>>;
}

/** Facts of one attempt that are fixed before anything is written. */
export interface AttemptInput {
  readonly runId: string;
  readonly nodeId: string;
  readonly jobId: string;
  readonly attemptId: string;
  readonly attemptNo: number;
  /** Absolute path of the unpacked SQL of the stored bundle. */
  readonly sqlPath: string;
  readonly asOf: string;
  /** The runner's own limit in seconds (profile snapshot); null = none. The parent adds a margin (W-25). */
  readonly batchTimeoutSec: number | null;
  /**
   * Milliseconds an unreachable kintone is waited for when the JOB log alone can tell how the attempt ended
   * (orchestration section 3.4, drain loop); absent = not at all.
   */
  readonly drainMs?: number;
  /** Declared CSV inputs as they were checked before the start (orchestration section 8.2); absent = none. */
  readonly imports?: readonly {
    readonly name: string;
    readonly path: string;
    readonly sha256: string;
    readonly bytes: number;
  }[];
  /** Declared CSV outputs; absent = none. */
  readonly exports?: readonly { readonly name: string; readonly path: string }[];
}

/** Everything that can fail without a child, done: the child may be spawned with nothing in between (fenced-writes R5). */
export interface PreparedAttempt {
  readonly input: AttemptInput;
  readonly resultPath: string;
  readonly args: readonly string[];
}

/** What an attempt came to; `shared/domain/attempt-verdict` alone decided. */
export interface AttemptConclusion {
  readonly attemptStatus: Exclude<AttemptStatus, "RUNNING">;
  readonly resultCode: string;
  readonly nodeStatus: Extract<NodeStatus, "WAITING" | "SUCCESS" | "FAILED" | "CANCELLED" | "UNKNOWN">;
  readonly nodeReason: string | null;
  readonly finishedAt: string;
  readonly durationSec: number | null;
  readonly executionId: string | null;
  readonly runnerExecutionStartedAt: string | null;
  readonly readCount: number;
  readonly writtenCount: number;
  readonly lastSuccessfulChunkNo: number | null;
  readonly lastWrittenKey: string | null;
  readonly errorMessage: string | null;
  /** What a believed result says of the files; absent or null where there is none (execution-contract section 5.4). */
  readonly receipts?: {
    readonly inputs: readonly InputFileReceipt[];
    readonly outputs: readonly OutputFileReceipt[];
  } | null;
  /** The invocation-level code of orchestration section 5.2, null for an ordinary end. */
  readonly invocationCode: string | null;
}

export interface RunningAttempt {
  /** Null when the launch failed provably. */
  readonly identity: ProcessIdentity | null;
  /** Settles when the child is gone and its evidence was read. Never rejects for what a child did. */
  readonly concluded: Promise<AttemptConclusion>;
  stop(): Promise<void>;
}

export interface Attempts {
  /** Writes the journal's intent and makes the work folder. A Problem here becomes one terminal insert without a marker. */
  prepare(input: AttemptInput): Promise<Result<PreparedAttempt, Problem>>;
  /** Spawns at once; journals spawned, exited. */
  spawn(prepared: PreparedAttempt): Promise<RunningAttempt>;
  /** After the outcome is in the store: journals settled, has the logs kept and removes the work folder. */
  settle(prepared: PreparedAttempt, outcome: { readonly stored: boolean }): Promise<void>;
}
