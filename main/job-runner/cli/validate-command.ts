import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { RUNNER_EXIT } from "../../../shared/contract/exit-codes.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { codeOf, type LoadedProfile, loadProfile } from "../config.ts";
import { CODES, type Diagnostic } from "../dialect/diagnostic.ts";
import type { Calls } from "../run/calls.ts";
import { checkJob, findingLine } from "../run/check-job.ts";
import { RunFailure } from "../run/failure.ts";
import { type Job, loadJob } from "../run/load-job.ts";
import { createMask } from "../run/masking.ts";
import type { ParsedArguments } from "./arguments.ts";
import { checkLogApp } from "./check-logapp.ts";
import { clockOf, openTransport } from "./connect.ts";
import { openCalls } from "./open-calls.ts";
import type { ProcessEdge } from "./run-command.ts";

const problem = (message: string, place: string): FlowError =>
  new FlowError({ code: "CONFIG_ERROR", message, place } satisfies Problem);

/** The SQL files of a folder in the order of their names, by code unit (execution-contract §1.2). */
function filesIn(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw problem(`The folder cannot be read: ${codeOf(error)}.`, folder);
  }
  const files = names.filter((name) => /\.sql$/i.test(name)).sort((a, b) => (a < b ? -1 : 1));
  if (files.length === 0) throw problem("The folder holds no .sql file.", folder);
  return files.map((name) => join(folder, name));
}

/** Names are unique, and a job depends only on jobs before it: a folder runs in the order of its names. */
function checkOrder(jobs: readonly Job[]): void {
  for (const [index, job] of jobs.entries()) {
    const before = jobs.slice(0, index);
    if (before.some(({ name }) => name === job.name)) {
      throw problem(`Two files are the job "${job.name}".`, job.scriptName);
    }
    const missing = job.script.header.dependsOn.find((name) => !before.some((other) => other.name === name));
    if (missing === undefined) continue;
    const later = jobs.some(({ name }) => name === missing) ? "comes after it" : "is not in the folder";
    throw problem(`The job "${job.name}" depends on "${missing}", which ${later}.`, job.scriptName);
  }
}

/** A form that cannot be read is a finding about the job, as the peer tells it; 1:1 stands for the whole file. */
async function findingsOf(
  job: Job,
  calls: Calls,
  loaded: LoadedProfile,
  check: { readonly asOfMs: number; readonly strict: boolean },
): Promise<readonly Diagnostic[]> {
  try {
    return (await checkJob(job, calls, { profile: loaded.profile, ...check })).findings;
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    const message = `The check could not be finished: ${error.message}`;
    return [{ code: CODES.lexical, severity: "error", line: 1, column: 1, message }];
  }
}

function summary(findings: readonly Diagnostic[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  if (errors > 0) return `NG (${errors} errors, ${warnings} warnings)`;
  return warnings === 0 ? "OK" : `OK (${warnings} warnings)`;
}

/**
 * `validate` and `validate-all` (execution-contract §2.6): one line for each finding, exit 0 without errors and
 * 1 otherwise; with `--check-logapp` also 3 when the form of the log app cannot be read. Throws FlowError
 * `CONFIG_ERROR` or RunFailure `VALIDATION_ERROR` for what makes every check pointless.
 */
export async function validateCommand(
  args: ParsedArguments,
  folder: string | null,
  edge: ProcessEdge,
): Promise<number> {
  const configPath = resolve(edge.cwd, args.value("config") ?? "ksql.config.json");
  const loaded = loadProfile(configPath, args.value("profile"), edge.environment);
  if (!loaded.ok) throw new FlowError(loaded.error);
  const { profile } = loaded.value;
  const mask = createMask(profile);
  const print = (line: string): void => edge.stdout(`${mask(line)}\n`);
  const jobs = jobsOf(args, folder, profile.name, edge);
  const nowMs = clockOf(profile, edge.environment);
  await using transport = openTransport(profile);
  const calls = openCalls(profile, transport, { edge, nowMs, say: (line) => edge.stderr(mask(line)) });
  let exitCode: number = RUNNER_EXIT.success;
  for (const job of jobs) {
    const check = { asOfMs: nowMs(), strict: args.has("strict") };
    const findings = await findingsOf(job, calls, loaded.value, check);
    print(`${job.scriptName}: ${summary(findings)}`);
    for (const finding of findings) print(`  ${findingLine(job.scriptName, finding)}`);
    if (findings.some(({ severity }) => severity === "error")) exitCode = RUNNER_EXIT.invalid;
  }
  if (!args.has("check-logapp")) return exitCode;
  return Math.max(exitCode, await checkLogApp(profile, calls, print));
}

function jobsOf(
  args: ParsedArguments,
  folder: string | null,
  profile: string,
  edge: ProcessEdge,
): readonly Job[] {
  if (folder !== null) {
    const jobs = filesIn(resolve(edge.cwd, folder)).map((path) => loadJob(path, profile, null));
    checkOrder(jobs);
    return jobs;
  }
  const file = args.value("file");
  if (file !== null && file !== "") return [loadJob(resolve(edge.cwd, file), profile, null)];
  if (args.has("check-logapp")) return [];
  throw problem("-f is missing: no SQL file was named.", "-f");
}
