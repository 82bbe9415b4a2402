import { describe, expect, it } from "vitest";
import type { JournalMode } from "../../../../main/drills/retry-boundaries/cases/model.ts";
import { missingEvidence, placeOfStop } from "../../../../main/drills/retry-boundaries/judge/evidence.ts";

const ONE_TRANSACTION = ["BEGIN IMMEDIATE", "insert effect", "@before-commit", "COMMIT", "@committed"];
const TWO_TRANSACTIONS = [
  "BEGIN",
  "insert effect",
  "COMMIT",
  "@between",
  "BEGIN",
  "insert processed",
  "COMMIT",
];

describe("where a child stops (retry-boundaries §5)", () => {
  it.each([
    [ONE_TRANSACTION, "before-commit", { insideTransaction: true, committedBefore: false }],
    [ONE_TRANSACTION, "committed", { insideTransaction: false, committedBefore: true }],
    [TWO_TRANSACTIONS, "between", { insideTransaction: false, committedBefore: true }],
    [["call the receiver", "@after"], "after", { insideTransaction: false, committedBefore: false }],
  ])("%j at %s", (steps, stop, place) => {
    expect(placeOfStop(steps, stop)).toEqual(place);
  });
});

const open = { insideTransaction: true, committedBefore: false };
const committed = { insideTransaction: false, committedBefore: true };
const readOnly = { insideTransaction: false, committedBefore: false };
const none = { journal: null, wal: null, shm: null };

describe("the proof that an end was abrupt (retry-boundaries §3, RB-A6, RB-A8)", () => {
  it.each<[JournalMode, typeof open, typeof none | Record<keyof typeof none, number | null>, RegExp | null]>([
    ["delete", open, { ...none, journal: 512 }, null],
    ["delete", open, { ...none, journal: 0 }, null],
    ["delete", open, none, /rollback journal is gone/],
    ["delete", committed, none, null],
    ["wal", open, { ...none, wal: 0, shm: 32_768 }, null],
    ["wal", open, none, /orderly/],
    ["wal", open, { ...none, wal: 0 }, /orderly/],
    ["wal", open, { ...none, wal: 4_152, shm: 32_768 }, /before any commit/],
    ["wal", committed, { ...none, wal: 4_152, shm: 32_768 }, null],
    ["wal", committed, { ...none, wal: 0, shm: 32_768 }, /empty after a commit/],
    ["wal", committed, none, /orderly/],
    ["wal", readOnly, { ...none, wal: 0, shm: 32_768 }, null],
  ])("in journal mode %s after %j with %j", (mode, place, files, missing) => {
    const found = missingEvidence(mode, place, files);
    if (missing === null) expect(found).toBeNull();
    else expect(found).toMatch(missing);
  });
});
