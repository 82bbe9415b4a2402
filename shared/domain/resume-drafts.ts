import type { AttemptOutcome } from "./attempt-outcome.ts";
import type { Attempt, NodeState, Stored } from "./model.ts";

/** What the JOB log, this host and the result file say of an orphaned Attempt once it is judged (orchestration §5.3). */
export interface OrphanEnd extends AttemptOutcome {
  /** Of the JOB log or the result; null: the time of the judgement. */
  readonly finishedAt: string | null;
  readonly executionId: string | null;
  readonly durationSec: number | null;
  readonly readCount: number | null;
  readonly writtenCount: number | null;
  readonly lastSuccessfulChunkNo: number | null;
  readonly lastWrittenKey: string | null;
  readonly errorMessage: string | null;
}

/** A repair as the audit tells it (wire-format §1.5); the shell gives it its event id. */
export interface RepairNote {
  readonly repairType:
    | "TERMINAL_ATTEMPT_APPLIED"
    | "ATTEMPT_RESOLUTION_APPLIED"
    | "RUN_AGGREGATE_RECOMPUTED"
    | "INVOCATION_FINALIZED";
  readonly targetType: "NODE_STATE" | "NETWORK_RUN" | "RUN_INVOCATION";
  readonly targetId: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly basis: string;
}

/**
 * The records of a Run as a resume will leave them. Several steps may touch one record, and one request may write it
 * only once (fenced-writes R9): they are taken here, and what differs in the end is written.
 */
export interface Drafts {
  state(nodeId: string): NodeState | undefined;
  setState(nodeId: string, change: Partial<NodeState>): void;
  endAttempt(attemptId: string, change: Partial<Attempt>): void;
  /** As they will be, in the order they were given. */
  states(): readonly NodeState[];
  attempts(): readonly Attempt[];
  changedStates(at: string): readonly { readonly before: Stored<NodeState>; readonly next: NodeState }[];
  changedAttempts(): readonly { readonly before: Stored<Attempt>; readonly next: Attempt }[];
}

/** Drafts over what was read. */
export function createDrafts(
  states: readonly Stored<NodeState>[],
  attempts: readonly Stored<Attempt>[],
): Drafts {
  const stateDrafts = new Map<string, NodeState>(states.map((state) => [state.nodeId, state]));
  const attemptDrafts = new Map<string, Attempt>(attempts.map((attempt) => [attempt.attemptId, attempt]));
  return {
    state: (nodeId) => stateDrafts.get(nodeId),
    setState(nodeId, change) {
      const before = stateDrafts.get(nodeId);
      if (before !== undefined) stateDrafts.set(nodeId, { ...before, ...change });
    },
    endAttempt(attemptId, change) {
      const before = attemptDrafts.get(attemptId);
      if (before !== undefined) attemptDrafts.set(attemptId, { ...before, ...change });
    },
    states: () => states.map((state) => stateDrafts.get(state.nodeId) ?? state),
    attempts: () => attempts.map((attempt) => attemptDrafts.get(attempt.attemptId) ?? attempt),
    changedStates: (at) =>
      states.flatMap((before) => {
        const draft = stateDrafts.get(before.nodeId);
        if (draft === undefined || draft === before) return [];
        const { ref: _ref, ...bare } = { ...draft, ref: before.ref };
        return [{ before, next: { ...bare, revision: before.ref.revision + 1, updatedAt: at } }];
      }),
    changedAttempts: () =>
      attempts.flatMap((before) => {
        const draft = attemptDrafts.get(before.attemptId);
        if (draft === undefined || draft === before) return [];
        const { ref: _ref, ...next } = { ...draft, ref: before.ref };
        return [{ before, next }];
      }),
  };
}

/** A node set back to wait for its turn (orchestration §4.1 step 4). */
export const WAITING_AGAIN: Partial<NodeState> = {
  status: "WAITING",
  activeAttemptId: null,
  blockedBy: [],
  statusReason: null,
  finishedAt: null,
};
