import type { Attempt, NodeState, Resolution, ResolvedOutcome, RunStatus, Stored } from "./model.ts";
import type { Problem } from "./problem.ts";
import {
  planResolve,
  type ResolveConsequences,
  type ResolveWish,
  resolveConsequences,
} from "./resolve-node.ts";
import { aggregateRunStatus } from "./run-status.ts";
import { sqlStartOf, type UnknownFacts } from "./unknown-evidence.ts";

export const RESOLVED_OUTCOMES = [
  "SUCCESS",
  "FAILED",
  "CANCELLED",
] as const satisfies readonly ResolvedOutcome[];

/** What the evidence says of one outcome, before anybody looked at the business data. */
export const STANCES = ["supports", "contradicts", "silent"] as const;
export type Stance = (typeof STANCES)[number];

export interface PermittedOutcome extends ResolveConsequences {
  readonly outcome: ResolvedOutcome;
  /** Why it may not be chosen whatever is written into the form; null: it may. */
  readonly problem: Problem | null;
  /** It has to be said that somebody saw the work complete (orchestration §5.4, rule 3). */
  readonly needsCompletion: boolean;
  /** A second person has to agree (rule 7). */
  readonly needsApprover: boolean;
  /** That what was written has been undone may be said (rules 2 and 4). */
  readonly mayCompensate: boolean;
  readonly stance: Stance;
  /** As the Run will stand once this is recorded (W-21). */
  readonly runStatusAfter: RunStatus;
}

export interface OutcomeFacts {
  readonly nodeId: string;
  readonly startedAt: string | null;
  readonly states: readonly Stored<NodeState>[];
  readonly attempts: readonly Stored<Attempt>[];
  readonly resolutions: readonly Resolution[];
  /** Null when nothing was read of the attempt. */
  readonly evidence: UnknownFacts | null;
}

/** A form filled in everywhere: what is refused now is refused by the records, not by the form. */
const FILLED = {
  compensation: false,
  reason: "-",
  evidenceRef: "-",
  stopConfirmedBy: "-",
  stopEvidenceRef: "-",
  requestedBy: "requester",
  servicePrincipal: "service",
  approvedBy: "approver",
  resolvedAt: "1970-01-01T00:00:00.000Z",
} as const satisfies Partial<ResolveWish>;

/** Nobody can confirm the stop of a child that runs; the rules of the records know nothing of processes. */
export const CHILD_RUNNING: Problem = {
  code: "ATTEMPT_CHILD_RUNNING",
  message:
    "The job of this attempt still runs on this host and may be writing; its outcome is not settled yet.",
  place: "child",
  remedy: "Wait until it has ended, or stop it, then read the evidence anew.",
};

/**
 * Which outcomes may be chosen for a node, and what each of them brings: decided by the rules that the execution keeps
 * (orchestration §5.4, rules 2 to 9, W-05, W-08, W-08b), with a form that is filled in everywhere.
 */
export function permittedOutcomes(facts: OutcomeFacts): readonly PermittedOutcome[] {
  const { nodeId, states, attempts, resolutions, evidence } = facts;
  const state = states.find((each) => each.nodeId === nodeId);
  return RESOLVED_OUTCOMES.map((outcome) => {
    const success = outcome === "SUCCESS";
    const plan = planResolve(
      { ...FILLED, nodeId, outcome, manualCompletion: success },
      {
        states: states.filter((each) => each.nodeId === nodeId),
        attempts: attempts.filter((each) => each.nodeId === nodeId),
        resolutions,
      },
    );
    const alive = evidence?.child.kind === "alive" ? CHILD_RUNNING : null;
    const after = states.map((each) => (each.nodeId === nodeId ? outcome : each.status));
    return {
      outcome,
      problem: plan.ok ? alive : plan.error,
      needsCompletion: success,
      needsApprover: success && state?.idempotent === false,
      mayCompensate: !success,
      stance: stanceOf(outcome, evidence),
      runStatusAfter: aggregateRunStatus(after, facts.startedAt),
      ...resolveConsequences(outcome, { idempotent: state?.idempotent ?? true }),
    };
  });
}

/** The end that log or result tell, if either tells one. */
function toldEnd({ jobLog, resultFile }: UnknownFacts): ResolvedOutcome | null {
  const log = jobLog.kind === "found" ? jobLog.status.toUpperCase() : "";
  if (log === "SUCCESS" || log === "NO_DATA") return "SUCCESS";
  if (log === "FAILED" || log === "ABORTED" || log === "TIMEOUT") return "FAILED";
  if (log === "CANCELLED") return "CANCELLED";
  const status = resultFile.kind === "valid" ? resultFile.status : "";
  return RESOLVED_OUTCOMES.find((each) => each === status) ?? null;
}

/**
 * Whether the evidence speaks for an outcome. An end that was told supports itself; a SQL that never started contradicts
 * a success and supports the other two; a SQL that started and told no end says nothing: the business data does.
 */
function stanceOf(outcome: ResolvedOutcome, evidence: UnknownFacts | null): Stance {
  if (evidence === null) return "silent";
  const told = toldEnd(evidence);
  if (told !== null) return told === outcome ? "supports" : "contradicts";
  const { kind } = evidence.jobLog;
  const neverStarted = (kind === "found" || kind === "none") && sqlStartOf(evidence) === null;
  if (!neverStarted) return "silent";
  return outcome === "SUCCESS" ? "contradicts" : "supports";
}
