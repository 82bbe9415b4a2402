import type { NodeStatus, Run } from "./model.ts";
import { aggregateRunStatus, isTerminalRunStatus } from "./run-status.ts";

/** What of a Run follows from its nodes. */
export type RunAggregate = Pick<Run, "status" | "startedAt" | "finishedAt">;

/**
 * The Run's aggregate over its nodes as they will be (orchestration §4.4), or null when nothing about the Run would
 * differ: it is written only if it changes (W-06, fenced-writes §3). `starting`: its first node starts `at` (ISO UTC).
 */
export function nextAggregate(
  run: RunAggregate,
  after: readonly NodeStatus[],
  at: string,
  options: { readonly starting?: boolean } = {},
): RunAggregate | null {
  const startedAt = run.startedAt ?? (options.starting === true ? at : null);
  const status = aggregateRunStatus(after, startedAt);
  const ended = isTerminalRunStatus(status);
  // A terminal Run that stays as it is keeps the time it ended at.
  const finishedAt = ended ? (status === run.status && run.finishedAt !== null ? run.finishedAt : at) : null;
  if (status === run.status && startedAt === run.startedAt && finishedAt === run.finishedAt) return null;
  return { status, startedAt, finishedAt };
}
