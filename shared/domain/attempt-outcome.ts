import type { Attempt, NodeStatus, TerminalStatus } from "./model.ts";

/** What an Attempt came to and what its Node State becomes. */
export interface AttemptOutcome {
  readonly attemptStatus: TerminalStatus;
  readonly resultCode: string;
  readonly nodeStatus: Extract<NodeStatus, "WAITING" | "SUCCESS" | "FAILED" | "CANCELLED" | "UNKNOWN">;
  readonly nodeReason: string;
}

/** The end of an Attempt that provably ran no SQL: its number is used up, its node waits again (orchestration §4.5). */
export const PREPARE_FAILED = {
  attemptStatus: "CANCELLED",
  resultCode: "PREPARE_FAILED",
  nodeStatus: "WAITING",
  nodeReason: "PREPARE_FAILED",
} as const satisfies AttemptOutcome;

/**
 * The Node State a terminal Attempt stands for; null while it runs. The pair CANCELLED / PREPARE_FAILED means
 * WAITING: the peer's repair makes it CANCELLED and so excludes a node that never ran (W-24).
 */
export function nodeStatusOfAttempt({
  status,
  resultCode,
}: Pick<Attempt, "status" | "resultCode">): NodeStatus | null {
  if (status === "RUNNING") return null;
  return status === "CANCELLED" && resultCode === "PREPARE_FAILED" ? "WAITING" : status;
}
