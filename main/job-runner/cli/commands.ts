import type { FlagTable } from "./arguments.ts";

const PROFILE = { profile: "value", config: "value" } as const;

/** Flags of the commands that exist (execution-contract §1.2). */
export const COMMAND_FLAGS: Readonly<Record<string, FlagTable>> = {
  capabilities: { json: "boolean" },
  "describe-profile": { ...PROFILE, json: "boolean" },
  "inspect-job": { ...PROFILE, file: "value", json: "boolean" },
  "inspect-lock": { ...PROFILE, "job-key": "value", json: "boolean" },
  "force-unlock-job": {
    ...PROFILE,
    "job-key": "value",
    reason: "value",
    "confirmed-by": "value",
    "evidence-ref": "value",
    json: "boolean",
  },
  validate: { ...PROFILE, file: "value", strict: "boolean", "check-logapp": "boolean" },
  "validate-all": { ...PROFILE, strict: "boolean" },
  "init-logapp": { ...PROFILE, name: "value" },
  run: {
    ...PROFILE,
    file: "value",
    "as-of": "value",
    strict: "boolean",
    "max-api-calls": "value",
    lock: "value",
    "force-unlock": "boolean",
    "dry-run": "boolean",
    sample: "value",
    json: "boolean",
    "result-json": "value",
    "correlation-id": "value",
    "attempt-id": "value",
    "expected-job-id": "value",
    "import-csv": "list",
    "import-json": "list",
    "expected-import-sha256": "list",
    "export-csv": "list",
    "export-encoding": "value",
    "export-timezone": "value",
  },
};

/** Positionals of a command; every other takes none. */
export const POSITIONALS: Readonly<Record<string, number>> = { "validate-all": 1 };

/** Commands whose stdout is one JSON object and nothing else (execution-contract §1). */
export const MACHINE_COMMANDS: readonly string[] = [
  "capabilities",
  "describe-profile",
  "inspect-job",
  "inspect-lock",
  "force-unlock-job",
];

/** Commands for a folder or a profile as a whole: an orchestrator never calls them, and FlowNet is one. */
export const LEFT_OUT_COMMANDS: readonly string[] = ["run-all", "unlock"];

export const USAGE = `Usage: job-runner <command> [options]

  capabilities     --json
  describe-profile --profile <name> --config <path> --json
  inspect-job      -f <sql> --profile <name> --config <path> --json
  inspect-lock     --job-key <key> --profile <name> --config <path> --json
  force-unlock-job --job-key <key> --reason <text> --confirmed-by <name> --evidence-ref <uri>
                   --profile <name> --config <path> --json
  run              -f <sql> [--profile <name>] [--config <path>] [--as-of <ISO 8601 with offset>]
                   [--strict] [--max-api-calls <n>] [--lock local-only] [--force-unlock]
                   [--dry-run [--sample <1..50>] [--json]]
                   [--import-csv <name>=<path>]... [--import-json <name>=<path>]...
                   [--expected-import-sha256 <name>=<64 hex>]...
                   [--export-csv [<name>=]<path>]... [--export-encoding utf8|sjis] [--export-timezone <zone>]
                   [--result-json <path|-> --correlation-id <id> --attempt-id <id> --expected-job-id <id>]
  validate         -f <sql> [--strict] [--check-logapp] [--profile <name>] [--config <path>]
  validate-all     <folder> [--strict] [--profile <name>] [--config <path>]
  init-logapp      [--name <app name>] [--profile <name>] [--config <path>]

Exit codes: 0 success or no data, 1 invalid job or configuration, 2 ASSERT violated,
3 kintone, timeout, lock unavailable, cancelled or internal, 5 the job is already running.
`;
