import { hostname } from "node:os";
import { resolve } from "node:path";
import { checkExports, neededSources } from "../files/check-exports.ts";
import type { SourceField } from "../sources/form.ts";
import { createImportSources, type InputReceipt } from "../sources/import-sources.ts";
import { createCalls } from "./calls.ts";
import { type Context, judged, type RunDeps, type RunInput } from "./context.ts";
import { execute } from "./execute.ts";
import { RunFailure, type Verdict } from "./failure.ts";
import { type Job, loadJob } from "./load-job.ts";
import { takeLocalLock } from "./local-lock.ts";
import { holdJobLock } from "./locked-run.ts";
import { createLogRecords, type LogRecords } from "./log-record.ts";
import { resendPending } from "./pending.ts";
import { logAppOf, readLogForm, validate } from "./prepare.ts";
import { createProgress, type WrittenFacts } from "./progress.ts";
import { releaseAll } from "./release-all.ts";
import type { OutputReceipt } from "./result-outputs.ts";

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
  readonly inputFiles: readonly InputReceipt[];
  readonly outputFiles: readonly OutputReceipt[];
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
    mayHoldLock: (): boolean => progress.lockIsPossible(),
  });
  const progress = createProgress(calls.count);
  const imports = createImportSources(input.imports);
  const context: Context = { input, deps, calls, progress, imports, outputs: [] };
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
    inputFiles: imports.receipts(),
    outputFiles: context.outputs,
  };
}

async function openRun(context: Context): Promise<Verdict> {
  const { input, deps, progress, imports } = context;
  const { profile, orchestrated } = input;
  const job = loadJob(input.sqlPath, profile.name, orchestrated?.expectedJobId ?? null);
  progress.resolveJob(job.name);
  for (const message of imports.check(neededSources(job.script))) {
    deps.say(message);
    deps.events.write("unused_import_source", { message });
  }
  checkExports(job.script, input.exports?.files ?? []);
  const records = await openLog(context);
  if (input.forceUnlock && orchestrated === null) await releaseAll(context, records);
  const lock = takeLocalLock({
    directory: input.cwd,
    profile: profile.name,
    host: hostname(),
    batchId: input.executionId,
    nowMs: deps.nowMs(),
    staleAfterSec: input.takeover ? profile.limits.batchTimeoutSec : null,
  });
  try {
    if (records !== null && !input.localOnly) {
      const localDir = resolve(input.cwd, profile.logging.localDir);
      const owner = { profile: profile.name, appId: logAppOf(profile) };
      await resendPending(localDir, owner, records, deps.events);
    }
    progress.startCounting();
    const forms = await validate(context, job);
    imports.load();
    deps.stop.check();
    return await holdLocks(context, job, forms, records);
  } finally {
    lock.release();
  }
}

/** The log app, null for a run that may do without one (execution-contract §4.5). */
async function openLog(context: Context): Promise<LogRecords | null> {
  const { input, calls } = context;
  if (input.profile.logApp === null && input.localOnly) return null;
  const appId = logAppOf(input.profile);
  return createLogRecords(calls, appId, await readLogForm(context, appId));
}

async function holdLocks(
  context: Context,
  job: Job,
  forms: ReadonlyMap<number, readonly SourceField[]>,
  records: LogRecords | null,
): Promise<Verdict> {
  const { input, deps } = context;
  const alone = (): Promise<Verdict> => execute(context, job, forms, async () => undefined);
  if (records === null) return alone();
  try {
    return await holdJobLock(context, job, forms, records);
  } catch (error) {
    const mayGoOn = input.localOnly && error instanceof RunFailure && error.resultCode === "LOCK_UNAVAILABLE";
    if (!mayGoOn) throw error;
    deps.say(`${error.message} Going on with the local lock alone (--lock local-only).`);
    deps.events.write("lock_local_only", { jobKey: job.key, error: error.message });
    return alone();
  }
}
