import type { RunnerProfile } from "../../../shared/contract/index.ts";
import type { KintoneTransport } from "../../kintone-client/index.ts";
import type { ImportRequest, ImportSources } from "../sources/import-sources.ts";
import type { Calls } from "./calls.ts";
import type { EventLog } from "./event-log.ts";
import { failed, type Verdict, verdictOf } from "./failure.ts";
import type { Mask } from "./masking.ts";
import type { Progress } from "./progress.ts";
import type { ExportRequest, OutputReceipt } from "./result-outputs.ts";
import { type StopControl, Stopped } from "./stop.ts";

/** The files a run is to write (execution-contract §4.4). */
export interface ExportPlan {
  readonly files: readonly ExportRequest[];
  readonly encoding: "utf8" | "sjis";
  /** IANA zone DATETIME cells are written in; null = UTC as stored. */
  readonly timeZone: string | null;
}

export interface RunInput {
  readonly profile: RunnerProfile;
  readonly takeover: boolean;
  readonly sqlPath: string;
  /** Working directory: `.ksql` and relative log folders lie under it. */
  readonly cwd: string;
  readonly executionId: string;
  readonly asOfMs: number;
  readonly host: string;
  readonly maxApiCalls: number | null;
  /** An insert that cannot be repeated is an error (job-dialect §7, KSQL1305). */
  readonly strict: boolean;
  readonly imports: readonly ImportRequest[];
  /** Null when no file is to be written. */
  readonly exports: ExportPlan | null;
  /** The job lock may be missing; the lock file alone counts (execution-contract §4.5). */
  readonly localOnly: boolean;
  /** Every RUNNING record of the profile is released first (execution-contract §4.5). */
  readonly forceUnlock: boolean;
  /** Null for a run without an orchestrator: no marker, no correlation columns. */
  readonly orchestrated: {
    readonly correlationId: string;
    readonly attemptId: string;
    readonly expectedJobId: string;
  } | null;
}

export interface RunDeps {
  readonly transport: KintoneTransport;
  readonly stop: StopControl;
  readonly events: EventLog;
  readonly mask: Mask;
  readonly nowMs: () => number;
  /** Waits out the pauses of the bookkeeping. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Human text for stderr. */
  readonly say: (line: string) => void;
  readonly heartbeatMs?: number;
}

/** One run in progress. */
export interface Context {
  readonly input: RunInput;
  readonly deps: RunDeps;
  readonly calls: Calls;
  readonly progress: Progress;
  readonly imports: ImportSources;
  /** `output_files` of the result, filled when the files stand (execution-contract §5.1). */
  readonly outputs: OutputReceipt[];
}

/** The verdict of `work`, whatever it throws; a cancel requested before it was settled outranks all else (§6.3). */
export async function judged({ deps, progress }: Context, work: () => Promise<Verdict>): Promise<Verdict> {
  let verdict: Verdict;
  try {
    verdict = await work();
  } catch (error) {
    verdict = error instanceof Stopped ? stopVerdict(error) : verdictOf(error, progress.startedMs() !== null);
  }
  if (!deps.stop.cancelRequested() || progress.isSettled()) return verdict;
  if (verdict.resultCode === "CANCELLED") return verdict;
  if (verdict.error !== null) deps.events.write("cancelled_with_error", { error: verdict.error });
  return stopVerdict(new Stopped("cancel"));
}

function stopVerdict({ reason }: Stopped): Verdict {
  if (reason === "cancel") return failed("CANCELLED", "CANCELLED", "execution was cancelled");
  if (reason === "timeout") return failed("EXECUTION_TIMEOUT", "EXECUTION_TIMEOUT", "execution timed out");
  const message = "The job lock was released or taken by somebody else while the job ran; it was stopped.";
  return failed("INTERNAL_ERROR", "LOCK_LOST", message);
}
