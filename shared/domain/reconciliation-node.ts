import { nodeStatusOfAttempt } from "./attempt-outcome.ts";
import type { Attempt, NodeState, NodeStatus, RecordEdit, Stored } from "./model.ts";
import type { Finding, FindingCode, Repair } from "./reconciliation-finding.ts";

export interface NodeRecords {
  readonly nodeId: string;
  readonly state: Stored<NodeState> | null;
  readonly attempts: readonly Attempt[];
  /** Whom kintone names as the last to change the state. */
  readonly edit?: RecordEdit | undefined;
}

/** A finding that stops everybody's resume. */
export function blocking(
  code: FindingCode,
  nodeId: string,
  detail: string,
  attempts: readonly Pick<Attempt, "attemptId">[] = [],
): Finding {
  const attemptIds = attempts.map((attempt) => attempt.attemptId);
  return { code, nodeId, detail, attemptIds, severity: "blocking", peerBlocks: true, repair: null };
}

/** A finding that is repaired before a resume goes on. */
export function repairable(
  code: FindingCode,
  nodeId: string,
  detail: string,
  attempts: readonly Pick<Attempt, "attemptId">[],
  repair: Repair,
  peerBlocks = false,
): Finding {
  const attemptIds = attempts.map((attempt) => attempt.attemptId);
  return { code, nodeId, detail, attemptIds, severity: "repairable", peerBlocks, repair };
}

/** True for the one wreck of W-01: the Attempt was inserted, the process died, nothing was ever started. */
function neverStarted(state: Stored<NodeState>, attempt: Attempt): boolean {
  return (
    attempt.status === "RUNNING" &&
    attempt.executionStartedAt === null &&
    attempt.stateRevisionBefore === state.revision &&
    state.status === "WAITING" &&
    state.latestAttemptNo === attempt.attemptNo - 1
  );
}

/** A hint where to ask, in words that claim no more: kintone keeps the last name only, and a token's is no person's. */
const editedBy = ({ code, name, at }: RecordEdit): string =>
  ` kintone names ${name} (${code}) as the last to change it${at === null ? "" : `, at ${at}`}; that is no proof.`;

/** Revisions tell the order of writes; where they do not, nothing else about the node can be judged. */
function revisionFindings(
  state: Stored<NodeState>,
  attempts: readonly Attempt[],
  edit: RecordEdit | undefined,
): readonly Finding[] {
  const { nodeId, revision, ref } = state;
  const findings: Finding[] = [];
  const later = attempts.filter((attempt) => (attempt.stateRevisionBefore ?? 0) > revision);
  if (revision !== ref.revision) {
    const detail = `The state counts revision ${revision}, kintone ${ref.revision}: it was changed by something else.${edit === undefined ? "" : editedBy(edit)}`;
    findings.push(blocking("REVISION_SERIES_INVERTED", nodeId, detail));
  }
  if (later.length > 0) {
    const detail = `An Attempt was made on a later revision than the state's ${revision}.`;
    findings.push(blocking("REVISION_SERIES_INVERTED", nodeId, detail, later));
  }
  const undetermined = attempts.filter(
    ({ stateRevisionBefore }) => stateRevisionBefore === null || stateRevisionBefore === revision,
  );
  const [wreck, ...others] = undetermined;
  if (wreck === undefined) return findings;
  const detail = "The order of the Attempt and the state cannot be told.";
  if (others.length === 0 && findings.length === 0 && neverStarted(state, wreck)) {
    const { attemptId, attemptNo } = wreck;
    const repair: Repair = { type: "UNSTARTED_ATTEMPT_WITHDRAWN", attemptId, attemptNo };
    return [repairable("REVISION_SERIES_UNDETERMINED", nodeId, detail, [wreck], repair, true)];
  }
  return [...findings, blocking("REVISION_SERIES_UNDETERMINED", nodeId, detail, undetermined)];
}

const TERMINAL: readonly NodeStatus[] = ["SUCCESS", "FAILED", "CANCELLED", "UNKNOWN"];

function activeFindings(state: Stored<NodeState>, attempts: readonly Attempt[]): readonly Finding[] {
  const { nodeId, status, activeAttemptId } = state;
  if (activeAttemptId === null) {
    if (status !== "RUNNING") return [];
    return [blocking("ACTIVE_ATTEMPT_ID_MISSING", nodeId, "The state is RUNNING without an active Attempt.")];
  }
  const [active, ...others] = attempts.filter((attempt) => attempt.attemptId === activeAttemptId);
  if (active === undefined || others.length > 0) {
    const detail = `The active Attempt ${activeAttemptId} exists ${others.length + (active === undefined ? 0 : 1)} times.`;
    return [blocking("ACTIVE_ATTEMPT_NOT_FOUND", nodeId, detail)];
  }
  const applied = nodeStatusOfAttempt(active);
  if (applied === null) {
    if (status === "RUNNING") return [];
    const detail = `The state is ${status} while its active Attempt is RUNNING.`;
    const code = TERMINAL.includes(status)
      ? "STATE_TERMINAL_ATTEMPT_RUNNING"
      : "STATE_ATTEMPT_STATUS_MISMATCH";
    return [blocking(code, nodeId, detail, [active])];
  }
  if (status === "RUNNING" || status === applied) {
    const detail = `The Attempt ended as ${active.status} / ${active.resultCode}; the state does not show it yet.`;
    const repair: Repair = {
      type: "TERMINAL_ATTEMPT_APPLIED",
      status: applied,
      statusReason: active.resultCode,
    };
    return [repairable("TERMINAL_ATTEMPT_PENDING_APPLY", nodeId, detail, [active], repair)];
  }
  const detail = `The state is ${status}, its active Attempt ${active.status}.`;
  return [blocking("STATE_ATTEMPT_STATUS_MISMATCH", nodeId, detail, [active])];
}

/**
 * Findings about one node's state and Attempts (orchestration §6.2). `unsafe`: the revisions cannot be
 * trusted, later checks are skipped.
 */
export function nodeFindings({ nodeId, state, attempts, edit }: NodeRecords): {
  readonly findings: readonly Finding[];
  readonly unsafe: boolean;
} {
  if (state === null) {
    const detail = "There are Attempts of a node that has no state.";
    return { findings: [blocking("ATTEMPT_NODE_STATE_MISSING", nodeId, detail, attempts)], unsafe: true };
  }
  const running = attempts.filter((attempt) => attempt.status === "RUNNING");
  const many =
    running.length > 1
      ? [blocking("MULTIPLE_RUNNING_ATTEMPTS", nodeId, `${running.length} Attempts are RUNNING.`, running)]
      : [];
  const revisions = revisionFindings(state, attempts, edit);
  const unsafe = revisions.length > 0;
  return { findings: [...many, ...revisions, ...(unsafe ? [] : activeFindings(state, attempts))], unsafe };
}
