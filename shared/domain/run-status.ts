import type { NodeStatus, OutcomeStatus, RunStatus, TerminalStatus } from "./model.ts";

/**
 * Run status from its Node States, first match wins (wire-format §1.6): UNKNOWN, RUNNING, FAILED or BLOCKED,
 * CANCELLED, all SUCCESS; otherwise CREATED until the Run was started, RUNNING from then on.
 */
export function aggregateRunStatus(nodeStatuses: readonly NodeStatus[], startedAt: string | null): RunStatus {
  const any = (...wanted: readonly NodeStatus[]): boolean =>
    nodeStatuses.some((status) => wanted.includes(status));
  if (any("UNKNOWN")) return "UNKNOWN";
  if (any("RUNNING")) return "RUNNING";
  if (any("FAILED", "BLOCKED")) return "FAILED";
  if (any("CANCELLED")) return "CANCELLED";
  if (nodeStatuses.length > 0 && nodeStatuses.every((status) => status === "SUCCESS")) return "SUCCESS";
  return startedAt === null || startedAt === "" ? "CREATED" : "RUNNING";
}

/** True for a Run that will not change by itself: SUCCESS, FAILED, CANCELLED, UNKNOWN (orchestration §6.1). */
export function isTerminalRunStatus(status: RunStatus): status is TerminalStatus {
  return status !== "CREATED" && status !== "RUNNING";
}

const TRANSITIONS: Readonly<Record<NodeStatus, readonly NodeStatus[]>> = {
  WAITING: ["RUNNING", "BLOCKED"],
  RUNNING: ["WAITING", "SUCCESS", "FAILED", "CANCELLED", "UNKNOWN"],
  SUCCESS: ["WAITING"],
  BLOCKED: ["WAITING"],
  FAILED: ["WAITING"],
  CANCELLED: ["WAITING"],
  SKIPPED: [],
  UNKNOWN: ["SUCCESS", "FAILED", "CANCELLED"],
};

/**
 * Whether a Node State may go from one status to another (wire-format §1.6, orchestration §4.3). The same
 * status is always allowed. `matchingResolution`: a Resolution of the current Attempt is stored whose outcome
 * is the target; it opens FAILED to SUCCESS and CANCELLED. Back to WAITING from FAILED or CANCELLED needs an
 * idempotent node.
 */
export function nodeTransitionAllowed(
  from: NodeStatus,
  to: NodeStatus,
  node: { readonly idempotent: boolean; readonly matchingResolution: boolean },
): boolean {
  if (from === to) return true;
  if (from === "FAILED" && node.matchingResolution && (to === "SUCCESS" || to === "CANCELLED")) return true;
  if (!TRANSITIONS[from].includes(to)) return false;
  return to !== "WAITING" || (from !== "FAILED" && from !== "CANCELLED") || node.idempotent;
}

/** Attempt failures that give an Invocation its own result code (orchestration §4.4); `INPUT_PATH_REJECTED` does not. */
export const INVOCATION_IO_FAILURES = [
  "INPUT_FILE_MISSING",
  "INPUT_FILE_MUTATED",
  "OUTPUT_PATH_REJECTED",
] as const;
export type InvocationIoFailure = (typeof INVOCATION_IO_FAILURES)[number];

export interface InvocationEnd {
  readonly status: Exclude<OutcomeStatus, "RUNNING">;
  readonly resultCode: string;
}

/** Invocation ends that do not follow from the aggregate (orchestration §4.4). */
export const INVOCATION_ENDS = {
  stopRequested: { status: "CANCELLED", resultCode: "STOP_REQUESTED" },
  leaseInterrupted: { status: "CANCELLED", resultCode: "NETWORK_LEASE_INTERRUPTED" },
  schedulerFailed: { status: "FAILED", resultCode: "SCHEDULER_FAILED" },
} as const satisfies Readonly<Record<string, InvocationEnd>>;

/** How an Invocation ends whose walk came to its end (orchestration §4.4). `lastIoFailure`: the last of {@link INVOCATION_IO_FAILURES} that occurred. */
export function invocationResult(
  aggregate: RunStatus,
  lastIoFailure?: InvocationIoFailure | null,
): InvocationEnd {
  switch (aggregate) {
    case "SUCCESS":
      return { status: "SUCCESS", resultCode: "OK" };
    case "UNKNOWN":
      return { status: "UNKNOWN", resultCode: "NODE_RESULT_UNKNOWN" };
    case "FAILED":
      return { status: "FAILED", resultCode: lastIoFailure ?? "NODE_FAILED_OR_BLOCKED" };
    case "CANCELLED":
      return { status: "CANCELLED", resultCode: "NODE_CANCELLED" };
    case "CREATED":
    case "RUNNING":
      return { status: "CANCELLED", resultCode: "NODES_DEFERRED" };
  }
}
