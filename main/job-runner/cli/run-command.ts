import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { RUNNER_EXIT } from "../../../shared/contract/exit-codes.ts";
import { isOffsetIso } from "../../../shared/domain/datetime.ts";
import { FlowError, fail, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { type LoadedProfile, loadProfile } from "../config.ts";
import type { RunInput } from "../run/context.ts";
import { dryRun, dryRunText } from "../run/dry-run.ts";
import { createEventLog } from "../run/event-log.ts";
import { failed, type Verdict } from "../run/failure.ts";
import { hostLabel } from "../run/host.ts";
import { jobStatusOf } from "../run/job-status.ts";
import { createMask, type Mask } from "../run/masking.ts";
import { type FinishedJob, notify } from "../run/notify.ts";
import { NOTHING_WRITTEN } from "../run/progress.ts";
import { buildResult, exitCodeOf } from "../run/result.ts";
import { writeResultFile } from "../run/result-file.ts";
import { type RunReport, runJob } from "../run/run-job.ts";
import type { StopControl } from "../run/stop.ts";
import { looseArguments, type ParsedArguments } from "./arguments.ts";
import { clockOf, openTransport } from "./connect.ts";
import { exportPlan, importRequests } from "./file-arguments.ts";
import { type OrchestratorFlags, orchestratorFlags, type RunRequest, runRequest } from "./run-request.ts";

/** The process a command runs in. */
export interface ProcessEdge {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (line: string) => void;
  readonly stop: StopControl;
}

interface Ready {
  readonly request: RunRequest;
  readonly loaded: LoadedProfile;
  readonly host: string;
  readonly imports: RunInput["imports"];
  readonly exports: RunInput["exports"];
}

/** What a run is told before anything else is known of it. */
interface Attempted {
  readonly executionId: string;
  readonly flags: OrchestratorFlags | null;
  readonly profileName: string;
  readonly asOf: string | null;
  readonly nowMs: () => number;
  readonly mask: Mask;
}

function prepare(args: ParsedArguments, edge: ProcessEdge, flags: OrchestratorFlags | null): Result<Ready> {
  const orchestrated = flags !== null;
  const request = runRequest(args, orchestrated);
  if (!request.ok) return request;
  if (flags !== null && flags.resultTarget !== "-" && existsSync(resolve(edge.cwd, flags.resultTarget))) {
    const message = "The result file exists already: it may be another run's, and nothing was started.";
    return fail({ code: "CONFIG_ERROR", message, place: "--result-json" });
  }
  const imports = importRequests(args, orchestrated);
  if (!imports.ok) return imports;
  const exports = exportPlan(args, edge.cwd);
  if (!exports.ok) return exports;
  const host = hostLabel(edge.environment);
  if (!host.ok) return host;
  const configPath = resolve(edge.cwd, args.value("config") ?? "ksql.config.json");
  const loaded = loadProfile(configPath, args.value("profile"), edge.environment);
  if (!loaded.ok) return loaded;
  const files = { imports: imports.value, exports: exports.value };
  return { ok: true, value: { request: request.value, loaded: loaded.value, host: host.value, ...files } };
}

const unread = (verdict: Verdict): RunReport => ({
  verdict,
  jobId: null,
  recorded: false,
  startedMs: null,
  readCount: 0,
  written: NOTHING_WRITTEN,
  apiCalls: 0,
  inputFiles: [],
  outputFiles: [],
});

function invalid(problem: Problem): RunReport {
  const place = problem.place === undefined ? "" : ` (${problem.place})`;
  return unread(failed("VALIDATION_ERROR", problem.code, `${problem.message}${place}`));
}

/** A time no consumer could read is not echoed (execution-contract §13 W18). */
function echoOf(asOf: string | null): string | null {
  if (asOf === null) return new Date().toISOString();
  return isOffsetIso(asOf) ? asOf : null;
}

/**
 * Arguments of `run` that cannot be read: with four well-formed flags there is a result all the same
 * (execution-contract §4.2, step 1). Gives exit code 1.
 */
export function refuseRun(argv: readonly string[], problem: Problem, edge: ProcessEdge): number {
  const loose = looseArguments(argv);
  const flags = orchestratorFlags(loose);
  if (!flags.ok || flags.value === null) {
    edge.stderr(`Error [${problem.code}]: ${problem.message}`);
    if (problem.remedy !== undefined) edge.stderr(`  ${problem.remedy}`);
    return RUNNER_EXIT.invalid;
  }
  const attempted: Attempted = {
    executionId: randomUUID(),
    flags: flags.value,
    profileName: loose.value("profile") || "(default)",
    asOf: echoOf(loose.value("as-of")),
    nowMs: Date.now,
    mask: (text) => text,
  };
  return conclude(attempted, invalid(problem), edge);
}

/** `run` (execution-contract §4). Gives the exit code; never throws. */
export async function runCommand(args: ParsedArguments, edge: ProcessEdge): Promise<number> {
  const flags = orchestratorFlags(args);
  if (!flags.ok) {
    edge.stderr(`Error [${flags.error.code}]: ${flags.error.message}`);
    return RUNNER_EXIT.invalid;
  }
  const ready = prepare(args, edge, flags.value);
  const asOfFlag = args.value("as-of");
  const attempted: Attempted = {
    executionId: randomUUID(),
    flags: flags.value,
    profileName: args.value("profile") || "(default)",
    asOf: null,
    nowMs: Date.now,
    mask: (text) => text,
  };
  if (!ready.ok) return conclude({ ...attempted, asOf: echoOf(asOfFlag) }, invalid(ready.error), edge);
  const { profile } = ready.value.loaded;
  const nowMs = clockOf(profile, edge.environment);
  const asOf = asOfFlag ?? new Date(nowMs()).toISOString();
  const known: Attempted = {
    ...attempted,
    profileName: profile.name,
    asOf,
    nowMs,
    mask: createMask(profile),
  };
  return perform(known, ready.value, edge);
}

function inputOf({ flags, executionId, asOf }: Attempted, ready: Ready, edge: ProcessEdge): RunInput {
  const { request, loaded, host, imports, exports } = ready;
  return {
    profile: loaded.profile,
    takeover: loaded.takeover,
    sqlPath: resolve(edge.cwd, request.sqlPath),
    cwd: edge.cwd,
    executionId,
    asOfMs: Date.parse(asOf ?? ""),
    host,
    maxApiCalls: request.maxApiCalls,
    imports,
    exports,
    strict: request.strict,
    localOnly: request.localOnly,
    forceUnlock: request.forceUnlock,
    orchestrated: flags,
  };
}

/** Runs the job and concludes while a request that was given up may still be out. */
async function perform(attempted: Attempted, ready: Ready, edge: ProcessEdge): Promise<number> {
  const { flags, executionId, mask, nowMs } = attempted;
  const { profile } = ready.loaded;
  const say = (line: string): void => edge.stderr(mask(line));
  try {
    await using transport = openTransport(profile);
    const input = inputOf(attempted, ready, edge);
    const correlation =
      flags === null ? null : { correlationId: flags.correlationId, attemptId: flags.attemptId };
    const events = createEventLog({
      directory: resolve(edge.cwd, profile.logging.localDir),
      batchId: executionId,
      profile: profile.name,
      correlation,
      mask,
      nowMs,
      warn: say,
    });
    const deps = { transport, stop: edge.stop, events, mask, nowMs, sleep: (ms: number) => delay(ms), say };
    const { dryRun: preview } = ready.request;
    if (preview !== null) {
      const found = await dryRun(input, deps, preview.samples);
      events.write("dry_run_finish", { ...found });
      edge.stdout(preview.json ? `${JSON.stringify(found)}\n` : dryRunText(found));
      return found.exitCode;
    }
    const report = await runJob(input, deps);
    const exitCode = conclude(attempted, report, edge);
    // After the result, unlike the peer: a slow receiver must not hold back what the orchestrator waits for.
    if (report.recorded) await notify(profile, finishedJob(attempted, ready, report, exitCode), say);
    return exitCode;
  } catch (error) {
    if (error instanceof FlowError) return conclude(attempted, invalid(error.problem), edge);
    throw error;
  }
}

function finishedJob(attempted: Attempted, ready: Ready, report: RunReport, exitCode: number): FinishedJob {
  const { error, resultCode } = report.verdict;
  return {
    batchId: attempted.executionId,
    status: jobStatusOf(resultCode),
    exitCode,
    asOf: attempted.asOf,
    name: report.jobId ?? "",
    script: basename(ready.request.sqlPath),
    error: error === null ? null : attempted.mask(error.message),
    finishedAt: new Date(attempted.nowMs()).toISOString(),
  };
}

/** Writes the result and says in words how the run ended. */
function conclude(attempted: Attempted, report: RunReport, edge: ProcessEdge): number {
  const { verdict } = report;
  const { flags, mask, nowMs } = attempted;
  const exitCode = exitCodeOf(verdict.resultCode);
  const words =
    verdict.error === null
      ? verdict.resultCode
      : `${verdict.resultCode} [${verdict.error.code}] ${verdict.error.message}`;
  const line = mask(`${report.jobId ?? "job"}: ${words}`);
  if (flags === null) {
    if (verdict.error === null)
      edge.stdout(
        `${line} (read ${report.readCount}, written ${report.written.writtenCount}, requests ${report.apiCalls})\n`,
      );
    else edge.stderr(line);
    return exitCode;
  }
  edge.stderr(line);
  const result = buildResult(
    verdict,
    {
      executionId: attempted.executionId,
      jobId: report.jobId ?? flags.expectedJobId,
      profile: attempted.profileName,
      asOf: attempted.asOf,
      startedMs: report.startedMs,
      finishedMs: nowMs(),
      readCount: report.readCount,
      written: report.written,
      apiCalls: report.apiCalls,
      inputFiles: report.inputFiles,
      outputFiles: report.outputFiles,
    },
    flags,
    mask,
  );
  const text = `${JSON.stringify(result)}\n`;
  if (flags.resultTarget === "-") {
    edge.stdout(text);
    return exitCode;
  }
  const problem = writeResultFile(resolve(edge.cwd, flags.resultTarget), text);
  if (problem !== null) edge.stderr(mask(`The Execution Result was not written: ${problem}.`));
  return exitCode;
}
