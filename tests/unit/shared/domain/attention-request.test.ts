import { describe, expect, it } from "vitest";
import { type PollerPicture, requestAttention } from "../../../../shared/domain/attention-request.ts";
import type { OperationRequest, ParsedRequest } from "../../../../shared/domain/request.ts";

const NOW = Date.parse("2026-09-04T12:00:00Z");
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();
const STALE_AFTER_MS = 900_000;

const request = (over: Partial<OperationRequest> = {}): ParsedRequest => ({
  valid: true,
  request: {
    id: "7",
    revision: 1,
    creatorCode: "tanaka",
    createdAt: ago(30),
    type: "RERUN",
    runId: "run_1",
    networkId: null,
    businessKey: null,
    scheduledFor: null,
    rerunFromNode: null,
    reason: "欠損の補正",
    state: "REQUESTED",
    cancelRequested: false,
    claim: null,
    resultCode: null,
    resultMessage: null,
    ...over,
  },
});
const claimed = (id: string, heartbeat: number): ParsedRequest =>
  request({ id, state: "ACCEPTED", claim: { at: ago(40), host: "HOST-B", heartbeatAt: ago(heartbeat) } });
const told = (open: readonly ParsedRequest[], poller: PollerPicture | null = null) =>
  requestAttention({ open, poller, staleAfterMs: STALE_AFTER_MS }, NOW);
const kinds = (...given: Parameters<typeof told>) => told(...given).map(({ kind, id }) => [kind, id]);

const reads: PollerPicture = { lastSuccessAt: ago(0.5), problem: null };
const fails: PollerPicture = { lastSuccessAt: ago(20), problem: "STORE_UNREACHABLE" };

describe("claims that have been silent for too long (orchestration §7.4, wire-format §4.6)", () => {
  it.each([
    ["fresh", 1, []],
    ["at the limit, the lost minute allowed for", 16, []],
    ["silent beyond it", 16.1, [["staleRequest", "staleRequest:3"]]],
  ])("%s", (_name, heartbeat, expected) => {
    expect(kinds([claimed("3", heartbeat)])).toEqual(expected);
  });
  it("names the Run, the host and the last heartbeat, and is the second responder's", () => {
    const [item] = told([claimed("3", 20)]);
    expect(item).toMatchObject({ requestId: "3", runId: "run_1", urgency: "high", responder: "second" });
    expect(item?.since).toEqual({ at: ago(20), precision: "minute" });
    expect(item?.facts).toContainEqual({ name: "claimedHost", kind: "text", value: "HOST-B" });
  });
});

describe("a claim whose record cannot be read (orchestration §7.4)", () => {
  const unreadable = (state: "ACCEPTED" | "REQUESTED" | "DONE" | null): ParsedRequest => ({
    valid: false,
    issues: [{ code: "CLAIM_FIELDS_INCOMPLETE", field: "claimed_at" }],
    identity: state === null ? null : { id: "7", revision: 2, state },
    cancelRequested: false,
  });
  it("needs somebody at once: no poller ends it, and how long it is silent nobody can tell", () => {
    const [item] = told([unreadable("ACCEPTED")], reads);
    expect(item).toMatchObject({ id: "staleRequest:7", requestId: "7", responder: "second", since: null });
    expect(item?.facts).toContainEqual({
      name: "finding",
      kind: "text",
      value: "claimed_at: CLAIM_FIELDS_INCOMPLETE",
    });
  });
  it.each(["REQUESTED", "DONE", null] as const)("is none in the state %s", (state) => {
    expect(kinds([unreadable(state)], reads)).toEqual([]);
  });
});

describe("a poller that is silent (operator-ux §1.1)", () => {
  const silent = [["pollerSilent", "pollerSilent"]];
  it.each<[string, readonly ParsedRequest[], PollerPicture | null, readonly unknown[]]>([
    ["nothing waits and nobody polls here", [], null, []],
    ["a request that has just come", [request({ createdAt: ago(10) })], null, []],
    ["a request that waited too long", [request({ createdAt: ago(11.1) })], null, silent],
    ["one taken back is no longer waited for", [request({ cancelRequested: true })], null, []],
    ["a claim that shows life: whoever works takes one at a time", [request(), claimed("3", 1)], null, []],
    ["the poller here reads: the network's lock is taken", [request()], reads, []],
    ["the poller here has not read for long, and nothing waits", [], fails, silent],
    ["its last failure is young", [], { lastSuccessAt: ago(3), problem: "STORE_UNREACHABLE" }, []],
    ["it has never read", [], { lastSuccessAt: null, problem: "STORE_UNREACHABLE" }, silent],
    ["its first cycle is under way", [], { lastSuccessAt: null, problem: null }, []],
    [
      "its loop stands still although the last cycle was good",
      [request()],
      { lastSuccessAt: ago(15), problem: null },
      silent,
    ],
    [
      "what cannot be read waits for nobody",
      [{ valid: false, issues: [], identity: null, cancelRequested: false }],
      null,
      [],
    ],
  ])("%s", (_name, open, poller, expected) => {
    expect(kinds(open, poller)).toEqual(expected);
  });
  it("tells the oldest request, how many wait, and what keeps the poller here", () => {
    const [item] = told([request({ id: "12" }), request({ id: "9", createdAt: ago(50) })], fails);
    expect(item).toMatchObject({ code: "STORE_UNREACHABLE", since: { at: ago(50), precision: "minute" } });
    expect(item?.facts).toContainEqual({ name: "waitingRequests", kind: "count", value: 2 });
    expect(item?.facts).toContainEqual({ name: "requestId", kind: "text", value: "9" });
  });
});
