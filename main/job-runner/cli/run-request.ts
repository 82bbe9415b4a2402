import { isRunnerId } from "../../../shared/contract/index.ts";
import { isOffsetIso } from "../../../shared/domain/datetime.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { ParsedArguments } from "./arguments.ts";

/** The orchestrator's four flags, well formed (execution-contract §4.1). */
export interface OrchestratorFlags {
  /** `-` or a path. */
  readonly resultTarget: string;
  readonly correlationId: string;
  readonly attemptId: string;
  readonly expectedJobId: string;
}

const FOUR = ["result-json", "correlation-id", "attempt-id", "expected-job-id"] as const;
const FILES_NOT_BUILT = [
  "import-csv",
  "import-json",
  "expected-import-sha256",
  "export-csv",
  "export-encoding",
  "export-timezone",
] as const;
const REFUSED_WHEN_ORCHESTRATED = ["dry-run", "json", "sample", "lock"] as const;

const refuse = (message: string, place: string): { readonly ok: false; readonly error: Problem } =>
  fail({ code: "CONFIG_ERROR", message, place });

/**
 * The four flags, null when none is given. Error `CONFIG_ERROR` when some are missing or malformed: then the
 * run has no place for a result (execution-contract §4.2, step 1).
 */
export function orchestratorFlags(args: ParsedArguments): Result<OrchestratorFlags | null> {
  const given = FOUR.filter((flag) => args.has(flag));
  if (given.length === 0) return ok(null);
  const missing = FOUR.find((flag) => !args.has(flag));
  if (missing !== undefined)
    return refuse(`--${missing} is missing: the four flags go together.`, `--${missing}`);
  for (const flag of FOUR.slice(1)) {
    if (!isRunnerId(args.value(flag) ?? "")) {
      return refuse(`--${flag} does not match ^[A-Za-z0-9._:-]{1,128}$.`, `--${flag}`);
    }
  }
  const resultTarget = args.value("result-json") ?? "";
  if (resultTarget === "") return refuse("--result-json is empty.", "--result-json");
  return ok({
    resultTarget,
    correlationId: args.value("correlation-id") ?? "",
    attemptId: args.value("attempt-id") ?? "",
    expectedJobId: args.value("expected-job-id") ?? "",
  });
}

/** What a run is asked for beside the four flags. */
export interface RunRequest {
  readonly sqlPath: string;
  /** Echoed verbatim; null = the start of the run. */
  readonly asOf: string | null;
  readonly maxApiCalls: number | null;
  readonly strict: boolean;
}

/**
 * Checks the other flags of `run` (execution-contract §4.1). Error `CONFIG_ERROR`: what this runner does not
 * have yet, combinations the contract refuses, and an as-of time without offset (W18).
 */
export function runRequest(args: ParsedArguments, orchestrated: boolean): Result<RunRequest> {
  const file = FILES_NOT_BUILT.find((flag) => args.has(flag));
  if (file !== undefined) {
    const message = `--${file} is not built yet: this runner neither imports nor exports files (features.importCsv and features.resultCsv are false).`;
    return refuse(message, `--${file}`);
  }
  const refused = REFUSED_WHEN_ORCHESTRATED.find((flag) => args.has(flag));
  if (refused !== undefined) {
    const why = orchestrated ? "cannot be combined with --result-json" : "is not built yet";
    return refuse(`--${refused} ${why}.`, `--${refused}`);
  }
  // With an orchestrator the flag has no effect; alone it would release every lock of the profile.
  if (!orchestrated && args.has("force-unlock")) {
    return refuse("--force-unlock is not built yet.", "--force-unlock");
  }
  const asOf = args.value("as-of");
  if (asOf !== null && !isOffsetIso(asOf)) {
    return refuse("--as-of is not ISO 8601 with an offset, such as 2026-04-01T09:00:00+09:00.", "--as-of");
  }
  const maxApiCalls = args.value("max-api-calls");
  if (maxApiCalls !== null && !/^[1-9]\d{0,8}$/.test(maxApiCalls)) {
    return refuse("--max-api-calls is not a whole number of 1 or more.", "--max-api-calls");
  }
  const sqlPath = args.value("file");
  if (sqlPath === null || sqlPath === "") return refuse("-f is missing: no SQL file was named.", "-f");
  return ok({
    sqlPath,
    asOf,
    maxApiCalls: maxApiCalls === null ? null : Number(maxApiCalls),
    strict: args.has("strict"),
  });
}
