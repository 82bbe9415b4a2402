import type { Attempt, NodeState, Resolution, Stored } from "./model.ts";
import type { Finding } from "./reconciliation-finding.ts";
import { blocking, type NodeRecords, repairable } from "./reconciliation-node.ts";

/** True for history: no resume of ours rests on it, but the peer would stop at it. */
function history(finding: Finding): Finding {
  return { ...finding, severity: "notice" };
}

function appliedFinding(state: Stored<NodeState>, attempt: Attempt, latest: Resolution): Finding | null {
  const { nodeId, status, idempotent } = state;
  if (status === latest.outcome) return null;
  const resolvable =
    status === "UNKNOWN" || (status === "FAILED" && !idempotent && attempt.status === "FAILED");
  if (resolvable) {
    const detail = `The Attempt was resolved to ${latest.outcome}; the state still says ${status}.`;
    return repairable("ATTEMPT_RESOLUTION_PENDING_APPLY", nodeId, detail, [attempt], {
      type: "ATTEMPT_RESOLUTION_APPLIED",
      status: latest.outcome,
      statusReason: latest.resolutionType,
    });
  }
  const detail = `The Attempt was resolved to ${latest.outcome}, but the state is ${status}.`;
  const finding = blocking("RESOLUTION_STATE_NOT_UNKNOWN", nodeId, detail, [attempt]);
  // An idempotent node set back to wait for its retry after the resolution was applied: nothing contradicts (W-05).
  const retryPending = idempotent && (status === "WAITING" || status === "BLOCKED");
  return retryPending ? history(finding) : finding;
}

function attemptFindings(
  state: Stored<NodeState>,
  attempts: readonly Attempt[],
  attempt: Attempt,
  resolutions: readonly Resolution[],
  unsafe: boolean,
): readonly Finding[] {
  const { nodeId } = state;
  const current = attempts.every((other) => other.attemptNo <= attempt.attemptNo);
  const old = (finding: Finding): Finding => (current ? finding : history(finding));
  if (new Set(resolutions.map((resolution) => resolution.outcome)).size > 1) {
    const detail = "The Attempt was resolved more than once, to different outcomes.";
    return [old(blocking("CONFLICTING_ATTEMPT_RESOLUTIONS", nodeId, detail, [attempt]))];
  }
  if (attempt.status !== "UNKNOWN" && attempt.status !== "FAILED") {
    const detail = `The Attempt was resolved although it is ${attempt.status}.`;
    return [old(blocking("RESOLUTION_ATTEMPT_NOT_UNKNOWN", nodeId, detail, [attempt]))];
  }
  if (!current || unsafe) {
    const detail = current
      ? "The resolved Attempt's node cannot be judged."
      : "The resolved Attempt is not the latest of its node; the resolution is history.";
    return [old(blocking("RESOLUTION_NOT_CURRENT_ATTEMPT", nodeId, detail, [attempt]))];
  }
  const latest = resolutions.toSorted((a, b) => (a.resolvedAt < b.resolvedAt ? 1 : -1))[0];
  const finding = latest === undefined ? null : appliedFinding(state, attempt, latest);
  return finding === null ? [] : [finding];
}

/**
 * Findings about the Resolutions of one node's Attempts (orchestration §6.2). Resolutions of Attempts that are
 * not the latest are history for us; the peer refuses every resume over them (W-05).
 */
export function resolutionFindings(
  { state, attempts }: NodeRecords,
  unsafe: boolean,
  resolutions: readonly Resolution[],
): readonly Finding[] {
  if (state === null) return [];
  return attempts.flatMap((attempt) => {
    const own = resolutions.filter((resolution) => resolution.attemptId === attempt.attemptId);
    return own.length === 0 ? [] : attemptFindings(state, attempts, attempt, own, unsafe);
  });
}
