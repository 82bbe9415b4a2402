import { describe, expect, it } from "vitest";
import type { KeyPolicy } from "../../shared/domain/business-key.ts";
import { liveOwner, onHold } from "../../shared/domain/lease.ts";
import type { Activity, HoldState, RunStatus } from "../../shared/domain/model.ts";
import { isStaleClaim, type OperationRequest, parseRequest } from "../../shared/domain/request.ts";
import {
  type CloseEnd,
  closeEnd,
  holdEnd,
  type RunNetworkEnd,
  resultMessage,
  runNetworkEnd,
} from "../../shared/domain/request-end.ts";
import {
  type RequestEnd,
  type RequestOperation,
  type ReviewedRun,
  type RunLookup,
  reviewRunRequest,
  reviewStaleClaim,
  reviewStart,
  type StartableNetwork,
} from "../../shared/domain/request-review.ts";
import { loadVectors, type VectorCase } from "./load.ts";

/**
 * Cases about a write that was refused or lost, and about the peer's child process: no decision lies in them. The
 * store's and the poller's own tests fix each (orchestration §7.3); ours runs operations in process, so no child can
 * fail to start or print something else.
 */
const NO_DECISION: ReadonlySet<string> = new Set([
  "cancel-before-claim-conflict",
  "invalid-request-reject-conflict-ignored",
  "claim-lost-409",
  "claim-lost-400-da02",
  "claim-response-lost-aborts-poll-peer-weakness",
  "malformed-accepted-record-aborts-poll-peer-weakness",
  "rerun-child-output-not-json",
  "rerun-child-spawn-failed",
  "close-exit-code-mismatch",
  "close-unknown-code",
]);

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function reviewedRun(networkId: string, status: Fields, run: Fields, now: number): ReviewedRun {
  const lock = status.lock === null ? null : fields(status.lock);
  const hold = run.hold === null ? null : fields(run.hold);
  const owner = lock && {
    ownerInvocationId: textOf(lock.owner_invocation_id),
    leaseExpiresAt: textOf(lock.lease_expires_at),
  };
  return {
    networkId,
    status: textOf(run.status) as RunStatus,
    lifecycle: run.lifecycle_status === "ARCHIVED" ? "ARCHIVED" : "ACTIVE",
    resumeAllowed: run.resume_allowed === true,
    hold: hold && (textOf(hold.state) as HoldState),
    activity: (run.activity ?? null) as Activity | null,
    live: liveOwner(
      owner,
      list(run.invocations).map((invocation) => textOf(invocation.invocation_id)),
      now,
    ),
  };
}

function lookup(input: Fields, now: number): RunLookup {
  const statuses = Object.entries(fields(input.status));
  if (statuses.some(([, status]) => status === "FAIL")) return { kind: "unavailable", why: "scripted" };
  const runs = statuses.flatMap(([networkId, status]) =>
    list(fields(status).runs).map((run) => reviewedRun(networkId, fields(status), run, now)),
  );
  return { kind: "read", runs };
}

function startable(input: Fields, networkId: string | null): StartableNetwork | null {
  const entry = list(input.allowlist).find((network) => network.network_id === networkId);
  if (entry === undefined) return null;
  const idempotent = Array.isArray(entry.nodes_idempotent) ? entry.nodes_idempotent : [];
  const policy = entry.business_key_policy as KeyPolicy | null;
  return {
    networkId: textOf(entry.network_id),
    appStart: entry.app_start === true,
    definition: policy === null ? null : { policy, nodesIdempotent: idempotent },
  };
}

function operationEnd(operation: RequestOperation, input: Fields): RequestEnd {
  const child = fields(input.child);
  const output = fields(child.output);
  if (operation.kind === "stop" || operation.kind === "release") {
    const refused = (child.exit_code ?? 0) !== 0;
    return holdEnd(operation.kind, refused ? { code: "RUN_ALREADY_TERMINAL", message: "x" } : null);
  }
  if (operation.kind === "close") {
    return closeEnd({
      outcome: output.outcome as CloseEnd["outcome"],
      eventId: textOf(output.event_id),
      audit: (output.audit ?? null) as CloseEnd["audit"],
      code: typeof output.code === "string" ? output.code : null,
      lockReleased: output.lock_released === true,
    });
  }
  const texts = (key: string): readonly string[] =>
    Array.isArray(output[key]) ? output[key].map(textOf) : [];
  return runNetworkEnd(operation.kind, {
    outcome: output.outcome as RunNetworkEnd["outcome"],
    runId: (output.run_id ?? null) as string | null,
    invocationId: (output.invocation_id ?? null) as string | null,
    aggregateStatus: (output.aggregate_status ?? null) as RunStatus | null,
    invocationResultCode: textOf(output.invocation_result_code),
    retryBrakeNodeIds: texts("retry_brake_node_ids"),
    blockedRunIds: texts("blocked_run_ids"),
    problem: null,
  });
}

/** State, code and message the record ends with; null when it is left as it is. */
function decided(input: Fields): { state: string; code: string; message: string } | null {
  const now = Date.parse(textOf(input.now));
  const parsed = parseRequest(fields(input.record));
  const cancelled = { state: "CANCELLED", code: "CANCELLED_BY_REQUESTER", message: "" };
  if (!parsed.valid) {
    if (parsed.identity === null) return null;
    if (parsed.cancelRequested) return cancelled;
    return { state: "REJECTED", code: "REQUEST_INVALID", message: parsed.issues.map((i) => i.code).join(" ") };
  }
  const { request } = parsed;
  if (request.state === "ACCEPTED") return staleEnd(request, input, now);
  if (request.cancelRequested) return cancelled;
  const review =
    request.type === "START"
      ? reviewStart(request, startable(input, request.networkId))
      : reviewRunRequest(request, lookup(input, now));
  const end = review.kind === "end" ? review.end : operationEnd(review.operation, input);
  const flagged = Array.isArray(fields(input.record_changes_after_first_put).cancel_requested);
  return { ...end, message: resultMessage(end, flagged) };
}

function staleEnd(request: OperationRequest, input: Fields, now: number): RequestEnd | null {
  if (!isStaleClaim(request.claim?.heartbeatAt ?? "", now)) return null;
  const verdict = reviewStaleClaim(lookup(input, now));
  return verdict.kind === "stale" ? verdict.end : null;
}

function expectedMessage({ expected }: VectorCase): Fields {
  const writes = list(expected.writes);
  return writes.at(-1) ?? {};
}

describe("a request ends as the peer's poller ends it (orchestration §7.5, §7.6)", () => {
  const cases = loadVectors("request-model.json", ["poll"]).filter(({ name }) => !NO_DECISION.has(name));

  it.each(cases)("$name", (entry) => {
    const final = fields(entry.expected.final);
    const outcome = decided(entry.input);
    const untouched = final.request_state === fields(entry.input.record).request_state;
    if (untouched) {
      expect(outcome).toBeNull();
      return;
    }
    expect({ state: outcome?.state, code: outcome?.code }).toEqual({
      state: final.request_state,
      code: final.result_code,
    });
    const write = expectedMessage(entry);
    if (typeof write.result_message === "string") expect(outcome?.message).toBe(write.result_message);
    if (typeof write.result_message_contains === "string") {
      expect(outcome?.message).toContain(write.result_message_contains);
    }
  });

  it("every case of the kind is either decided here or about a write alone", () => {
    expect(cases.length + NO_DECISION.size).toBe(loadVectors("request-model.json", ["poll"]).length);
  });
});

describe("what our review decides beyond the peer", () => {
  const request: OperationRequest = {
    id: "7",
    revision: 1,
    creatorCode: "user1",
    createdAt: "2026-09-04T01:00:00Z",
    type: "STOP",
    runId: "netrun_1",
    networkId: null,
    businessKey: null,
    scheduledFor: null,
    rerunFromNode: null,
    reason: "stop",
    state: "REQUESTED",
    cancelRequested: false,
    claim: null,
    resultCode: null,
    resultMessage: null,
  };
  const resumed: ReviewedRun = {
    networkId: "monthly_jobs",
    status: "FAILED",
    lifecycle: "ACTIVE",
    resumeAllowed: true,
    hold: null,
    activity: null,
    live: true,
  };

  it("a Run being resumed can be stopped although its record still reads FAILED (W-06)", () => {
    expect(reviewRunRequest(request, { kind: "read", runs: [resumed] })).toMatchObject({
      kind: "execute",
      operation: { kind: "stop" },
    });
    expect(onHold(null)).toBe(false);
  });

  it("a message longer than its field is cut, the mark of a late cancellation is kept (orchestration §7.2)", () => {
    const end: RequestEnd = { state: "DONE", code: "OK", message: "あ".repeat(70_000) };
    const message = resultMessage(end, true);
    expect([...message]).toHaveLength(65_535);
    expect(message.endsWith(" (cancel_ignored)")).toBe(true);
  });
});
