import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type LockInspection,
  type LockRecoveryResult,
  parseLockInspection,
  parseLockRecovery,
} from "../../../shared/contract/index.ts";
import {
  checkSeen,
  type JobLockFacts,
  jobUnlockSeen,
  planJobUnlockOperation,
} from "../../../shared/domain/operations/index.ts";
import { FlowError, type Result } from "../../../shared/domain/problem.ts";
import type { ParsedArguments } from "../arguments.ts";
import type { CliContext, Command } from "../command.ts";
import { planJson, planText } from "../render-plan.ts";
import { askChild } from "../run-child.ts";
import { type RunnerAccess, withRunner } from "../runner-access.ts";
import { shown } from "../shown.ts";
import { refuse } from "./acting.ts";
import { DRY_RUN, isDryRun, SEEN, seenIn } from "./planning.ts";

const JOB = { name: "job", text: "the job's name, or its whole key <profile>:<job>" } as const;
const JSON_OPTION = { name: "--json", value: null, text: "the runner's own JSON on stdout" } as const;

/** A job name holds no colon, so whatever has one is a key already (execution-contract §7.1). */
const keyOf = (job: string, { profile }: RunnerAccess): string =>
  job.includes(":") ? job : `${profile}:${job}`;

async function ask<T>(
  context: CliContext,
  command: string,
  job: string,
  flags: readonly string[],
  parse: (value: unknown) => Result<T>,
): Promise<{ readonly code: number; readonly value: T; readonly text: string }> {
  return withRunner(context, async (runner) => {
    const { profile, configPath } = runner;
    const where = ["--profile", profile, "--config", configPath, "--json"];
    const args = [command, `--job-key=${keyOf(job, runner)}`, ...flags, ...where];
    const { code, stdout, stderr } = await askChild(runner, args, context.signal);
    const parsed = parse(jsonOf(stdout));
    if (parsed.ok) return { code, value: parsed.value, text: stdout };
    const said = stderr.trim().split("\n").slice(-3).join(" ");
    throw new FlowError({ ...parsed.error, message: `${parsed.error.message} ${said}`.trim() });
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function inspectionText({ jobKey, locked, record }: LockInspection): string {
  if (locked === null) return `${jobKey}: not known, the log app cannot be read\n`;
  if (record === null) return `${jobKey}: free\n`;
  const { recordId, batchId, startedAt, host, scriptName } = record;
  const since = startedAt ?? "an unknown time";
  return `${jobKey}: held by record ${recordId} (batch ${batchId}) on ${host || "an unknown host"} since ${since}, ${scriptName}\n`;
}

/** `job inspect-lock`: whether a job's lock is held, and by whom; changes nothing (execution-contract §2.4). */
export const jobInspectLock: Command = {
  spec: {
    name: "job inspect-lock",
    summary: "Shows who holds the lock of a job. Writes nothing. Exits 3 when it cannot be known.",
    positional: JOB,
    options: [JSON_OPTION],
    example: "flownet job inspect-lock monthly_totals",
  },
  fallbackCode: "INSPECT_LOCK_FAILED",
  async run({ positional, flags }, context) {
    const answer = await inspect(context, positional ?? "");
    context.out(flags.has("--json") ? answer.text : shown(inspectionText(answer.value), true));
    return answer.code;
  },
};

const OUTCOMES: Readonly<Record<LockRecoveryResult["outcome"], string>> = {
  RELEASED: "released",
  NOT_FOUND: "nobody held it",
  NOT_RUNNING: "it was released already",
  CONFLICT: "somebody changed the record meanwhile; it was left as it is",
  UNCONFIRMED: "whether it was released is not known; look again",
};

const inspect = (context: CliContext, job: string) =>
  ask(context, "inspect-lock", job, [], parseLockInspection);

/** The lock as the runner tells it now, as a plan is made from it; outside of any Run. */
const factsOf = ({ jobKey, locked, record }: LockInspection): JobLockFacts => ({
  jobKey,
  locked,
  record,
  runId: null,
  nodeId: null,
  readAt: new Date().toISOString(),
});

/** Refuses when the lock is not the one a kept plan was made on; nothing is asked without `--seen`. */
async function requireSeen(args: ParsedArguments, context: CliContext): Promise<void> {
  if (args.values["--seen"] === undefined) return;
  const { value } = await inspect(context, args.positional ?? "");
  const { jobKey } = value;
  const seen = await seenIn(args, context, { operations: ["JOB_UNLOCK"], subject: { jobKey } });
  const unmoved = checkSeen(seen, jobUnlockSeen(factsOf(value)));
  if (!unmoved.ok) refuse(unmoved.error);
}

function unlockFlags({ values }: ParsedArguments): readonly string[] {
  return ["reason", "confirmed-by", "evidence-ref"].map((flag) => `--${flag}=${values[`--${flag}`] ?? ""}`);
}

/**
 * `job force-unlock`: releases one job lock with its evidence (execution-contract §2.5). `--result-file` keeps the
 * runner's answer for `record-job-unlock`; it is written before anything is printed, and never over another file.
 */
export const jobForceUnlock: Command = {
  spec: {
    name: "job force-unlock",
    summary: "Releases the lock of a job that is proven to have ended. Exits 5 on conflict, 3 when unclear.",
    positional: JOB,
    options: [
      { name: "--reason", value: "text", text: "why it is released", required: true },
      { name: "--confirmed-by", value: "name", text: "who saw that the job ended", required: true },
      { name: "--evidence-ref", value: "uri", text: "absolute URI of the evidence", required: true },
      { name: "--result-file", value: "file", text: "keeps the answer, for record-job-unlock" },
      { ...JSON_OPTION, text: "the runner's own JSON on stdout; with --dry-run the plan" },
      DRY_RUN,
      SEEN,
    ],
    example:
      "flownet job force-unlock monthly_totals --reason crashed --confirmed-by Sato --evidence-ref file:///evidence/1.txt",
  },
  fallbackCode: "FORCE_UNLOCK_FAILED",
  async run(args, context) {
    const { positional, values, flags } = args;
    if (isDryRun(args)) {
      const plan = planJobUnlockOperation(factsOf((await inspect(context, positional ?? "")).value));
      context.out(flags.has("--json") ? planJson(plan) : planText(plan));
      return 0;
    }
    await requireSeen(args, context);
    const answer = await ask(
      context,
      "force-unlock-job",
      positional ?? "",
      unlockFlags(args),
      parseLockRecovery,
    );
    const file = values["--result-file"];
    // Printed first if it cannot be kept: the release happened, and its proof must not be lost.
    if (file !== undefined) {
      await writeFile(resolve(context.cwd, file), answer.text, { flag: "wx", mode: 0o600 }).catch(
        (error: unknown) => {
          context.out(answer.text);
          throw error;
        },
      );
    }
    const { jobKey, outcome, recordId } = answer.value;
    const record = recordId === null ? "" : ` (record ${recordId})`;
    const text = `${outcome}: ${jobKey}${record}: ${OUTCOMES[outcome]}\n`;
    context.out(flags.has("--json") ? answer.text : shown(text, true));
    return answer.code;
  },
};
