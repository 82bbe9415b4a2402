import type { RunStatus } from "./model.ts";
import type { Problem } from "./problem.ts";
import type { RequestEnd } from "./request-review.ts";

/** What `run-network` came to, as far as a request's result tells it (orchestration §9.2). */
export interface RunNetworkEnd {
  readonly outcome: "NEW" | "RESUME" | "NOOP" | "REJECTED";
  readonly runId: string | null;
  readonly invocationId: string | null;
  readonly aggregateStatus: RunStatus | null;
  readonly invocationResultCode: string;
  readonly retryBrakeNodeIds: readonly string[];
  readonly blockedRunIds: readonly string[];
  readonly problem: Problem | null;
}

/** What a CLOSE came to (orchestration §4.8). */
export interface CloseEnd {
  readonly outcome: "ARCHIVED" | "ALREADY_ARCHIVED" | "REJECTED" | "UNCONFIRMED";
  readonly eventId: string | null;
  /** Of an ARCHIVED Run: whether its audit is stored. */
  readonly audit: "RECORDED" | "PENDING" | null;
  readonly code: string | null;
  readonly lockReleased: boolean;
}

/** The longest message a record takes, in code points (orchestration §7.2). */
const MESSAGE_MAX = 65_535;
const done = (code: string, message: string): RequestEnd => ({ state: "DONE", code, message });
const rejected = (code: string, message: string): RequestEnd => ({ state: "REJECTED", code, message });

/** Result of a RERUN or START (orchestration §7.6). A START that found its key done names the Run of it. */
export function runNetworkEnd(kind: "rerun" | "start", end: RunNetworkEnd): RequestEnd {
  const { outcome, invocationId, invocationResultCode, retryBrakeNodeIds, runId } = end;
  const facts = `aggregate=${end.aggregateStatus ?? "none"}; invocation_id=${invocationId ?? "none"}`;
  if (outcome === "NOOP") {
    return done("NOOP_ALREADY_SUCCESS", kind === "start" ? `${facts}; run_id=${runId ?? "none"}` : facts);
  }
  if (invocationId !== null) {
    if (retryBrakeNodeIds.length === 0) return done(invocationResultCode, facts);
    return done("RETRY_BRAKE", `${facts}; retry_brake_node_ids=${retryBrakeNodeIds.join(",")}`);
  }
  return rejected(invocationResultCode, refusalMessage(end));
}

function refusalMessage({ problem, runId, blockedRunIds, invocationResultCode }: RunNetworkEnd): string {
  const names = [...new Set([...(runId === null ? [] : [runId]), ...blockedRunIds])];
  const message = problem?.message ?? `Refused with ${invocationResultCode}.`;
  return names.length === 0 ? message : `${message} (${names.join(", ")})`;
}

/** Result of a STOP or RELEASE that was carried out, or of one refused in between; the cause stands in the message (W-29). */
export function holdEnd(kind: "stop" | "release", problem: Problem | null): RequestEnd {
  if (problem !== null) return rejected("CANCEL_RUN_REJECTED", `${problem.code}: ${problem.message}`);
  return kind === "stop"
    ? done("STOP_REQUESTED", "The Run stops before its next node.")
    : done("RELEASED", "The Run is free to be resumed; nothing was started.");
}

/**
 * Result of a CLOSE (orchestration §7.6): an unknown Run state goes before a missing audit, that before a held lock.
 * Messages are the peer's `key=value` form, by which its own screens read them.
 */
export function closeEnd(end: CloseEnd): RequestEnd {
  const { outcome, code, audit, lockReleased } = end;
  const event = `event_id=${end.eventId ?? "none"}`;
  const lock = lockReleased ? "" : " lock_release_failed=true";
  switch (outcome) {
    case "UNCONFIRMED":
      return rejected("ARCHIVE_UNCONFIRMED", `${event}${lock}`);
    case "REJECTED":
      return rejected(code ?? "ARCHIVE_WRITE_FAILED", `${event}${lock}`);
    case "ALREADY_ARCHIVED":
      if (lockReleased) return done("RUN_ALREADY_ARCHIVED", event);
      return done("RUN_ARCHIVED_LOCK_UNRELEASED", `${event} already_archived=true${lock}`);
    case "ARCHIVED":
      if (audit !== "RECORDED") {
        return done("RUN_ARCHIVED_AUDIT_PENDING", `code=${code ?? "none"} ${event}${lock}`);
      }
      return done(lockReleased ? "RUN_ARCHIVED" : "RUN_ARCHIVED_LOCK_UNRELEASED", `${event}${lock}`);
  }
}

/** The message as the record takes it: cut to its length, and with the mark of a cancellation that came too late (orchestration §7.3). */
export function resultMessage(end: RequestEnd, cancelRequested: boolean): string {
  const mark = cancelRequested ? " (cancel_ignored)" : "";
  const room = MESSAGE_MAX - mark.length;
  const points = [...end.message];
  return `${points.length > room ? points.slice(0, room).join("") : end.message}${mark}`;
}
