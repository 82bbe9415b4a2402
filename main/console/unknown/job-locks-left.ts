import type { RecoveryPicture } from "../../../shared/api/index.ts";
import type { Attempt } from "../../../shared/domain/model.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import type { FlowReads, JobLogLookup } from "../../store/index.ts";
import { lookUp } from "./facts.ts";

interface JobLocksLeft {
  readonly locks: RecoveryPicture["jobLocks"];
  /** Why there may be more; null: these are all. */
  readonly problem: Problem | null;
}

/** JOB logs asked at once. */
const LOGS_AT_ONCE = 20;

/**
 * The locks of jobs that never told their end: the record of a running job is its lock, and outlives a killed one
 * (execution-contract §7.2). A log that cannot be read may be one. Never rejects.
 */
export async function jobLocksLeft(
  reads: Pick<FlowReads, "findJobLog">,
  attempts: readonly Attempt[],
  signal: AbortSignal | undefined,
): Promise<JobLocksLeft> {
  const open = attempts.filter(({ status }) => status === "UNKNOWN" || status === "RUNNING");
  const locks: RecoveryPicture["jobLocks"][number][] = [];
  const problems: Problem[] = [];
  for (let at = 0; at < open.length; at += LOGS_AT_ONCE) {
    const asked = open.slice(at, at + LOGS_AT_ONCE);
    const lookups = await Promise.all(asked.map(({ attemptId }) => lookUp({ reads }, attemptId, signal)));
    for (const [index, { attemptId, nodeId, attemptNo }] of asked.entries()) {
      const lookup = lookups[index];
      if (lookup?.kind === "found" && lookup.log.jobKey) {
        locks.push({ jobKey: lookup.log.jobKey, nodeId, attemptNo });
      }
      const problem = lookup === undefined ? null : problemOf(lookup, attemptId);
      if (problem !== null) problems.push(problem);
    }
  }
  return { locks, problem: problems[0] ?? null };
}

function problemOf(lookup: JobLogLookup, attemptId: string): Problem | null {
  if (lookup.kind === "unreadable") return lookup.problem;
  if (lookup.kind !== "ambiguous") return null;
  return {
    code: "MULTIPLE_RECORDS",
    message:
      "More than one record claims to be the JOB log of this attempt; which of them is real cannot be known.",
    place: `attempt ${attemptId}`,
    remedy: "Compare the records in kintone; one of them was not made by this system.",
  };
}
