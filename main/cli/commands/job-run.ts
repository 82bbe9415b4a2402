import { resolve } from "node:path";
import type { OptionSpec, ParsedArguments } from "../arguments.ts";
import type { CliContext, Command } from "../command.ts";
import { runChild } from "../run-child.ts";
import { withRunner } from "../runner-access.ts";

const SQL = { name: "job.sql", text: "the SQL file of the job" } as const;
const PROFILE: OptionSpec = { name: "--profile", value: "profile", text: "default: the workspace's profile" };
const STRICT: OptionSpec = {
  name: "--strict",
  value: null,
  text: "an insert that cannot be repeated is an error",
};

function runner(
  command: string,
  args: ParsedArguments,
  extra: readonly string[],
  context: CliContext,
): Promise<number> {
  return withRunner(context, (access) => {
    const profile = args.values["--profile"] ?? access.profile;
    const file = resolve(context.cwd, args.positional ?? "");
    const where = ["--profile", profile, "--config", access.configPath];
    const strict = args.flags.has("--strict") ? ["--strict"] : [];
    return runChild(access, [command, "-f", file, ...where, ...strict, ...extra], context);
  });
}

/**
 * `job run`: one job by the workspace's runner, outside any network (execution-contract §4.5). The exit code is the
 * runner's, 0 to 5.
 */
export const jobRun: Command = {
  spec: {
    name: "job run",
    summary: "Runs one job by hand, outside any network. Exits as the runner does (0 to 5).",
    positional: SQL,
    options: [
      PROFILE,
      { name: "--as-of", value: "time", text: "ISO-8601 with an offset; default: now" },
      STRICT,
      { name: "--max-api-calls", value: "n", text: "requests to kintone at most" },
      { name: "--dry-run", value: null, text: "reads, but writes nothing; shows what would be written" },
      { name: "--json", value: null, text: "the dry run as JSON", needsOneOf: ["--dry-run"] },
    ],
    example: "flownet job run jobs/monthly_totals.sql --dry-run",
  },
  fallbackCode: "JOB_RUN_FAILED",
  run(args, context) {
    const { values, flags } = args;
    const valued = ["--as-of", "--max-api-calls"].flatMap((name) =>
      values[name] === undefined ? [] : [`${name}=${values[name]}`],
    );
    const plain = ["--dry-run", "--json"].filter((name) => flags.has(name));
    return runner("run", args, [...valued, ...plain], context);
  },
};

/** `job validate`: syntax, references and forms of one job; writes nothing (execution-contract §2.6). */
export const jobValidate: Command = {
  spec: {
    name: "job validate",
    summary: "Checks one job against the forms of its apps. Writes nothing.",
    positional: SQL,
    options: [PROFILE, STRICT],
    example: "flownet job validate jobs/monthly_totals.sql",
  },
  fallbackCode: "JOB_VALIDATE_FAILED",
  run: (args, context) => runner("validate", args, [], context),
};
