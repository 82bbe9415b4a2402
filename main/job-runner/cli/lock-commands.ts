import { resolve } from "node:path";
import { LOCK_RECOVERY_EXIT_CODES, RUNNER_EXIT } from "../../../shared/contract/index.ts";
import { FlowError, fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { appFields } from "../../../shared/records/index.ts";
import { type LoadedProfile, loadProfile } from "../config.ts";
import { forceUnlock, inspectLock } from "../run/force-unlock.ts";
import { createLogRecords, type LogRecords } from "../run/log-record.ts";
import { createMask } from "../run/masking.ts";
import { logAppOf } from "../run/prepare.ts";
import type { ParsedArguments } from "./arguments.ts";
import { clockOf, openTransport } from "./connect.ts";
import { openCalls } from "./open-calls.ts";
import type { ProcessEdge } from "./run-command.ts";

const REQUIRED = {
  "inspect-lock": ["job-key", "profile", "config", "json"],
  "force-unlock-job": [
    ...["job-key", "reason", "confirmed-by", "evidence-ref"],
    ...["profile", "config", "json"],
  ],
} as const;

export type LockCommand = keyof typeof REQUIRED;

function refuse(flag: string, message: string): { readonly ok: false; readonly error: Problem } {
  return fail({
    code: "CONFIG_ERROR",
    message: `${message} Nothing was read or changed.`,
    place: `--${flag}`,
  });
}

/** All flags are needed and none may be blank; the evidence is an absolute URI (execution-contract §1.2). */
function checked(command: LockCommand, args: ParsedArguments): Result<null> {
  for (const flag of REQUIRED[command]) {
    const given = flag === "json" ? args.has(flag) : (args.value(flag) ?? "").trim() !== "";
    if (!given) return refuse(flag, `--${flag} is required and must not be blank.`);
  }
  if (command === "force-unlock-job" && !URL.canParse(args.value("evidence-ref") ?? "")) {
    return refuse("evidence-ref", "--evidence-ref is not an absolute URI.");
  }
  return ok(null);
}

/**
 * `inspect-lock` and `force-unlock-job` (execution-contract §2.4, §2.5): one JSON object on stdout whatever
 * kintone answered, nothing on disk (W20). Error: `CONFIG_ERROR`, exit 1 without JSON.
 */
export async function lockCommand(
  command: LockCommand,
  args: ParsedArguments,
  edge: ProcessEdge,
): Promise<Result<number>> {
  const flags = checked(command, args);
  if (!flags.ok) return flags;
  const configPath = resolve(edge.cwd, args.value("config") ?? "");
  const loaded = loadProfile(configPath, args.value("profile"), edge.environment);
  if (!loaded.ok) return loaded;
  try {
    return ok(await perform(command, args, loaded.value, edge));
  } catch (error) {
    if (error instanceof FlowError) return fail(error.problem);
    throw error;
  }
}

async function perform(
  command: LockCommand,
  args: ParsedArguments,
  { profile }: LoadedProfile,
  edge: ProcessEdge,
): Promise<number> {
  if (profile.logApp === null) {
    const message = `The profile ${profile.name} names no logApp, so it has no job locks.`;
    throw new FlowError({ code: "CONFIG_ERROR", message, place: "logApp" });
  }
  const nowMs = clockOf(profile, edge.environment);
  const mask = createMask(profile);
  await using transport = openTransport(profile);
  const calls = openCalls(profile, transport, { edge, nowMs, say: (line) => edge.stderr(mask(line)) });
  const fields = new Set(Object.keys(appFields("jobLog", null)));
  const records: LogRecords = createLogRecords(calls, logAppOf(profile), fields);
  const jobKey = args.value("job-key") ?? "";
  if (command === "inspect-lock") {
    const inspection = await inspectLock(records, jobKey, new Date(nowMs()).toISOString());
    edge.stdout(`${JSON.stringify(inspection)}\n`);
    return inspection.locked === null ? RUNNER_EXIT.environment : RUNNER_EXIT.success;
  }
  const result = await forceUnlock(records, {
    jobKey,
    reason: args.value("reason") ?? "",
    confirmedBy: args.value("confirmed-by") ?? "",
    evidenceRef: args.value("evidence-ref") ?? "",
    profile: profile.name,
    nowMs: nowMs(),
  });
  edge.stdout(`${JSON.stringify(result)}\n`);
  return LOCK_RECOVERY_EXIT_CODES[result.outcome];
}
