import { businessKeyRunProblem, type KeyPolicy, resolveBusinessKey } from "./business-key.ts";
import { onHold } from "./lease.ts";
import type { Activity, HoldState, RunStatus } from "./model.ts";
import type { OperationRequest } from "./request.ts";
import { requestedBy } from "./request.ts";
import { isTerminalRunStatus } from "./run-status.ts";

/** How a request ends, as it is written into its record (orchestration §7.6). DONE means processed, not succeeded. */
export interface RequestEnd {
  readonly state: "DONE" | "REJECTED";
  readonly code: string;
  readonly message: string;
}

/** What the poller is to do with a claimed request. */
export type RequestOperation =
  | {
      readonly kind: "rerun";
      readonly networkId: string;
      readonly runId: string;
      readonly fromNode: string | null;
    }
  | { readonly kind: "stop"; readonly networkId: string; readonly runId: string }
  | { readonly kind: "release"; readonly networkId: string; readonly runId: string }
  | { readonly kind: "close"; readonly networkId: string; readonly runId: string }
  | {
      readonly kind: "start";
      readonly networkId: string;
      readonly businessKey: string | null;
      readonly scheduledFor: string | null;
    };

export type RequestReview =
  | { readonly kind: "execute"; readonly operation: RequestOperation; readonly requestedBy: string }
  | { readonly kind: "end"; readonly end: RequestEnd };

/** One Run the request's id names, as `status` tells it. */
export interface ReviewedRun {
  readonly networkId: string;
  readonly status: RunStatus;
  readonly lifecycle: "ACTIVE" | "ARCHIVED";
  readonly resumeAllowed: boolean;
  readonly hold: HoldState | null;
  readonly activity: Activity | null;
  /** Its lock's owner is one of its Invocations and the lease stands, whatever the status says (W-06). */
  readonly live: boolean;
}

/** The Runs of allowed networks that carry the request's run id; `unavailable` when they could not be read. */
export type RunLookup =
  | { readonly kind: "read"; readonly runs: readonly ReviewedRun[] }
  | { readonly kind: "unavailable"; readonly why: string };

/** The network a START names, as the allow-list has it; null when it has none of that name. */
export interface StartableNetwork {
  readonly networkId: string;
  readonly appStart: boolean;
  /** Null: the definition cannot be read, or names another network. */
  readonly definition: {
    readonly policy: KeyPolicy;
    /** `idempotent` of each node as written; only `true` counts. */
    readonly nodesIdempotent: readonly unknown[];
  } | null;
}

const reject = (code: string, message: string): RequestReview => ({
  kind: "end",
  end: { state: "REJECTED", code, message },
});
const execute = (operation: RequestOperation, by: string): RequestReview => ({
  kind: "execute",
  operation,
  requestedBy: by,
});

/**
 * What becomes of a claimed request that names a Run: RERUN, STOP, RELEASE or CLOSE (orchestration §7.5). Nothing is
 * written by it; the operation itself checks again under the lock. A START is judged by {@link reviewStart}.
 */
export function reviewRunRequest(request: OperationRequest, lookup: RunLookup): RequestReview {
  const by = requestedBy(request.id, request.creatorCode);
  if (!by.ok) return reject(by.error.code, by.error.message);
  if (lookup.kind === "unavailable") {
    return reject(
      "STATUS_UNAVAILABLE",
      `The Run's state could not be read, so nothing was done: ${lookup.why}`,
    );
  }
  const [run] = lookup.runs;
  if (run === undefined) return reject("RUN_NOT_FOUND", "No network allowed here has a Run of this id.");
  if (lookup.runs.length > 1) {
    const networks = lookup.runs.map(({ networkId }) => networkId).join(", ");
    return reject("RUN_ID_AMBIGUOUS", `Several networks have a Run of this id: ${networks}.`);
  }
  return JUDGES[request.type](request, run, by.value);
}

type Judge = (request: OperationRequest, run: ReviewedRun, by: string) => RequestReview;

const judgeRerun: Judge = (request, run, by) => {
  const rerunnable = ["CREATED", "RUNNING", "FAILED", "CANCELLED"].includes(run.status);
  if (!rerunnable)
    return reject("RUN_STATUS_NOT_RERUNNABLE", `The Run is ${run.status}; it cannot be rerun.`);
  if (run.lifecycle !== "ACTIVE" || !run.resumeAllowed) {
    return reject("RUN_NOT_RESUMABLE", "The Run is closed or not to be resumed.");
  }
  if (onHold(run.hold) || run.activity === "STOPPED") {
    return reject("RUN_ON_HOLD", "The Run is held; release it first.");
  }
  if (run.live || run.activity === "LIVE") return reject("RUN_LIVE", "The Run is being executed.");
  const { networkId } = run;
  return execute({ kind: "rerun", networkId, runId: request.runId, fromNode: request.rerunFromNode }, by);
};

const judgeStop: Judge = (request, run, by) => {
  // A resume leaves the old end in the Run until its first node ends; while its owner lives it can be stopped (W-06).
  if (isTerminalRunStatus(run.status) && !run.live) {
    return reject("RUN_TERMINAL", `The Run has ended as ${run.status}; there is nothing to stop.`);
  }
  if (onHold(run.hold) || run.activity === "STOPPED") {
    return reject("RUN_ALREADY_ON_HOLD", "The Run is held already.");
  }
  return execute({ kind: "stop", networkId: run.networkId, runId: request.runId }, by);
};

const judgeRelease: Judge = (request, run, by) =>
  onHold(run.hold)
    ? execute({ kind: "release", networkId: run.networkId, runId: request.runId }, by)
    : reject("RUN_NOT_ON_HOLD", "The Run is not held.");

const judgeClose: Judge = (request, run, by) => {
  if (run.lifecycle === "ARCHIVED") {
    return {
      kind: "end",
      end: { state: "DONE", code: "RUN_ALREADY_ARCHIVED", message: "The Run was closed before." },
    };
  }
  if (run.status === "SUCCESS") return reject("RUN_STATUS_NOT_CLOSABLE", "A succeeded Run is not closed.");
  if (run.status === "UNKNOWN") {
    return reject("RUN_UNKNOWN_NOT_CLOSABLE", "The Run's outcome is unknown; resolve it first.");
  }
  if (!isTerminalRunStatus(run.status)) return reject("RUN_NOT_TERMINAL", "The Run has not ended.");
  if (onHold(run.hold)) return reject("RUN_ON_HOLD", "The Run is held; release it first.");
  if (run.live) return reject("RUN_LIVE", "The Run is being executed.");
  return execute({ kind: "close", networkId: run.networkId, runId: request.runId }, by);
};

const JUDGES: Readonly<Record<OperationRequest["type"], Judge>> = {
  RERUN: judgeRerun,
  STOP: judgeStop,
  RELEASE: judgeRelease,
  CLOSE: judgeClose,
  START: () => reject("REQUEST_INVALID", "A START names no Run."),
};

/**
 * What becomes of a claimed START (orchestration §7.5), in the peer's order of checks. `network`: the allow-list's
 * entry. The definition is read anew right before the Run is made.
 */
export function reviewStart(request: OperationRequest, network: StartableNetwork | null): RequestReview {
  if (request.runId !== "") return reject("RUN_ID_NOT_ALLOWED", "A START makes a new Run; it names none.");
  if (network === null) {
    return reject("NETWORK_NOT_ALLOWED", "This network is not in the allow-list; detail=NOT_IN_ALLOWLIST");
  }
  if (!network.appStart) {
    return reject(
      "NETWORK_NOT_ALLOWED",
      "This network may not be started by request; detail=APP_START_DISABLED",
    );
  }
  const { definition } = network;
  if (definition === null) {
    return reject("NETWORK_DEFINITION_INVALID", "The network's definition cannot be used.");
  }
  if (!definition.nodesIdempotent.every((value) => value === true)) {
    return reject(
      "NETWORK_NOT_IDEMPOTENT",
      "A network with a node that must not run twice is not started by request.",
    );
  }
  const key = keyRefusal(request, network.networkId, definition.policy);
  if (key !== null) return key;
  const by = requestedBy(request.id, request.creatorCode);
  if (!by.ok) return reject(by.error.code, by.error.message);
  const { businessKey, scheduledFor } = request;
  return execute({ kind: "start", networkId: network.networkId, businessKey, scheduledFor }, by.value);
}

function keyRefusal(request: OperationRequest, networkId: string, policy: KeyPolicy): RequestReview | null {
  const { businessKey, scheduledFor } = request;
  const mismatch = (message: string): RequestReview => reject("KEY_POLICY_MISMATCH", message);
  if (policy.type === "explicit") {
    if (scheduledFor !== null) return mismatch("This network's Runs are named by a key, not by a period.");
    if (businessKey === null) return mismatch("This network's Runs need a business key.");
  } else {
    if (scheduledFor === null && businessKey === null) return mismatch("This network's Runs need a period.");
    if (scheduledFor === null)
      return reject("AS_OF_UNDEFINED", "A key alone does not say which period is meant.");
  }
  const resolved = resolveBusinessKey({
    networkId,
    policy,
    ...(businessKey === null ? {} : { businessKey }),
    ...(scheduledFor === null ? {} : { scheduledFor }),
  });
  const problem = resolved.ok ? businessKeyRunProblem(resolved.value.businessKey) : resolved.error[0];
  if (problem === null) return null;
  if (problem?.code === "SCHEDULED_FOR_INVALID") {
    return reject("INVALID_TIMESTAMP_FORMAT", problem.message);
  }
  return mismatch(problem?.message ?? "The business key is refused.");
}

/** What is known of a claim that has been silent for too long (orchestration §7.4). */
export type StaleVerdict =
  /** Exactly one Run is named and nobody executes it: execution and result are unknown, and never repeated. */
  | { readonly kind: "stale"; readonly end: RequestEnd }
  /** Left ACCEPTED: live, not found, or not told apart. */
  | { readonly kind: "leave" }
  | { readonly kind: "unavailable"; readonly why: string };

/** Adjudicates a silent claim from the Runs it names, for a START those of its key (orchestration §7.4). */
export function reviewStaleClaim(lookup: RunLookup): StaleVerdict {
  if (lookup.kind === "unavailable") return lookup;
  const [run] = lookup.runs;
  if (run === undefined || lookup.runs.length > 1 || run.live || run.activity === "LIVE") {
    return { kind: "leave" };
  }
  return {
    kind: "stale",
    end: {
      state: "REJECTED",
      code: "STALE",
      message:
        "Whoever took this request fell silent. Whether it was carried out is unknown; look at the Run first.",
    },
  };
}
