import { resolve } from "node:path";
import type { JobEnd, JobLockInsert } from "../../../shared/records/index.ts";
import { ENGINE_VERSION, KSQL_FLOW_VERSION } from "../identity.ts";
import type { SourceField } from "../sources/form.ts";
import { type Context, judged } from "./context.ts";
import { execute } from "./execute.ts";
import type { Verdict } from "./failure.ts";
import { HEARTBEAT_MS, startHeartbeat } from "./heartbeat.ts";
import { executingUser, gitRef } from "./host.ts";
import { acquireJobLock, secondsText } from "./job-lock.ts";
import { jobStatusOf } from "./job-status.ts";
import type { Job } from "./load-job.ts";
import { createLockSession, type LockSession } from "./lock-session.ts";
import { fitDetail } from "./log-detail.ts";
import type { LogRecords } from "./log-record.ts";
import { stripLiterals } from "./masking.ts";
import { queuePending } from "./pending.ts";
import { logAppOf } from "./prepare.ts";
import type { Progress } from "./progress.ts";

/** Steps 13 to 18, inside the job lock. */
export async function holdJobLock(
  context: Context,
  job: Job,
  forms: ReadonlyMap<number, readonly SourceField[]>,
  records: LogRecords,
): Promise<Verdict> {
  const { input, deps, progress } = context;
  const lockedMs = deps.nowMs();
  const { initialDelayMs, maxDelayMs } = input.profile.retry;
  const pause = (next: number): Promise<void> =>
    deps.sleep(Math.min(initialDelayMs * 2 ** (next - 2), maxDelayMs));
  const ref = await acquireJobLock(records, {
    insert: lockInsert(context, job, lockedMs),
    staleAfterSec: input.takeover ? input.profile.limits.batchTimeoutSec : null,
    nowMs: deps.nowMs,
    pause,
    onInsert: progress.mayHoldLock,
    onTakeover: (holder) =>
      deps.events.write("stale_lock_recovered", { recordId: holder.ref.recordId, batchId: holder.batchId }),
  });
  progress.record();
  deps.events.write("job_start", { job: job.name, recordId: ref.recordId });
  const session = createLockSession({
    records,
    ref,
    batchId: input.executionId,
    jobKey: job.key,
    pause,
  });
  const checkpoint = () => ({
    ...writtenSoFar(progress),
    apiCalls: progress.apiCalls(),
  });
  const beats = startHeartbeat(session, checkpoint, deps.stop.loseLock, deps.heartbeatMs ?? HEARTBEAT_MS);
  const mark = async (startedMs: number): Promise<void> => {
    if (input.orchestrated === null) return;
    await session.mark(secondsText(startedMs));
    deps.events.write("execution_started", { startedAt: secondsText(startedMs) });
  };
  const verdict = await judged(context, () => execute(context, job, forms, mark));
  progress.settle();
  await beats.dispose();
  progress.stopCounting();
  await finish(context, job, session, verdict, lockedMs);
  return verdict;
}

function lockInsert({ input, deps }: Context, job: Job, lockedMs: number): JobLockInsert {
  const { orchestrated, executionId } = input;
  return {
    jobKey: job.key,
    batchId: executionId,
    parentBatchId: null,
    scriptName: job.scriptName,
    profile: input.profile.name,
    asOf: secondsText(input.asOfMs),
    startedAt: secondsText(lockedMs),
    executedBy: executingUser(),
    host: input.host,
    gitRef: gitRef(input.sqlPath),
    ksqlVersion: deps.mask(`flow ${KSQL_FLOW_VERSION} / engine ${ENGINE_VERSION}`),
    correlation:
      orchestrated === null
        ? null
        : {
            correlationId: orchestrated.correlationId,
            attemptId: orchestrated.attemptId,
            executionId,
            jobId: job.name,
          },
  };
}

/** What the JOB record says about writes; it has no column for the number of chunks. */
function writtenSoFar(progress: Progress) {
  const { writtenCount, deletedCount, lastWrittenKey } = progress.written();
  return { writtenCount, deletedCount, lastWrittenKey };
}

/** Step 18: the final update; one kintone did not take is queued and changes nothing about the result. */
async function finish(
  { input, deps, progress }: Context,
  job: Job,
  session: LockSession,
  verdict: Verdict,
  lockedMs: number,
): Promise<void> {
  const { profile } = input;
  const finishedMs = deps.nowMs();
  const message = verdict.error === null ? null : `${verdict.error.code}: ${verdict.error.message}`;
  const shown = message !== null && profile.logging.stripLiterals ? stripLiterals(message) : message;
  const end: JobEnd = {
    status: jobStatusOf(verdict.resultCode),
    jobKey: job.key,
    finishedAt: secondsText(finishedMs),
    durationSec: Math.max(0, finishedMs - lockedMs) / 1000,
    readCount: progress.readCount(),
    ...writtenSoFar(progress),
    apiCalls: progress.apiCalls(),
    errorMessage: shown === null ? null : deps.mask(shown),
    logDetail: fitDetail(deps.mask(progress.detail().join("\n"))),
  };
  const outcome = await session.finish(end);
  if (outcome.kind === "written") return;
  if (outcome.kind === "conflict") {
    deps.events.write("final_update_conflict", { recordId: session.recordId, found: outcome.holder });
    return deps.say(`The JOB record ${session.recordId} was changed by somebody else; it was left as it is.`);
  }
  const kept = queuePending(
    resolve(input.cwd, profile.logging.localDir),
    {
      profile: profile.name,
      appId: logAppOf(profile),
      recordId: outcome.ref.recordId,
      revision: outcome.ref.revision,
      fields: outcome.record,
      createdAt: new Date(finishedMs).toISOString(),
    },
    deps.mask,
  );
  deps.events.write("logapp_write_failed", {
    recordId: session.recordId,
    reason: outcome.reason,
    queued: kept === null,
  });
  deps.say(`The end of the job could not be written to the log app: ${outcome.reason}`);
}
