import { describe, expect, it } from "vitest";
import {
  beginRound,
  type Candidate,
  type FenceAction,
  type FenceEvent,
  type LockView,
  type Round,
  step,
} from "../../../../main/store/kintone/fence/settle.ts";

const HELD = { token: "mine", revision: 5 };
const write: Candidate = { id: 1, leaves: { kind: "held" }, witnessed: true };
const beat: Candidate = { id: 2, leaves: { kind: "held" }, witnessed: false };
const other: Candidate = { id: 3, leaves: { kind: "held" }, witnessed: true };
const released = { kind: "released", status: "SUCCESS", resultCode: "OK" } as const;
const finalWrite: Candidate = { id: 4, leaves: released, witnessed: true };
const release: Candidate = { id: 5, leaves: released, witnessed: false };

const lock = (over: Partial<Extract<LockView, { kind: "record" }>> = {}): LockView => ({
  kind: "record",
  revision: 5,
  token: "mine",
  status: "RUNNING",
  statusReason: "owner_instance_id=x",
  businessRevision: 5,
  leaseExpiresAt: "2026-09-01T00:03:00Z",
  ...over,
});
const moved = lock({ revision: 6 });
const tombstone = lock({ revision: 6, token: null, status: "SUCCESS", statusReason: "OK" });
const forced = lock({
  revision: 6,
  token: null,
  status: "CANCELLED",
  statusReason: "NETWORK_LOCK_FORCE_RELEASED",
});

const read = (view: LockView | null): FenceEvent => ({ kind: "lock-read", view });
const shows = (value: boolean | null): FenceEvent => ({ kind: "witness-read", shows: value });
const unknown: FenceEvent = { kind: "answered", answer: { kind: "unknown" } };
const stale: FenceEvent = { kind: "answered", answer: { kind: "lock-stale" } };
const applied: FenceEvent = { kind: "answered", answer: { kind: "applied" } };
const deadAt2: FenceEvent = { kind: "answered", answer: { kind: "dead", index: 2 } };
const refusedNow: FenceEvent = { kind: "answered", answer: { kind: "refused" } };
const busy = (index: number | null): FenceEvent => ({ kind: "answered", answer: { kind: "busy", index } });
const resumed: FenceEvent = { kind: "resumed" };

/** The actions a list of events leads to, after the first `send`. */
function actions(
  current: Candidate,
  earlier: readonly Candidate[],
  events: readonly FenceEvent[],
): FenceAction[] {
  let round: Round = step(beginRound(HELD, current, earlier), { kind: "start" }).round;
  return events.map((event) => {
    const next = step(round, event);
    round = next.round;
    return next.action;
  });
}

const last = (current: Candidate, earlier: readonly Candidate[], events: readonly FenceEvent[]) =>
  actions(current, earlier, events).at(-1);
const verdict = (value: object) => ({ kind: "done", verdict: value });

describe("the answer decides by itself (fenced-writes R3)", () => {
  it("starts by sending", () => {
    expect(step(beginRound(HELD, write, []), { kind: "start" }).action).toEqual({ kind: "send" });
  });

  const table: readonly (readonly [string, FenceEvent, object])[] = [
    ["a well-formed 200 is applied", applied, verdict({ kind: "applied", view: null })],
    ["a stale change is dead", deadAt2, verdict({ kind: "dead", index: 2, moved: null })],
    [
      "another refusal is told, for the shell to use the revision up",
      refusedNow,
      verdict({ kind: "refused" }),
    ],
    [
      "a lock record that is gone ends the fence",
      { kind: "answered", answer: { kind: "lock-gone" } },
      verdict({ kind: "fence-lost", why: "gone" }),
    ],
    ["a stale lock is settled by reading", stale, { kind: "read-lock" }],
    ["an unknown outcome is settled by reading", unknown, { kind: "read-lock" }],
    ["busy is followed by a read", busy(null), { kind: "read-lock" }],
  ];
  it.each(table)("%s", (_name, event, expected) => {
    expect(last(write, [], [event])).toEqual(expected);
  });
});

describe("what the lock shows after an unknown outcome (fenced-writes R1, R3)", () => {
  const table: readonly (readonly [string, LockView | null, object])[] = [
    ["the held revision: not applied yet, wait and repeat", lock(), { kind: "pause", next: 2 }],
    ["nothing, for the read failed: wait and read again", null, { kind: "pause", next: 2 }],
    ["the next revision: ask the witness", moved, { kind: "read-witness", id: 1 }],
    ["another token", lock({ token: "other" }), verdict({ kind: "fence-lost", why: "token" })],
    [
      "another token, one further",
      lock({ token: "other", revision: 6 }),
      verdict({ kind: "fence-lost", why: "token" }),
    ],
    ["two revisions further", lock({ revision: 7 }), verdict({ kind: "fence-lost", why: "revision" })],
    ["a smaller revision", lock({ revision: 4 }), verdict({ kind: "fence-lost", why: "revision" })],
    ["a forced release", forced, verdict({ kind: "fence-lost", why: "released" })],
    ["a release that is not mine", tombstone, verdict({ kind: "fence-lost", why: "released" })],
    ["no record", { kind: "gone" }, verdict({ kind: "fence-lost", why: "gone" })],
  ];
  it.each(table)("%s", (_name, view, expected) => {
    expect(last(write, [], [unknown, read(view)])).toEqual(expected);
  });

  it("repeats the send after a pause that followed an unmoved lock, the read after one that followed a failure", () => {
    expect(last(write, [], [unknown, read(lock()), resumed])).toEqual({ kind: "send" });
    expect(last(write, [], [unknown, read(null), resumed])).toEqual({ kind: "read-lock" });
  });

  it("waits longer each time", () => {
    const events = [unknown, read(lock()), resumed, unknown, read(null), resumed, read(lock())];
    expect(actions(write, [], events).filter(({ kind }) => kind === "pause")).toEqual([
      { kind: "pause", next: 2 },
      { kind: "pause", next: 3 },
      { kind: "pause", next: 4 },
    ]);
  });
});

describe("witnesses (fenced-writes R1, R2)", () => {
  it("a witness that shows settles its change set as applied", () => {
    expect(last(write, [], [unknown, read(moved), shows(true)])).toEqual(
      verdict({ kind: "applied", view: moved }),
    );
  });

  it("no witness: the revision went to a person, and the change set can never be applied", () => {
    expect(last(write, [], [stale, read(moved), shows(false)])).toEqual(
      verdict({ kind: "superseded", appliedId: null, view: moved }),
    );
  });

  it("an earlier change set's witness shows: that one was applied, this one was not", () => {
    const events = [stale, read(moved), shows(false), shows(true)];
    expect(actions(write, [other], events)[2]).toEqual({ kind: "read-witness", id: 3 });
    expect(last(write, [other], events)).toEqual(verdict({ kind: "superseded", appliedId: 3, view: moved }));
  });

  it("no witness, and a beat was out: the beat took the revision", () => {
    expect(last(write, [beat], [stale, read(moved), shows(false)])).toEqual(
      verdict({ kind: "superseded", appliedId: 2, view: moved }),
    );
  });

  it("a beat needs no witness, unless a write with one is out", () => {
    expect(last(beat, [], [unknown, read(moved)])).toEqual(verdict({ kind: "applied", view: moved }));
    expect(last(beat, [write], [unknown, read(moved)])).toEqual({ kind: "read-witness", id: 1 });
    expect(last(beat, [write], [unknown, read(moved), shows(true)])).toEqual(
      verdict({ kind: "superseded", appliedId: 1, view: moved }),
    );
  });

  it("a beat whose only copy was refused did not take the revision: a person did, and it is planned again", () => {
    expect(last(beat, [], [stale, read(moved)])).toEqual(
      verdict({ kind: "superseded", appliedId: null, view: moved }),
    );
  });

  it("an unreadable witness starts over with the lock", () => {
    expect(last(write, [], [unknown, read(moved), shows(null)])).toEqual({ kind: "pause", next: 2 });
    expect(last(write, [], [unknown, read(moved), shows(null), resumed])).toEqual({ kind: "read-lock" });
  });

  it("a tombstone with my status and result code is my release", () => {
    expect(last(release, [], [unknown, read(tombstone)])).toEqual(
      verdict({ kind: "applied", view: tombstone }),
    );
    expect(last(release, [], [unknown, read(forced)])).toEqual(
      verdict({ kind: "fence-lost", why: "released" }),
    );
  });

  it("a write that releases is told from a lone release by its witness", () => {
    expect(last(finalWrite, [release], [unknown, read(tombstone), shows(true)])).toEqual(
      verdict({ kind: "applied", view: tombstone }),
    );
    expect(last(finalWrite, [release], [unknown, read(tombstone), shows(false)])).toEqual(
      verdict({ kind: "superseded", appliedId: 5, view: tombstone }),
    );
    expect(last(finalWrite, [], [unknown, read(tombstone), shows(false)])).toEqual(
      verdict({ kind: "fence-lost", why: "released" }),
    );
  });
});

describe("refusals while copies are out (fenced-writes R3)", () => {
  it("a dead change set is told once the lock was read", () => {
    const events = [unknown, read(lock()), resumed, deadAt2, read(lock())];
    expect(actions(write, [], events)[3]).toEqual({ kind: "read-lock" });
    expect(last(write, [], events)).toEqual(verdict({ kind: "dead", index: 2, moved: null }));
  });

  it("a dead change set tells who took the revision meanwhile", () => {
    const events = [unknown, read(lock()), resumed, deadAt2, read(moved), shows(false)];
    expect(last(write, [beat], events)).toEqual(
      verdict({ kind: "dead", index: 2, moved: { appliedId: 2, view: moved } }),
    );
  });

  it("a lock failure at an update looks at the record: newer means dead, else wait and repeat", () => {
    expect(last(write, [], [busy(2), read(lock())])).toEqual({ kind: "read-target", index: 2 });
    const looked = (value: boolean | null): FenceEvent => ({ kind: "target-read", stale: value });
    expect(last(write, [], [busy(2), read(lock()), looked(true)])).toEqual(
      verdict({ kind: "dead", index: 2, moved: null }),
    );
    expect(last(write, [], [busy(2), read(lock()), looked(false), resumed])).toEqual({ kind: "send" });
    expect(last(write, [], [busy(2), read(lock()), looked(null), resumed])).toEqual({ kind: "send" });
  });

  it("a lock failure at the lock itself, or 429, only waits", () => {
    expect(last(write, [], [busy(0), read(lock())])).toEqual({ kind: "pause", next: 2 });
    expect(last(write, [], [busy(null), read(lock())])).toEqual({ kind: "pause", next: 2 });
  });

  it("ends unsettled whenever the time is up", () => {
    expect(last(write, [], [unknown, { kind: "expired" }])).toEqual(verdict({ kind: "unsettled" }));
  });
});
