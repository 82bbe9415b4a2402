import type { JobList, JobLock, JobRow, JobRunNode, Network, RunRow } from "../../../shared/api/index.ts";
import type { LockRecoveryResult } from "../../../shared/contract/index.ts";
import { type OperationPlan, planJobUnlockOperation } from "../../../shared/domain/operations/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { RunnerLocks } from "../../attempt/index.ts";
import type { Recovery } from "../../orchestrator/index.ts";
import { evidenceUri } from "./evidence-uri.ts";
import { jobsOf } from "./job-list.ts";

export interface JobLocksDeps {
  readonly runner: RunnerLocks;
  readonly recovery: Pick<Recovery, "recordJobUnlock">;
  /** The networks of the allow list with their nodes, read now. */
  readonly networks: () => Promise<readonly Network[]>;
  /** Runs of the picture as it stands; costs nothing. */
  readonly knownRuns: () => readonly RunRow[];
  readonly profile: string;
  readonly host: string;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** The node a release belongs to; both null outside of a Run. */
export interface JobNode {
  readonly runId: string | null;
  readonly nodeId: string | null;
}

/** A job lock to be taken from its holder, with everything its records say. */
export interface JobReleaseWish extends JobNode {
  readonly jobKey: string;
  readonly reason: string;
  readonly confirmedBy: string;
  /** As it stands in the audit: text and files in one line. */
  readonly evidenceRef: string;
  readonly evidenceText: string;
  /** SHA-256 of the files that were kept. */
  readonly evidenceHashes: readonly string[];
  readonly requestedBy: string;
  readonly servicePrincipal: string;
}

/** What became of it: the runner's answer, and the audit that ties it to its node. */
export interface JobReleased {
  readonly result: LockRecoveryResult;
  /** Null where it belongs to no node, or where the audit could not be written. */
  readonly eventId: string | null;
  /** Why the audit is missing: the lock is as `result` says all the same. */
  readonly auditProblem: Problem | null;
}

export interface JobLocks {
  /** The jobs of the known networks; asks no kintone. */
  list(): Promise<JobList>;
  /** Who holds it, asked of the runner now. Errors: those of {@link RunnerLocks}. */
  inspect(jobKey: string, signal?: AbortSignal): Promise<Result<JobLock>>;
  /** What a release would do, on what the runner says now. Writes nothing. */
  plan(wish: JobNode & { readonly jobKey: string }, signal?: AbortSignal): Promise<Result<OperationPlan>>;
  /** Releases through the runner and keeps the audit of it (orchestration §5.5). Code `JOB_UNLOCK_UNCONFIRMED`. */
  release(wish: JobReleaseWish, signal?: AbortSignal): Promise<Result<JobReleased>>;
}

/** The locks of jobs, which the runner alone reads and releases (decisions §3). */
export function createJobLocks(deps: JobLocksDeps): JobLocks {
  const list = async (): Promise<JobList> => ({
    ...jobsOf(await deps.networks(), deps.profile),
    readAt: new Date(deps.nowMs()).toISOString(),
  });
  return {
    list,
    async inspect(jobKey, signal) {
      const [inspected, { jobs }] = await Promise.all([deps.runner.inspect(jobKey, signal), list()]);
      if (!inspected.ok) return inspected;
      const { locked, record, inspectedAt } = inspected.value;
      const job = jobs.find((each) => each.jobKey === jobKey);
      return ok({
        jobKey,
        locked,
        record,
        thisHost: record !== null && record.host === deps.host,
        inspectedAt,
        runs: job === undefined ? [] : unfinishedRuns(job, deps.knownRuns()),
      });
    },
    async plan({ jobKey, runId, nodeId }, signal) {
      const inspected = await deps.runner.inspect(jobKey, signal);
      if (!inspected.ok) return inspected;
      const { locked, record, inspectedAt: readAt } = inspected.value;
      return ok(planJobUnlockOperation({ jobKey, locked, record, runId, nodeId, readAt }));
    },
    release: (wish, signal) => release(deps, wish, signal),
  };
}

/** Runs whose node a released lock may belong to: those that are not over, the newest first. */
function unfinishedRuns({ nodes }: JobRow, runs: readonly RunRow[]): readonly JobRunNode[] {
  return runs
    .filter(({ status, lifecycle }) => status !== "SUCCESS" && lifecycle === "ACTIVE")
    .flatMap(({ runId, businessKey, status, networkId, recordId }) =>
      nodes
        .filter((node) => node.networkId === networkId)
        .map(({ nodeId }) => ({ runId, businessKey, status, networkId, nodeId, recordId })),
    )
    .sort((a, b) => Number(b.recordId) - Number(a.recordId))
    .slice(0, MOST_RUNS)
    .map(({ recordId: _, ...run }) => run);
}
const MOST_RUNS = 50;

async function release(
  deps: JobLocksDeps,
  wish: JobReleaseWish,
  signal?: AbortSignal,
): Promise<Result<JobReleased>> {
  const { jobKey, reason, confirmedBy } = wish;
  const uri = evidenceUri(wish.evidenceText, wish.evidenceHashes);
  const released = await deps.runner.release({ jobKey, reason, confirmedBy, evidenceUri: uri });
  if (!released.ok) return fail(unconfirmed(jobKey, released.error));
  const result = released.value;
  const { runId, nodeId } = wish;
  if (runId === null || nodeId === null) return ok({ result, eventId: null, auditProblem: null });
  const recorded = await deps.recovery.recordJobUnlock({
    result,
    runId,
    nodeId,
    reason,
    evidenceRef: wish.evidenceRef,
    stopConfirmedBy: confirmedBy,
    requestedBy: wish.requestedBy,
    servicePrincipal: wish.servicePrincipal,
    ...(signal === undefined ? {} : { signal }),
  });
  return ok({
    result,
    eventId: recorded.ok ? recorded.value.eventId : null,
    auditProblem: recorded.ok ? null : recorded.error,
  });
}

/** The runner may have got as far as releasing it before whatever went wrong. */
const unconfirmed = (jobKey: string, cause: Problem): Problem => ({
  code: "JOB_UNLOCK_UNCONFIRMED",
  message: `Whether the job's lock was released is not known. ${cause.message}`,
  place: jobKey,
  remedy: "Look at the lock again before anything else is done about it.",
  details: { cause: cause.code },
});
