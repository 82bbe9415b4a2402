import type { FlagTable } from "./arguments.ts";

const PROFILE = { profile: "value", config: "value" } as const;

/** Flags of the commands that exist (execution-contract §1.2). */
export const COMMAND_FLAGS: Readonly<Record<string, FlagTable>> = {
  capabilities: { json: "boolean" },
  "describe-profile": { ...PROFILE, json: "boolean" },
  "inspect-job": { ...PROFILE, file: "value", json: "boolean" },
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

/** Commands of the contract this runner does not have yet (execution-contract §1.2). */
export const MISSING_COMMANDS: readonly string[] = [
  "inspect-lock",
  "force-unlock-job",
  "validate",
  "validate-all",
  "run-all",
  "unlock",
  "init-logapp",
];

export const USAGE = `Usage: job-runner <command> [options]

  capabilities     --json
  describe-profile --profile <name> --config <path> --json
  inspect-job      -f <sql> --profile <name> --config <path> --json
  run              -f <sql> [--profile <name>] [--config <path>] [--as-of <ISO 8601 with offset>]
                   [--max-api-calls <n>]
                   [--result-json <path|-> --correlation-id <id> --attempt-id <id> --expected-job-id <id>]

Exit codes: 0 success or no data, 1 invalid job or configuration, 2 ASSERT violated,
3 kintone, timeout, lock unavailable, cancelled or internal, 5 the job is already running.
`;
