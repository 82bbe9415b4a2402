import { describe, expect, it } from "vitest";
import { runEvents } from "../../../renderer/run/events/run-events.ts";
import { triggerOf } from "../../../renderer/run/trigger.ts";
import type { ResolutionFacts, RunDetail } from "../../../shared/api/index.ts";
import { attempt, invocation, node } from "./run-facts.ts";

type Detail = Parameters<typeof runEvents>[0];
const detail = (change: Partial<Pick<RunDetail, keyof Detail>>): Detail => ({
  attempts: [],
  invocations: [],
  resolutions: [],
  nodes: [],
  hold: null,
  ...change,
});
const told = (of: Detail): readonly string[] =>
  runEvents(of).map(({ kind, nodeId, attemptNo }) => [kind, nodeId, attemptNo].filter(Boolean).join(" "));

const resolution = (change: Partial<ResolutionFacts>): ResolutionFacts => ({
  recordId: "14",
  recordRevision: 1,
  attemptId: "att-1",
  outcome: "SUCCESS",
  resolutionType: "OUTCOME_CONFIRMED",
  requestedBy: "second",
  approvedBy: null,
  reason: "checked",
  evidenceRef: "ticket",
  resolvedAt: "2026-09-05T04:00:00Z",
  ...change,
});

describe("events of a Run (wire-format §5: records order, times do not)", () => {
  const late = { startedAt: "2026-09-05T09:00:00Z", finishedAt: "2026-09-05T09:00:00Z" };
  it("follows record ids, with every end behind its beginning, although all times are reversed", () => {
    const of = detail({
      invocations: [
        invocation({ recordId: "20", invocationId: "inv-2", mode: "RESUME" }),
        invocation({ recordId: "10", ...late }),
      ],
      attempts: [
        attempt({ recordId: "21", attemptId: "a2", attemptNo: 2, invocationId: "inv-2" }),
        attempt({ recordId: "12", attemptId: "b1", nodeId: "b", executionStartedAt: late.startedAt }),
        attempt({ recordId: "11", attemptId: "a1", status: "FAILED", finishedAt: late.finishedAt }),
      ],
    });
    expect(told(of)).toEqual([
      "invocationStarted",
      "attemptCreated a 1",
      "attemptEnded a 1",
      "attemptCreated b 1",
      "attemptEnded b 1",
      "invocationEnded",
      "invocationStarted",
      "attemptCreated a 2",
      "attemptEnded a 2",
      "invocationEnded",
    ]);
  });

  it("tells no end of what has not ended", () => {
    const of = detail({
      invocations: [invocation({ status: "RUNNING", finishedAt: null })],
      attempts: [attempt({ status: "RUNNING", finishedAt: null })],
    });
    expect(told(of)).toEqual(["invocationStarted", "attemptCreated a 1"]);
  });

  it("puts a decision before the invocation that was written after it", () => {
    const of = detail({
      invocations: [invocation({}), invocation({ recordId: "20", invocationId: "inv-2" })],
      attempts: [attempt({ status: "UNKNOWN" })],
      resolutions: [resolution({})],
    });
    expect(told(of)).toEqual([
      "invocationStarted",
      "attemptCreated a 1",
      "attemptEnded a 1",
      "invocationEnded",
      "resolved a",
      "invocationStarted",
      "invocationEnded",
    ]);
  });

  it("tells of nodes that came to rest without running, and of an attempt whose invocation is missing", () => {
    const of = detail({
      invocations: [invocation({})],
      attempts: [attempt({ invocationId: "lost", recordId: "5" })],
      nodes: [node({ nodeId: "z", status: "BLOCKED" }), node({ nodeId: "y" })],
      hold: { state: "ACCEPTED", requestedBy: "someone", requestedAt: "2026-09-05T00:00:00Z" },
    });
    expect(told(of)).toEqual([
      "invocationStarted",
      "nodeRested z",
      "invocationEnded",
      "attemptCreated a 1",
      "attemptEnded a 1",
      "held",
    ]);
  });

  it("gives every event a key of its own", () => {
    const many = Array.from({ length: 50 }, (_, at) =>
      attempt({ recordId: String(100 + at), attemptId: `t${at}`, attemptNo: at + 1 }),
    );
    const events = runEvents(detail({ invocations: [invocation({})], attempts: many }));
    expect(new Set(events.map((event) => event.key)).size).toBe(events.length);
  });
});

describe("what started an invocation (wire-format §1.2)", () => {
  it.each([
    ["operator", { kind: "person", who: "operator" }],
    ["app-request:12:%E5%B1%B1%E7%94%B0", { kind: "request", requestId: "12", creator: "山田" }],
    ["app-request:12:a:b", { kind: "request", requestId: "12", creator: "a:b" }],
    ["app-request:12:%zz", { kind: "request", requestId: "12", creator: "%zz" }],
    ["app-request:12", { kind: "person", who: "app-request:12" }],
  ])("%s", (requestedBy, trigger) => {
    expect(triggerOf(requestedBy)).toEqual(trigger);
  });
});
