import type { Attempt, NodeState, Resolution, ResolutionType, ResolvedOutcome, Stored } from "./model.ts";
import { fail, ok, type Result } from "./problem.ts";

/** What a person says about a node whose outcome nobody could prove (orchestration §5.4). */
export interface ResolveWish {
  readonly nodeId: string;
  readonly outcome: ResolvedOutcome;
  readonly manualCompletion: boolean;
  readonly compensation: boolean;
  readonly reason: string;
  readonly evidenceRef: string;
  readonly stopConfirmedBy: string;
  readonly stopEvidenceRef: string;
  readonly approvedBy: string | null;
  readonly requestedBy: string;
  readonly servicePrincipal: string;
  /** ISO-8601 UTC with milliseconds; part of the Resolution's key. */
  readonly resolvedAt: string;
}

export interface ResolveFacts {
  /** Node States of this node; exactly one in a sound Run. */
  readonly states: readonly Stored<NodeState>[];
  /** Attempts of this node. */
  readonly attempts: readonly Stored<Attempt>[];
  /** Resolutions of these Attempts. */
  readonly resolutions: readonly Resolution[];
}

export interface ResolvePlan {
  readonly state: Stored<NodeState>;
  readonly attempt: Stored<Attempt>;
  readonly resolution: Resolution;
  /** The Node State afterwards; the Attempt is never changed. */
  readonly next: NodeState;
}

const TYPES = {
  manual: "NODE_MANUAL_COMPLETION_CONFIRMED",
  compensation: "NODE_COMPENSATION_COMPLETED",
  plain: "OUTCOME_CONFIRMED",
} as const satisfies Readonly<Record<string, ResolutionType>>;

/** How the wish reads on the wire; compensation and manual completion exclude each other. */
export function resolutionType(wish: Pick<ResolveWish, "manualCompletion" | "compensation">): ResolutionType {
  if (wish.manualCompletion) return TYPES.manual;
  return wish.compensation ? TYPES.compensation : TYPES.plain;
}

const blank = (text: string | null): boolean => (text ?? "").trim() === "";
const refuse = <T>(code: string, message: string, place: string, remedy: string): Result<T> =>
  fail({ code, message, place, remedy });

/**
 * The rules that need no record (orchestration §5.4, 1 to 4). Codes `AUDIT_INPUT_REQUIRED`,
 * `COMPENSATION_CANNOT_SUCCEED`, `MANUAL_COMPLETION_REQUIRED`, `MANUAL_COMPLETION_REQUIRES_SUCCESS`.
 */
export function checkResolveInputs(wish: ResolveWish): Result<null> {
  const fields = [
    "reason",
    "evidenceRef",
    "stopConfirmedBy",
    "stopEvidenceRef",
    "requestedBy",
    "servicePrincipal",
  ] as const;
  const missing = fields.filter((field) => blank(wish[field]));
  if (missing.length > 0) {
    return refuse(
      "AUDIT_INPUT_REQUIRED",
      `Left blank: ${missing.join(", ")}. A decision nobody can trace is none.`,
      missing[0] ?? "",
      "Fill in every field.",
    );
  }
  const success = wish.outcome === "SUCCESS";
  if (wish.compensation && success) {
    return refuse(
      "COMPENSATION_CANNOT_SUCCEED",
      "A compensated node has been undone; it cannot count as a success.",
      "compensation",
      "Resolve it to FAILED or CANCELLED.",
    );
  }
  if (success && !wish.manualCompletion) {
    return refuse(
      "MANUAL_COMPLETION_REQUIRED",
      "SUCCESS says that somebody saw the work complete; that has to be said.",
      "manualCompletion",
      "Confirm the completion, or choose another outcome.",
    );
  }
  if (!success && wish.manualCompletion) {
    return refuse(
      "MANUAL_COMPLETION_REQUIRES_SUCCESS",
      "A completion can only be confirmed as SUCCESS.",
      "manualCompletion",
      "Choose SUCCESS, or withdraw the confirmation.",
    );
  }
  return ok(null);
}

/** True when the two name the same person; the peer compares texts, people add blanks and capitals. */
const samePerson = (a: string, b: string): boolean =>
  a.trim().normalize("NFKC").toLowerCase() === b.trim().normalize("NFKC").toLowerCase();

function checkApprover(wish: ResolveWish, state: NodeState): Result<null> {
  if (state.idempotent || wish.outcome !== "SUCCESS") return ok(null);
  const { approvedBy } = wish;
  if (approvedBy !== null && !blank(approvedBy)) {
    const others = [wish.requestedBy, wish.servicePrincipal];
    if (!others.some((person) => samePerson(person, approvedBy))) return ok(null);
  }
  return refuse(
    "DISTINCT_APPROVER_REQUIRED",
    "A node that must not run twice becomes SUCCESS only with a second person's word.",
    "approvedBy",
    "Name an approver who is neither the requester nor the service account.",
  );
}

function currentAttempt(state: NodeState, attempts: readonly Stored<Attempt>[]): Result<Stored<Attempt>> {
  const current = attempts.filter((attempt) => attempt.attemptNo === state.latestAttemptNo);
  const [attempt] = current;
  if (attempt === undefined || current.length !== 1) {
    return refuse(
      "CURRENT_ATTEMPT_NOT_UNIQUE",
      `Attempt ${state.latestAttemptNo} of ${state.nodeId} is stored ${current.length} times, not once.`,
      state.nodeId,
      "Look at the records; nothing was written.",
    );
  }
  if (attempt.status !== state.status) {
    return refuse(
      "STATE_ATTEMPT_MISMATCH",
      `The node says ${state.status}, its latest Attempt ${attempt.status}.`,
      state.nodeId,
      "Resume the Run once, so that the records agree, then decide.",
    );
  }
  return ok(attempt);
}

/** A second, differing word about one Attempt would stop every resume of the peer for ever (W-08). */
function checkFinal(wish: ResolveWish, attempt: Attempt, resolutions: readonly Resolution[]): Result<null> {
  const other = resolutions.find(
    ({ attemptId, outcome }) => attemptId === attempt.attemptId && outcome !== wish.outcome,
  );
  if (other === undefined) return ok(null);
  return refuse(
    "RESOLUTION_FINAL",
    `This attempt was resolved to ${other.outcome} before, and such a choice is final.`,
    wish.nodeId,
    "Run the node anew, or close the Run.",
  );
}

/**
 * What resolving a node writes (orchestration §5.4, rules 5 to 9, and W-08). Codes `NODE_STATE_NOT_UNIQUE`,
 * `NODE_NOT_RESOLVABLE`, `DISTINCT_APPROVER_REQUIRED`, `CURRENT_ATTEMPT_NOT_UNIQUE`, `STATE_ATTEMPT_MISMATCH`,
 * `RESOLUTION_FINAL`, after those of {@link checkResolveInputs}.
 */
export function planResolve(wish: ResolveWish, facts: ResolveFacts): Result<ResolvePlan> {
  const inputs = checkResolveInputs(wish);
  if (!inputs.ok) return inputs;
  const [state] = facts.states;
  if (state === undefined || facts.states.length !== 1) {
    return refuse(
      "NODE_STATE_NOT_UNIQUE",
      `The Run has ${facts.states.length} states of this node, not one.`,
      wish.nodeId,
      "Check the node's name; nothing was written.",
    );
  }
  const resolvable = state.status === "UNKNOWN" || (state.status === "FAILED" && !state.idempotent);
  if (!resolvable) {
    return refuse(
      "NODE_NOT_RESOLVABLE",
      `The node is ${state.status}; only an unknown outcome, or the failure of a node that must not run twice, is a person's to decide.`,
      wish.nodeId,
      "Resume or rerun it instead.",
    );
  }
  const approver = checkApprover(wish, state);
  if (!approver.ok) return approver;
  const attempt = currentAttempt(state, facts.attempts);
  if (!attempt.ok) return attempt;
  const final = checkFinal(wish, attempt.value, facts.resolutions);
  if (!final.ok) return final;
  return ok({ state, attempt: attempt.value, ...resolved(wish, state, attempt.value) });
}

function resolved(
  wish: ResolveWish,
  state: Stored<NodeState>,
  attempt: Attempt,
): Pick<ResolvePlan, "resolution" | "next"> {
  const type = resolutionType(wish);
  const { ref, ...before } = state;
  return {
    resolution: {
      attemptId: attempt.attemptId,
      outcome: wish.outcome,
      evidenceRef: wish.evidenceRef,
      servicePrincipal: wish.servicePrincipal,
      requestedBy: wish.requestedBy,
      approvedBy: wish.approvedBy,
      resolutionType: type,
      reason: wish.reason,
      stopConfirmedBy: wish.stopConfirmedBy,
      stopEvidenceRef: wish.stopEvidenceRef,
      resolvedAt: wish.resolvedAt,
    },
    next: {
      ...before,
      status: wish.outcome,
      revision: ref.revision + 1,
      activeAttemptId: null,
      statusReason: type,
      finishedAt: state.finishedAt ?? wish.resolvedAt,
      updatedAt: wish.resolvedAt,
    },
  };
}

/**
 * What choosing an outcome closes off, to be said before it is chosen (W-05, W-08, W-08b). Every choice is final: a
 * second, differing word about the same Attempt is refused.
 */
export interface ResolveConsequences {
  /** The next resume runs the node again. */
  readonly retriedByResume: boolean;
  /** kSQL-FlowNet 1.0.0 resumes such a Run only once more, then refuses for ever (W-05). */
  readonly peerResumesOnceMore: boolean;
  /** The node never runs again; what depends on it stays blocked and only closing the Run remains (W-08b). */
  readonly onlyCloseRemains: boolean;
}

/** The consequences of one outcome for one node (orchestration §5.4, §11.1 A). */
export function resolveConsequences(
  outcome: ResolvedOutcome,
  node: Pick<NodeState, "idempotent">,
): ResolveConsequences {
  const undone = outcome !== "SUCCESS";
  const retried = undone && node.idempotent;
  return {
    retriedByResume: retried,
    peerResumesOnceMore: retried,
    onlyCloseRemains: undone && !node.idempotent,
  };
}
