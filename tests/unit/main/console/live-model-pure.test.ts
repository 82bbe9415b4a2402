import { describe, expect, it } from "vitest";
import { createPicture } from "../../../../main/console/live-model-picture.ts";
import { coalesceRun, createLiveQueue } from "../../../../main/console/live-model-queue.ts";
import { diffRow } from "../../../../main/console/live-model-rows.ts";
import {
  isGap,
  nextDelayMs,
  plannedIntervalMs,
  type ScheduleFacts,
} from "../../../../main/console/live-model-schedule.ts";
import type { RunDiff } from "../../../../shared/api/index.ts";
import { row } from "../../../support/run-rows.ts";

describe("diffs of the Run list (operator-ux U1, U4)", () => {
  const known = row({ revision: 5 });
  it.each<[string, ReturnType<typeof row>, RunDiff | null]>([
    ["nothing changed", row({ revision: 5 }), null],
    ["an older revision is history", row({ revision: 4, status: "FAILED" }), null],
    ["a new revision alone", row({ revision: 6 }), { id: "run-1", revision: 6, fields: {} }],
    [
      "only the changed fields travel",
      row({ revision: 6, status: "SUCCESS", finishedAt: "2026-09-01T00:03:00Z" }),
      { id: "run-1", revision: 6, fields: { status: "SUCCESS", finishedAt: "2026-09-01T00:03:00Z" } },
    ],
    [
      "activity changes without the record",
      row({ revision: 5, activity: "INTERRUPTED" }),
      { id: "run-1", revision: 5, fields: { activity: "INTERRUPTED" } },
    ],
    [
      "an ended Run judged for the first time",
      row({ revision: 5, activityJudgedAt: "t" }),
      {
        id: "run-1",
        revision: 5,
        fields: { activityJudgedAt: "t" },
      },
    ],
  ])("%s", (_, next, expected) => {
    expect(diffRow(known, next)).toEqual(expected);
  });

  it("does not tell that an ended Run was judged again", () => {
    const ended = row({ status: "SUCCESS", activityJudgedAt: "t1" });
    expect(diffRow(ended, { ...ended, activityJudgedAt: "t2" })).toBeNull();
  });

  it("tells all of a Run it has not told before", () => {
    expect(diffRow(undefined, known)).toEqual({ id: "run-1", revision: 5, fields: known });
  });

  it.each<[string, RunDiff, RunDiff, RunDiff]>([
    [
      "later fields replace earlier ones and the rest is kept",
      { id: "r", revision: 1, fields: { status: "RUNNING", activity: "LIVE" } },
      { id: "r", revision: 2, fields: { status: "SUCCESS" } },
      { id: "r", revision: 2, fields: { status: "SUCCESS", activity: "LIVE" } },
    ],
    [
      "an overtaken diff does not undo a newer one",
      { id: "r", revision: 3, fields: { status: "SUCCESS" } },
      { id: "r", revision: 2, fields: { status: "RUNNING" } },
      { id: "r", revision: 3, fields: { status: "SUCCESS" } },
    ],
  ])("coalesces two diffs: %s", (_, earlier, later, expected) => {
    expect(coalesceRun(earlier, later)).toEqual(expected);
  });
});

describe("the queue of one reader", () => {
  it("holds one entry a subject through a burst and keeps the final state", () => {
    const queue = createLiveQueue();
    for (let revision = 1; revision <= 1000; revision++) {
      queue.run({ id: "r", revision, fields: { updatedAt: `t${revision}` } });
      queue.node({ runId: "r", nodeId: "n", status: "RUNNING", attemptId: `a${revision}`, pid: null });
    }
    const batch = queue.take();
    expect(batch.runs).toEqual([{ id: "r", revision: 1000, fields: { updatedAt: "t1000" } }]);
    expect(batch.nodes).toHaveLength(1);
    expect(batch.nodes[0]?.attemptId).toBe("a1000");
    expect(batch.resync).toBe(false);
    expect(queue.empty()).toBe(true);
  });

  it("drops the changes of a reader that does not read, and tells it to read again", () => {
    const queue = createLiveQueue(2);
    for (const id of ["a", "b", "c"]) queue.run({ id, revision: 1, fields: {} });
    expect(queue.take()).toMatchObject({ resync: true, runs: [] });
    queue.run({ id: "d", revision: 1, fields: {} });
    expect(queue.take()).toMatchObject({ resync: false, runs: [{ id: "d" }] });
  });
});

describe("when the state app is read next (operator-ux U2, U7)", () => {
  const calm: ScheduleFacts = {
    embedded: false,
    ownLive: false,
    looked: true,
    liveRun: false,
    used: 0,
    failures: 0,
  };
  it.each<[string, Partial<ScheduleFacts>, number]>([
    ["a Run of ours on the embedded workspace", { embedded: true, ownLive: true }, 2_000],
    ["a Run of ours, nobody looking, embedded", { embedded: true, ownLive: true, looked: false }, 2_000],
    ["somebody looks at the embedded workspace", { embedded: true }, 15_000],
    ["the embedded workspace has no budget", { embedded: true, used: 5 }, 15_000],
    ["somebody looks at a live Run", { liveRun: true }, 15_000],
    ["somebody looks, a Run of ours on a kintone tells of itself", { ownLive: true }, 60_000],
    ["somebody looks and nothing is live", {}, 60_000],
    ["nobody looks, a Run of ours on a kintone", { looked: false, ownLive: true }, 60_000],
    ["nobody looks and nothing is ours", { looked: false, liveRun: true }, 300_000],
    ["just below 70 % of the day's requests", { liveRun: true, used: 0.6999 }, 15_000],
    ["70 % of the day's requests are used", { liveRun: true, used: 0.7 }, 30_000],
    ["85 % of the day's requests are used", { liveRun: true, used: 0.85 }, 60_000],
    ["all of the day's requests are used", { looked: false, used: 1.2 }, 1_200_000],
  ])("%s", (_, change, expected) => {
    expect(plannedIntervalMs({ ...calm, ...change })).toBe(expected);
    expect(nextDelayMs({ ...calm, ...change }, 0.99)).toBe(expected);
  });

  it.each([
    [1, 4_000, 5_000],
    [2, 8_000, 10_000],
    [4, 32_000, 40_000],
    [5, 48_000, 60_000],
    [50, 48_000, 60_000],
  ])(
    "after %i failures backs off around its base, at most a minute and a fifth",
    (failures, least, middle) => {
      const facts = { ...calm, embedded: true, ownLive: true, failures };
      expect(nextDelayMs(facts, 0)).toBe(least);
      expect(nextDelayMs(facts, 0.5)).toBe(middle);
    },
  );

  it.each([
    [180_000, 60_000, false],
    [180_001, 60_000, true],
  ])("calls %i ms without a reading at an interval of %i ms a gap: %s", (since, interval, gap) => {
    expect(isGap(since, interval)).toBe(gap);
  });
});

describe("the picture of records and local news (operator-ux U3)", () => {
  const open = () => {
    const diffs: RunDiff[] = [];
    let gone = 0;
    const picture = createPicture({ changed: (diff) => diffs.push(diff), gone: () => gone++ });
    return { picture, diffs, gone: () => gone };
  };

  it("shows what the scheduler says above a record read before it happened", () => {
    const { picture, diffs } = open();
    picture.accept(row({ revision: 1, status: "CREATED" }));
    picture.overlay("run-1", { status: "RUNNING", activity: "LIVE" });
    picture.acceptAll([row({ revision: 1, status: "CREATED" })]);
    expect(picture.row("run-1")).toMatchObject({ status: "RUNNING", activity: "LIVE" });
    expect(diffs.map((diff) => diff.fields.status)).toEqual(["CREATED", "RUNNING"]);
  });

  it("lets the record speak again once it has caught up", () => {
    const { picture } = open();
    picture.accept(row({ revision: 1, status: "RUNNING" }));
    picture.overlay("run-1", { status: "SUCCESS", activity: null });
    picture.accept(row({ revision: 2, status: "FAILED", activity: null }));
    expect(picture.row("run-1")?.status).toBe("SUCCESS");
    picture.settle("run-1");
    expect(picture.row("run-1")?.status).toBe("FAILED");
  });

  it("shows news that came before the record as soon as the record is there", () => {
    const { picture, diffs } = open();
    picture.overlay("run-1", { status: "RUNNING" });
    expect(diffs).toEqual([]);
    picture.accept(row({ revision: 1, status: "CREATED" }));
    expect(picture.row("run-1")?.status).toBe("RUNNING");
  });

  it("forgets a Run that is no longer in the store and says that one is gone", () => {
    const { picture, gone } = open();
    picture.acceptAll([row({ runId: "a", recordId: "1" }), row({ runId: "b", recordId: "2" })]);
    picture.acceptAll([row({ runId: "b", recordId: "2" })]);
    expect(picture.rows().map((each) => each.runId)).toEqual(["b"]);
    expect(gone()).toBe(1);
  });

  it("believes a whole reading also where it is older: the database was put back from its backup (operator-ux U7)", () => {
    const { picture, diffs, gone } = open();
    picture.acceptAll([row({ revision: 9, status: "SUCCESS", lifecycle: "ARCHIVED" }), row({ runId: "b" })]);
    diffs.length = 0;
    const back = row({ revision: 3, status: "UNKNOWN", lifecycle: "ACTIVE" });
    picture.acceptAll([back, row({ runId: "b" })]);
    expect(picture.row("run-1")).toEqual(back);
    expect(diffs).toEqual([{ id: "run-1", revision: 3, fields: back }]);
    expect(gone()).toBe(1);
  });

  it("takes a single older row for history (operator-ux U4)", () => {
    const { picture } = open();
    expect(picture.accept(row({ revision: 9, status: "SUCCESS" }))).toBe(true);
    expect(picture.accept(row({ revision: 3, status: "UNKNOWN" }))).toBe(false);
    expect(picture.row("run-1")?.revision).toBe(9);
  });

  it("orders by record id, newest first, never by time", () => {
    const { picture } = open();
    picture.acceptAll([
      row({ runId: "old", recordId: "9", createdAt: "2026-09-02T00:00:00Z" }),
      row({ runId: "new", recordId: "10", createdAt: "2026-09-01T00:00:00Z" }),
    ]);
    expect(picture.rows().map((each) => each.runId)).toEqual(["new", "old"]);
  });
});
