import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseOperationPlan } from "../../../shared/contract/index.ts";
import type { OperationName, OperationPlan, SeenRecords } from "../../../shared/domain/operations/index.ts";
import { errorText, fail, type Result } from "../../../shared/domain/problem.ts";
import type { Workspace } from "../../console/index.ts";
import type { IntendedOperation } from "../../orchestrator/index.ts";
import type { OptionSpec, ParsedArguments } from "../arguments.ts";
import type { CliContext } from "../command.ts";
import { planJson, planText } from "../render-plan.ts";
import { refuse } from "./acting.ts";

export const DRY_RUN: OptionSpec = {
  name: "--dry-run",
  value: null,
  text: "print what it would do, and do nothing",
};
const PLAN_JSON: OptionSpec = {
  name: "--json",
  value: null,
  text: "the plan as JSON, to be kept for --seen",
  needsOneOf: ["--dry-run"],
};
export const SEEN: OptionSpec = {
  name: "--seen",
  value: "file",
  text: "a kept plan: refuse if any of its records moved since",
  excludes: ["--dry-run"],
};
/** What a command takes whose operation can be planned. */
export const PLANNING: readonly OptionSpec[] = [DRY_RUN, PLAN_JSON, SEEN];

/** True when only the plan is asked for. */
export const isDryRun = ({ flags }: ParsedArguments): boolean => flags.has("--dry-run");

/** Prints the plan of an operation. Exit code 0 also for one that is refused: that is what was asked (operator-ux D13). */
export async function dryRun(
  { plans }: Pick<Workspace, "plans">,
  { flags }: ParsedArguments,
  { out, signal }: CliContext,
  operation: IntendedOperation,
): Promise<number> {
  const plan = await plans.plan(operation, signal);
  if (!plan.ok) refuse(plan.error);
  out(flags.has("--json") ? planJson(plan.value) : planText(plan.value));
  return 0;
}

/** Of whom the command is; a plan of anybody else is no permission. */
export interface Commanded {
  readonly operations: readonly OperationName[];
  readonly subject: Partial<OperationPlan["subject"]>;
}

/**
 * The records of the plan that was kept, null without `--seen`. Throws `PLAN_FILE_UNREADABLE`,
 * `OPERATION_PLAN_INVALID`, `PLAN_OF_ANOTHER_OPERATION`.
 */
export async function seenIn(
  { values }: ParsedArguments,
  { cwd }: CliContext,
  commanded: Commanded,
): Promise<SeenRecords | null> {
  const file = values["--seen"];
  if (file === undefined) return null;
  const path = resolve(cwd, file);
  const plan = parseOperationPlan(jsonOf(await textOf(path)));
  if (!plan.ok) refuse({ ...plan.error, place: `${path} ${plan.error.place ?? ""}`.trim() });
  const fits = checkPlan(plan.value, commanded);
  return fits.ok ? plan.value.seen : refuse({ ...fits.error, place: path });
}

function checkPlan({ operation, subject }: OperationPlan, commanded: Commanded): Result<null> {
  const entries = Object.entries(commanded.subject);
  const seen: Readonly<Record<string, string | null>> = { ...subject };
  const same = entries.every(([name, value]) => seen[name] === value);
  if (same && commanded.operations.includes(operation)) return { ok: true, value: null };
  return fail({
    code: "PLAN_OF_ANOTHER_OPERATION",
    message: `The plan is of ${operation}, or of another subject than this command. Nothing was done.`,
    remedy: "Give the plan of this command, or make it anew with --dry-run --json.",
    details: { operation, subject },
  });
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    return refuse({
      code: "PLAN_FILE_UNREADABLE",
      message: `The plan cannot be read: ${errorText(error)}`,
      place: path,
      remedy: "Check its path and the right to read it.",
    });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
