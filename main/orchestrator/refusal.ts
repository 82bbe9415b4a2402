import type { Run } from "../../shared/domain/model.ts";
import { errorText, FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { RunNetworkResult } from "./ports.ts";

const REJECTED: RunNetworkResult = {
  outcome: "REJECTED",
  runId: null,
  invocationId: null,
  aggregateStatus: null,
  invocationResultCode: "RUN_NETWORK_FAILED",
  retryBrakeNodeIds: [],
  blockedRunIds: [],
  problem: null,
  networkId: null,
  nodes: [],
};

/** A Run that exists although its start was refused. */
export interface KnownRun {
  readonly runId: string;
  readonly invocationId: string;
  readonly networkId: string;
}

/** A refusal as the result of `run-network` (orchestration section 9.2), with the Run that was left, if one was. */
export const rejected = (problem: Problem, left: KnownRun | null = null): RunNetworkResult => ({
  ...REJECTED,
  ...left,
  invocationResultCode: problem.code,
  blockedRunIds: blockingRuns(problem),
  problem,
});

function blockingRuns(problem: Problem): readonly string[] {
  const ids = problem.details?.blockedRunIds;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** The Run of this key succeeded already (orchestration section 2.2); a lock that stayed behind is told with it (W-16). */
export function noop(existing: Run | null, lockLeft: Problem | null): RunNetworkResult {
  return {
    ...REJECTED,
    outcome: "NOOP",
    runId: existing?.runId ?? null,
    aggregateStatus: existing?.status ?? null,
    invocationResultCode: "NOOP_ALREADY_SUCCESS",
    problem: lockLeft,
    networkId: existing?.networkId ?? null,
  };
}

/** What an abort before the Run looks like where it was noticed; none of it is what went wrong. */
const GIVEN_UP: ReadonlySet<string> = new Set([
  "CANCELLED",
  "LOCK_UNAVAILABLE",
  "STORE_UNREACHABLE",
  "BUNDLE_UPLOAD_FAILED",
]);

/** A refusal told as the abort that caused it; anything else, and any Run that exists, is told as it is. */
export function asCancelled(result: RunNetworkResult): RunNetworkResult {
  const { problem } = result;
  if (result.outcome !== "REJECTED" || problem === null) return result;
  const caused = GIVEN_UP.has(problem.code) && problem.details?.runId === undefined;
  return caused ? rejected(cancelled(problem)) : result;
}

const cancelled = (cause: Problem): Problem => ({
  code: "CANCELLED",
  message: "Stopped before a Run was created; no node was started.",
  place: "the start of the Run",
  remedy: "Start it again when you want it to run.",
  details: { ...cause.details, cause: cause.code },
});

/** What is told of a start whose creation was settled by nothing but giving the lock back (fenced-writes R1). */
export function aboutCreation(cause: Problem, runId: string, stands: "exists" | "unknown"): Problem {
  const exists = stands === "exists";
  return {
    ...cause,
    message: exists
      ? `${cause.message} The Run was created all the same: it stands as CREATED, and no node was started.`
      : `${cause.message} Whether the Run was created is not known; no node was started.`,
    place: `Run ${runId}`,
    remedy: exists
      ? "Resume the Run; until then it counts among the active Runs of its network."
      : "Look at the status of the network once kintone answers; start again only if the Run is not there.",
    details: { ...cause.details, runId },
  };
}

/** What was thrown before there was a Run. */
export function problemOf(error: unknown): Problem {
  return error instanceof FlowError
    ? error.problem
    : {
        code: "RUN_NETWORK_FAILED",
        message: errorText(error),
        place: "the start of the Run",
        remedy: "Look at the status of the network before starting again.",
      };
}

/** `NETWORK_VALIDATION_FAILED` with everything that is wrong in `details.problems`. */
export function invalidDefinition(problems: readonly Problem[]): Problem {
  const [first] = problems;
  return {
    code: "NETWORK_VALIDATION_FAILED",
    message:
      `The network definition has ${problems.length} problem(s); nothing was started. ${first?.message ?? ""}`.trim(),
    ...(first?.place === undefined ? {} : { place: first.place }),
    remedy: "Run validate on the file and correct what it lists.",
    details: { problems },
  };
}

/** The id is of a Run that this definition and profile have nothing to do with (orchestration section 2.1, R1). */
export const runIdMismatch = (run: Run | null): Problem => ({
  code: "RUN_ID_MISMATCH",
  message: `Run ${run?.runId ?? ""} belongs to network ${run?.networkId ?? ""}, profile ${run?.profileSnapshot.profile ?? ""}. Nothing was started.`,
  place: "--resume-run",
  remedy: "Name the definition of that network, or another Run.",
});
