import { type AttentionItem, attentionItem } from "./attention.ts";
import { type AttentionFact, countFact, minuteFact, textFact } from "./attention-fact.ts";
import type { RunPicture, RunRecordsRead } from "./attention-picture.ts";
import type { Attempt, NodeState } from "./model.ts";
import { type FailureStreak, failureStreak, parseRetryBrakeReason, retryBrake } from "./retry-brake.ts";

const attemptsOf = (records: RunRecordsRead, nodeId: string): readonly Attempt[] =>
  records.attempts.filter((attempt) => attempt.nodeId === nodeId);

/** The Attempt a state speaks of: the active one, else the one with the latest number. */
function currentAttempt(records: RunRecordsRead, state: NodeState): Attempt | null {
  const own = attemptsOf(records, state.nodeId);
  return (
    own.find((attempt) => attempt.attemptId === state.activeAttemptId) ??
    own.toSorted((a, b) => b.attemptNo - a.attemptNo)[0] ??
    null
  );
}

/** One item a node whose result nobody knows; one for the Run as long as its nodes were not read. */
export function unknownItems({ run, records }: RunPicture): readonly AttentionItem[] {
  const about = { networkId: run.networkId, runId: run.runId, businessKey: run.businessKey };
  const states = records?.states.filter((state) => state.status === "UNKNOWN") ?? [];
  if (records === null || states.length === 0) {
    return [
      attentionItem("unknown", {
        id: `unknown:${run.runId}`,
        ...about,
        since: { at: run.updatedAt, precision: "minute" },
        facts: [textFact("runStatus", run.status), textFact("notRead", null)],
      }),
    ];
  }
  return states.map((state) => {
    const attempt = currentAttempt(records, state);
    return attentionItem("unknown", {
      id: `unknown:${run.runId}:${state.nodeId}`,
      ...about,
      nodeId: state.nodeId,
      attemptId: attempt?.attemptId ?? null,
      attemptNo: attempt?.attemptNo ?? null,
      code: attempt?.resultCode ?? state.statusReason,
      since: { at: attempt?.finishedAt ?? state.updatedAt, precision: "minute" },
      facts: attempt === null ? [textFact("statusReason", state.statusReason)] : attemptFacts(attempt),
    });
  });
}

function attemptFacts(attempt: Attempt): readonly AttentionFact[] {
  return [
    textFact("resultCode", attempt.resultCode),
    minuteFact("startMarker", attempt.executionStartedAt),
    minuteFact("sqlStarted", attempt.runnerExecutionStartedAt),
    countFact("written", attempt.writtenCount),
    countFact("chunk", attempt.lastSuccessfulChunkNo),
    textFact("lastKey", attempt.lastWrittenKey),
    textFact("attemptId", attempt.attemptId),
    textFact("invocationId", attempt.invocationId),
  ];
}

interface FailedNode {
  readonly state: NodeState;
  readonly attempt: Attempt | null;
  readonly braked: FailureStreak | null;
}

/** The brake as the last resume wrote it, else as the next one would find it (orchestration §4.6). */
function brakeOf(records: RunRecordsRead, state: NodeState): FailureStreak | null {
  const written = parseRetryBrakeReason(state.statusReason);
  if (written !== null || !state.idempotent) return written;
  return retryBrake(attemptsOf(records, state.nodeId));
}

/** One item a failed Run: the braked node if there is one, else the first that failed; the others are counted. */
export function failedItem({ run, records }: RunPicture): AttentionItem {
  const parts = {
    id: `failed:${run.runId}`,
    networkId: run.networkId,
    runId: run.runId,
    businessKey: run.businessKey,
    since: { at: run.finishedAt ?? run.updatedAt, precision: "minute" },
  } as const;
  const nodes: readonly FailedNode[] =
    records?.states
      .filter((state) => state.status === "FAILED")
      .map((state) => ({
        state,
        attempt: currentAttempt(records, state),
        braked: brakeOf(records, state),
      })) ?? [];
  const node = nodes.find(({ braked }) => braked !== null) ?? nodes[0];
  if (records === null || node === undefined) {
    const facts = [
      textFact("runStatus", run.status),
      ...(records === null ? [textFact("notRead", null)] : []),
    ];
    return attentionItem("failed", { ...parts, facts });
  }
  const streak = node.braked ?? failureStreak(attemptsOf(records, node.state.nodeId));
  const blocked = records.states.filter((state) => state.status === "BLOCKED").length;
  return attentionItem(node.braked === null ? "failed" : "retryBrake", {
    ...parts,
    nodeId: node.state.nodeId,
    attemptId: node.attempt?.attemptId ?? null,
    attemptNo: node.attempt?.attemptNo ?? null,
    code: streak?.code ?? node.attempt?.resultCode ?? node.state.statusReason,
    repeated: streak !== null && streak.count > 1 ? streak.count : null,
    facts: [
      textFact("statusReason", node.state.statusReason),
      ...(node.attempt === null ? [] : attemptFacts(node.attempt)),
      countFact("otherNodes", nodes.length - 1),
      countFact("blockedNodes", blocked),
    ],
  });
}
