import { type AttemptOutcome, PREPARE_FAILED } from "./attempt-outcome.ts";
import type { JobLogStatus, TerminalStatus } from "./model.ts";

const JOB_LOG_OUTCOMES: Readonly<Record<JobLogStatus, readonly [TerminalStatus, string] | null>> = {
  SUCCESS: ["SUCCESS", "OK"],
  NO_DATA: ["SUCCESS", "NO_DATA"],
  FAILED: ["FAILED", "FAILED"],
  ABORTED: ["FAILED", "ASSERT_FAILED"],
  TIMEOUT: ["FAILED", "EXECUTION_TIMEOUT"],
  CANCELLED: ["CANCELLED", "CANCELLED"],
  RUNNING: null,
  SKIPPED: null,
};

const isKnown = (status: string): status is JobLogStatus => Object.hasOwn(JOB_LOG_OUTCOMES, status);

/** What a JOB log status, in any case, says of its Attempt (orchestration §5.3); null: no record. Anything open is UNKNOWN. */
export function orphanOutcome(jobLogStatus: string | null): AttemptOutcome {
  const upper = jobLogStatus?.toUpperCase() ?? "";
  const [status, resultCode] = (isKnown(upper) ? JOB_LOG_OUTCOMES[upper] : null) ?? [
    "UNKNOWN",
    "NO_EXECUTION_RESULT",
  ];
  return { attemptStatus: status, resultCode, nodeStatus: status, nodeReason: resultCode };
}

export interface OrphanFacts {
  /** The orchestrator's start marker of the Attempt; null: no child was ever to be spawned. */
  readonly executionStartedAt: string | null;
  /** `ambiguous`: several records; `unreadable`: the lookup failed. */
  readonly jobLog:
    | { readonly kind: "none" }
    | { readonly kind: "found"; readonly status: string }
    | { readonly kind: "ambiguous" }
    | { readonly kind: "unreadable" };
  /** What this host's attempt journal and process table say; null on another host or without journal. */
  readonly local: {
    /** This host, in this boot, owned the Attempt. */
    readonly owned: boolean;
    /** The journal has a `spawned` line for it. */
    readonly spawned: boolean;
    /** A live process carries its attempt id; null: could not be told. */
    readonly alive: boolean | null;
  } | null;
}
export type OrphanVerdict =
  | ({ readonly kind: "settled" } & AttemptOutcome)
  /** The child still runs and may be writing: nothing is settled, the child is shown (W-03). */
  | { readonly kind: "child-running" }
  /** The JOB log gives no answer; nothing may be written (orchestration §5.3). */
  | { readonly kind: "unreadable" };

const NOT_EXECUTED: OrphanVerdict = { kind: "settled", ...PREPARE_FAILED };

/**
 * Adjudicates an Attempt left RUNNING by another Invocation (orchestration §5.3). Beyond the peer: a child seen
 * alive is waited for (W-03), an Attempt without start marker and JOB log never ran (W-04), and one with a
 * marker but no JOB log never ran only if this host and boot owned it, its journal knows of no spawn and no
 * live process carries its id; every doubt is UNKNOWN.
 */
export function orphanVerdict({ executionStartedAt, jobLog, local }: OrphanFacts): OrphanVerdict {
  if (jobLog.kind === "ambiguous" || jobLog.kind === "unreadable") return { kind: "unreadable" };
  const open = jobLog.kind === "none" || orphanOutcome(jobLog.status).attemptStatus === "UNKNOWN";
  if (open && local?.alive === true) return { kind: "child-running" };
  if (jobLog.kind === "found") return { kind: "settled", ...orphanOutcome(jobLog.status) };
  if (executionStartedAt === null) return NOT_EXECUTED;
  const neverSpawned = local?.owned === true && !local.spawned && local.alive === false;
  return neverSpawned ? NOT_EXECUTED : { kind: "settled", ...orphanOutcome(null) };
}
