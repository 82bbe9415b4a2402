import { describe, expect, it } from "vitest";
import {
  type AttentionItem,
  attentionItem,
  byUrgency,
  nothingToDo,
} from "../../../../shared/domain/attention.ts";
import { attentionList, nextLeaseEnd } from "../../../../shared/domain/attention-list.ts";
import type { RunInPicture } from "../../../../shared/domain/attention-picture.ts";
import type { Expectation } from "../../../../shared/domain/expectation.ts";
import { storedInvocation, storedState } from "../../../support/entities.ts";
import {
  attempt,
  hold,
  LEASE_END,
  lockPicture,
  NOW,
  type RecordsOver,
  records,
  runInPicture,
} from "./attention-samples.ts";

interface Case {
  readonly run?: Partial<RunInPicture>;
  readonly records?: RecordsOver | null;
  readonly locked?: "standing" | "stale";
}

function list({ run = {}, records: over = {}, locked }: Case, now = NOW): readonly AttentionItem[] {
  const row = runInPicture(run);
  const lock =
    locked === undefined
      ? []
      : [
          lockPicture({
            leaseExpiresAt: locked === "stale" ? "2026-09-01T00:00:00Z" : "2026-09-05T06:00:00Z",
          }),
        ];
  return attentionList(
    {
      profile: "local",
      runs: [row],
      records: new Map(over === null ? [] : [[row.runId, records(row, over)]]),
      locks: lock,
      expectations: [],
    },
    now,
  );
}

const kinds = (items: readonly AttentionItem[]): readonly string[] => items.map((item) => item.kind);

describe("what of a Run needs somebody, and in which order (operator-ux §1.1)", () => {
  const unknownNode = storedState("load", "UNKNOWN", {
    activeAttemptId: "att-1",
    latestAttemptNo: 1,
    revision: 3,
    ref: { recordId: "s", revision: 3 },
  });
  const failedNode = storedState("load", "FAILED", {
    activeAttemptId: "att-1",
    latestAttemptNo: 1,
    revision: 3,
    ref: { recordId: "s", revision: 3 },
  });
  it.each<[string, Case, readonly string[]]>([
    ["a success", { run: { status: "SUCCESS" } }, []],
    ["a closed failure", { run: { status: "FAILED", lifecycle: "ARCHIVED" } }, []],
    ["a Run at work", { run: { status: "RUNNING", activity: "LIVE" } }, []],
    ["a failed Run whose owner is at work again (W-06)", { run: { status: "FAILED", activity: "LIVE" } }, []],
    [
      "a Run that waits for its start",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [storedState("load")] },
      },
      [],
    ],
    [
      "an unknown result",
      {
        run: { status: "UNKNOWN" },
        records: {
          states: [unknownNode],
          attempts: [attempt({ status: "UNKNOWN", resultCode: "NO_EXECUTION_RESULT" })],
        },
      },
      ["unknown"],
    ],
    [
      "an unknown result while the rest goes on",
      { run: { status: "UNKNOWN", activity: "LIVE" }, records: null },
      ["unknown"],
    ],
    [
      "an unknown result whose nodes were not read",
      { run: { status: "UNKNOWN" }, records: null },
      ["unknown"],
    ],
    [
      "an interruption",
      {
        run: { status: "RUNNING", activity: "INTERRUPTED" },
        records: {
          states: [
            storedState("load", "RUNNING", {
              activeAttemptId: "att-1",
              latestAttemptNo: 1,
              revision: 3,
              ref: { recordId: "s", revision: 3 },
            }),
          ],
          attempts: [attempt({})],
        },
      },
      ["interrupted"],
    ],
    [
      "a failure",
      {
        run: { status: "FAILED" },
        records: {
          states: [failedNode],
          attempts: [attempt({ status: "FAILED", resultCode: "ASSERT_FAILED" })],
        },
      },
      ["failed"],
    ],
    ["a failure whose nodes were not read", { run: { status: "FAILED" }, records: null }, ["failed"]],
    [
      "a failure that repeated itself",
      {
        run: { status: "FAILED" },
        records: {
          states: [{ ...failedNode, activeAttemptId: "att-3", latestAttemptNo: 3 }],
          attempts: [1, 2, 3].map((attemptNo) =>
            attempt({
              attemptId: `att-${attemptNo}`,
              attemptNo,
              status: "FAILED",
              resultCode: "ASSERT_FAILED",
            }),
          ),
        },
      },
      ["retryBrake"],
    ],
    [
      "a brake the last resume wrote, whatever the attempts say",
      {
        run: { status: "FAILED" },
        records: {
          states: [{ ...failedNode, statusReason: "RETRY_BRAKE:ASSERT_FAILEDx4" }],
          attempts: [attempt({ status: "FAILED", resultCode: "ASSERT_FAILED" })],
        },
      },
      ["retryBrake"],
    ],
    [
      "a hold on an unfinished Run",
      {
        run: { status: "RUNNING", activity: "STOPPED" },
        records: { states: [storedState("load")], hold: hold({}) },
      },
      ["held"],
    ],
    [
      "a hold on a failed Run is told beside the failure",
      {
        run: { status: "FAILED" },
        records: {
          states: [failedNode],
          attempts: [attempt({ status: "FAILED", resultCode: "FAILED" })],
          hold: hold({ state: "ACCEPTED" }),
        },
      },
      ["failed", "held"],
    ],
    [
      "a released hold is none",
      {
        run: { status: "FAILED" },
        records: {
          states: [failedNode],
          attempts: [attempt({ status: "FAILED", resultCode: "FAILED" })],
          hold: hold({ state: "RELEASED" }),
        },
      },
      ["failed"],
    ],
    [
      "a creation that stopped half-way (W-07)",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [], invocations: [] },
      },
      ["halfCreated"],
    ],
    [
      "a creation under a standing lock may still be going on",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [], invocations: [] },
        locked: "standing",
      },
      [],
    ],
    [
      "a cancellation",
      { run: { status: "CANCELLED" }, records: { states: [storedState("load", "CANCELLED")] } },
      ["cancelled"],
    ],
    [
      "records that contradict each other",
      {
        run: { status: "RUNNING", activity: "INTERRUPTED" },
        records: { states: [storedState("load", "RUNNING")] },
      },
      ["interrupted", "contradictory"],
    ],
    [
      "a contradiction without anything else wrong",
      {
        run: { status: "CREATED", activity: "IDLE", startedAt: null },
        records: { states: [storedState("load", "WAITING", { revision: 2 })] },
      },
      ["contradictory"],
    ],
    [
      "what a resume repairs is evidence of the interruption, not a row",
      {
        run: { status: "RUNNING", activity: "INTERRUPTED" },
        records: {
          states: [
            storedState("load", "RUNNING", {
              activeAttemptId: "att-1",
              latestAttemptNo: 1,
              revision: 3,
              ref: { recordId: "s", revision: 3 },
            }),
          ],
          attempts: [attempt({ status: "SUCCESS", resultCode: "OK" })],
        },
      },
      ["interrupted"],
    ],
  ])("%s", (_, given, expected) => {
    expect(kinds(list(given))).toEqual(expected);
  });

  it("tells every node whose result is unknown, each with its attempt and the evidence that is there", () => {
    const states = ["a", "b"].map((id) =>
      storedState(id, "UNKNOWN", {
        activeAttemptId: `att-${id}`,
        latestAttemptNo: 2,
        revision: 3,
        ref: { recordId: id, revision: 3 },
      }),
    );
    const attempts = ["a", "b"].map((nodeId) =>
      attempt({
        nodeId,
        attemptId: `att-${nodeId}`,
        attemptNo: 2,
        status: "UNKNOWN",
        resultCode: "FORCED_TERMINATION",
      }),
    );
    const items = list({ run: { status: "UNKNOWN" }, records: { states, attempts } });
    expect(
      items.map(({ id, nodeId, attemptNo, code, responder, urgency }) => ({
        id,
        nodeId,
        attemptNo,
        code,
        responder,
        urgency,
      })),
    ).toEqual(
      ["a", "b"].map((nodeId) => ({
        id: `unknown:run-1:${nodeId}`,
        nodeId,
        attemptNo: 2,
        code: "FORCED_TERMINATION",
        responder: "second",
        urgency: "critical",
      })),
    );
    expect(items[0]?.facts).toContainEqual({
      name: "startMarker",
      kind: "time",
      value: "2026-09-05T04:00:00Z",
      precision: "minute",
    });
    expect(items[0]?.facts).toContainEqual({
      name: "sqlStarted",
      kind: "time",
      value: null,
      precision: "minute",
    });
  });

  it("counts the failures in a row and the nodes they stop (orchestration §4.6)", () => {
    const states = [failedNode, storedState("next", "BLOCKED", { blockedBy: ["load"] })];
    const attempts = [1, 2].map((attemptNo) =>
      attempt({ attemptId: `att-${attemptNo}`, attemptNo, status: "FAILED", resultCode: "ASSERT_FAILED" }),
    );
    const [item] = list({
      run: { status: "FAILED" },
      records: {
        states: [{ ...failedNode, activeAttemptId: "att-2", latestAttemptNo: 2 }, ...states.slice(1)],
        attempts,
      },
    });
    expect(item).toMatchObject({ kind: "failed", code: "ASSERT_FAILED", repeated: 2, nodeId: "load" });
    expect(item?.facts).toContainEqual({ name: "blockedNodes", kind: "count", value: 1 });
  });

  it("keeps its identity when more is learnt: a failure that becomes a braked one is the same row", () => {
    const before = list({ run: { status: "FAILED" }, records: null });
    const after = list({
      run: { status: "FAILED" },
      records: { states: [{ ...failedNode, statusReason: "RETRY_BRAKE:ASSERT_FAILEDx3" }] },
    });
    expect(after.map((item) => item.id)).toContain(before[0]?.id);
  });
});

describe("locks whose lease ended (wire-format §4.5, the 60 s margin)", () => {
  const at = (ms: number): readonly AttentionItem[] =>
    attentionList(
      { profile: "local", runs: [], records: new Map(), locks: [lockPicture({})], expectations: [] },
      Date.parse(LEASE_END) + ms,
    );
  it.each([
    [-1, 0],
    [0, 0],
    [59_999, 0],
    [60_000, 0],
    [60_001, 1],
  ])("%i ms after the lease end there are %i candidates", (ms, count) => {
    expect(at(ms)).toHaveLength(count);
  });

  it("names network, Run, margin end and holder, and calls it a candidate for the second responder", () => {
    const [item] = at(120_000);
    expect(item).toMatchObject({
      kind: "staleLock",
      id: "staleLock:9",
      networkId: "monthly_summary",
      runId: "run-1",
      lockRecordId: "9",
      urgency: "high",
      responder: "second",
      since: { at: new Date(Date.parse(LEASE_END) + 60_000).toISOString(), precision: "minute" },
    });
    expect(item?.facts).toContainEqual({
      name: "ownerInstance",
      kind: "text",
      value: "local-pid://HOST-A/8812",
    });
  });

  it("knows when time alone will change the list", () => {
    const end = Date.parse(LEASE_END);
    expect(nextLeaseEnd([lockPicture({})], end)).toBe(end + 60_001);
    expect(nextLeaseEnd([lockPicture({})], end + 60_001)).toBeNull();
    expect(nextLeaseEnd([lockPicture({ leaseExpiresAt: "?" })], end)).toBeNull();
  });

  it("makes no candidate of an expiry that cannot be read", () => {
    const locks = [lockPicture({ leaseExpiresAt: "?" })];
    expect(
      attentionList({ profile: "local", runs: [], records: new Map(), locks, expectations: [] }, NOW),
    ).toEqual([]);
  });
});

describe("lateness among the rest (decisions §5)", () => {
  const daily: Expectation = {
    networkId: "monthly_summary",
    zone: "Asia/Tokyo",
    from: "2026-09-05",
    recurrence: { every: "day" },
    businessKey: "monthly_summary@{yyyy}-{MM}-{dd}",
    existsBy: 60,
    successBy: 120,
  };
  const key = "monthly_summary@2026-09-05";
  const late = (runs: readonly RunInPicture[]): readonly AttentionItem[] =>
    attentionList({ profile: "local", runs, records: new Map(), locks: [], expectations: [daily] }, NOW);

  it.each<[string, readonly RunInPicture[], readonly string[]]>([
    ["no Run at all", [], ["lateMissing"]],
    [
      "a Run of another profile is no Run of ours",
      [runInPicture({ businessKey: key, profile: "other", status: "SUCCESS" })],
      ["lateMissing"],
    ],
    [
      "a Run at work past its due time",
      [runInPicture({ businessKey: key, status: "RUNNING", activity: "LIVE" })],
      ["lateUnfinished"],
    ],
    [
      "a failed Run is late because it failed: one row",
      [runInPicture({ businessKey: key, status: "FAILED" })],
      ["failed"],
    ],
    ["a success", [runInPicture({ businessKey: key, status: "SUCCESS" })], []],
    [
      "a closed Run is settled",
      [runInPicture({ businessKey: key, status: "FAILED", lifecycle: "ARCHIVED" })],
      [],
    ],
  ])("%s", (_, runs, expected) => {
    expect(kinds(late(runs))).toEqual(expected);
  });

  it("adds the due time to the evidence of the row that says why", () => {
    const [item] = late([runInPicture({ businessKey: key, status: "FAILED" })]);
    expect(item?.facts).toContainEqual({
      name: "lateSince",
      kind: "time",
      value: "2026-09-04T17:00:00.000Z",
      precision: "exact",
    });
  });

  it("keeps the row of a missing Run when the Run appears and is late itself", () => {
    const [before] = late([]);
    const [after] = late([runInPicture({ businessKey: key, status: "RUNNING", activity: "LIVE" })]);
    expect(after?.id).toBe(before?.id);
  });
});

describe("the order of the list (operator-ux §1.1)", () => {
  const item = (kind: Parameters<typeof attentionItem>[0], id: string, at: string | null): AttentionItem =>
    attentionItem(kind, { id, since: at === null ? null : { at, precision: "minute" }, facts: [] });

  it("is urgency, kind, the longest waiting, the id", () => {
    const items = [
      item("cancelled", "i", "2026-01-01T00:00:00Z"),
      item("lateUnfinished", "h", "2026-01-01T00:00:00Z"),
      item("held", "g", "2026-01-01T00:00:00Z"),
      item("contradictory", "f", null),
      item("failed", "e", "2026-09-02T00:00:00Z"),
      item("failed", "d", "2026-09-02T00:00:00Z"),
      item("failed", "x", "2026-09-01T00:00:00Z"),
      item("retryBrake", "c", null),
      item("interrupted", "b", null),
      item("staleLock", "a", null),
      item("unknown", "z", "2026-09-09T00:00:00Z"),
    ];
    const order = items.toSorted(byUrgency).map(({ id }) => id);
    expect(order).toEqual(["z", "a", "b", "c", "x", "d", "e", "f", "g", "h", "i"]);
  });
});

describe("nothing to do (orchestration: only when all sources were read successfully)", () => {
  const read = { readAt: "2026-09-05T05:00:00Z", failed: false, pending: 0 };
  it.each([
    ["no items and every source read", 0, [read, read], true],
    ["an item", 1, [read], false],
    ["a source never read", 0, [read, { ...read, readAt: null }], false],
    ["a source whose last reading failed", 0, [{ ...read, failed: true }], false],
    ["a source that is not through yet", 0, [{ ...read, pending: 1 }], false],
  ])("%s", (_, items, sources, expected) => {
    expect(nothingToDo(items, sources)).toBe(expected);
  });
});

describe("records of an invocation that is known", () => {
  it("does not call a Run half-created that has its invocation and its states", () => {
    const given: Case = {
      run: { status: "CREATED", activity: "IDLE", startedAt: null },
      records: { states: [storedState("load")], invocations: [storedInvocation()] },
    };
    expect(list(given)).toEqual([]);
  });
});
