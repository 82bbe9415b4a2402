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
  readonly localOnly: boolean;
  readonly forceUnlock: boolean;
  /** Null for a run that writes. */
  readonly dryRun: { readonly samples: number; readonly json: boolean } | null;
}

/** Samples a dry run shows unless told otherwise (execution-contract §4.5). */
const DEFAULT_SAMPLES = 5;

/**
 * Checks the other flags of `run` (execution-contract §1.1, §4.1, §4.5). Error `CONFIG_ERROR`: combinations the
 * contract refuses, and an as-of time without offset (W18).
 */
export function runRequest(args: ParsedArguments, orchestrated: boolean): Result<RunRequest> {
  const refused = orchestrated ? REFUSED_WHEN_ORCHESTRATED.find((flag) => args.has(flag)) : undefined;
  if (refused !== undefined) {
    return refuse(`--${refused} cannot be combined with --result-json.`, `--${refused}`);
  }
  const lock = args.value("lock");
  if (lock !== null && lock !== "local-only") return refuse("--lock knows only local-only.", "--lock");
  const dryRun = dryRunRequest(args);
  if (!dryRun.ok) return dryRun;
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
    localOnly: lock !== null,
    // With an orchestrator the flag has no effect: it would release other nodes' locks.
    forceUnlock: args.has("force-unlock") && !orchestrated,
    dryRun: dryRun.value,
  });
}

function dryRunRequest(args: ParsedArguments): Result<RunRequest["dryRun"]> {
  if (!args.has("dry-run")) {
    const alone = ["json", "sample"].find((flag) => args.has(flag));
    return alone === undefined ? ok(null) : refuse(`--${alone} belongs to --dry-run.`, `--${alone}`);
  }
  const sample = args.value("sample");
  const samples = sample === null ? DEFAULT_SAMPLES : Number(sample);
  const usable = sample === null || (/^\d{1,2}$/.test(sample) && samples >= 1 && samples <= 50);
  if (!usable) return refuse("--sample is not a whole number from 1 to 50.", "--sample");
  return ok({ samples, json: args.has("json") });
}
