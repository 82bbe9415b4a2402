import { hostname } from "node:os";
import { resolve } from "node:path";
import { createCalls } from "./calls.ts";
import { type Context, judged, type RunDeps, type RunInput } from "./context.ts";
import type { Verdict } from "./failure.ts";
import { loadJob } from "./load-job.ts";
import { takeLocalLock } from "./local-lock.ts";
import { holdJobLock } from "./locked-run.ts";
import { createLogRecords } from "./log-record.ts";
import { resendPending } from "./pending.ts";
import { logAppOf, readLogForm, validate } from "./prepare.ts";
import { createProgress, type WrittenFacts } from "./progress.ts";

export interface RunReport {
  readonly verdict: Verdict;
  /** Null when the script was never read. */
  readonly jobId: string | null;
  /** True when a JOB record was made: only such a run is told to the receivers of notifications. */
  readonly recorded: boolean;
  readonly startedMs: number | null;
  readonly readCount: number;
  readonly written: WrittenFacts;
  readonly apiCalls: number;
}

/**
 * One job from its file to its released lock, in the order of execution-contract §4.2. Never throws: every
 * way it can end is a verdict (§5.3).
 */
export async function runJob(input: RunInput, deps: RunDeps): Promise<RunReport> {
  const calls = createCalls({
    transport: deps.transport,
    stop: deps.stop,
    retry: input.profile.retry,
    maxApiCalls: input.maxApiCalls ?? input.profile.limits.maxApiCalls,
    sleep: deps.sleep,
    nowMs: deps.nowMs,
    random: Math.random,
    onWait: deps.say,
  });
  const progress = createProgress(calls.count);
  const context: Context = { input, deps, calls, progress };
  const verdict = await judged(context, () => openRun(context));
  deps.events.write("job_finish", {
    job: progress.jobId(),
    resultCode: verdict.resultCode,
    error: verdict.error,
    requests: calls.count(),
  });
  return {
    verdict,
    jobId: progress.jobId(),
    recorded: progress.isRecorded(),
    startedMs: progress.startedMs(),
    readCount: progress.readCount(),
    written: progress.written(),
    apiCalls: progress.apiCalls(),
  };
}

async function openRun(context: Context): Promise<Verdict> {
  const { input, deps, calls, progress } = context;
  const { profile, orchestrated } = input;
  const job = loadJob(input.sqlPath, profile.name, orchestrated?.expectedJobId ?? null);
  progress.resolveJob(job.name);
  const appId = logAppOf(profile);
  const records = createLogRecords(calls, appId, await readLogForm(context, appId));
  const lock = takeLocalLock({
    directory: input.cwd,
    profile: profile.name,
    host: hostname(),
    batchId: input.executionId,
    nowMs: deps.nowMs(),
    staleAfterSec: input.takeover ? profile.limits.batchTimeoutSec : null,
  });
  try {
    const localDir = resolve(input.cwd, profile.logging.localDir);
    await resendPending(localDir, { profile: profile.name, appId }, records, deps.events);
    progress.startCounting();
    const forms = await validate(context, job);
    deps.stop.check();
    return await holdJobLock(context, job, forms, records);
  } finally {
    lock.release();
  }
}
