import { describe, expect, it } from "vitest";
import {
  LOCK_START_ALLOWANCE_MS,
  type LockOwnerFacts,
  lockOwnerVerdict,
} from "../../../../shared/domain/lock-owner.ts";

const STARTED = "2026-09-05T04:00:00Z";
const created = (ms: number): string => new Date(Date.parse(STARTED) + ms).toISOString();
const facts: LockOwnerFacts = {
  sameHost: true,
  namesPid: true,
  lockStartedAt: STARTED,
  process: { kind: "exists", processStart: created(-5_000) },
  journal: { kind: "none" },
};

describe("is the lock's owner alive? (decisions §3)", () => {
  it.each<[string, Partial<LockOwnerFacts>, string, string]>([
    ["no PID in the text", { namesPid: false, process: { kind: "gone" } }, "cannot-tell", "no-pid"],
    [
      "another host, whatever this one's PID says",
      { sameHost: false, process: { kind: "gone" } },
      "cannot-tell",
      "other-host",
    ],
    [
      "another host, whatever the journal says",
      { sameHost: false, journal: { kind: "gone" } },
      "cannot-tell",
      "other-host",
    ],
    ["the PID is free", { process: { kind: "gone" } }, "gone", "pid"],
    ["created before the lock", {}, "alive", "creation-time"],
    [
      "created within the minute that may be cut",
      { process: { kind: "exists", processStart: created(LOCK_START_ALLOWANCE_MS) } },
      "alive",
      "creation-time",
    ],
    [
      "created a millisecond later",
      { process: { kind: "exists", processStart: created(LOCK_START_ALLOWANCE_MS + 1) } },
      "another",
      "creation-time",
    ],
    [
      "no creation time",
      { process: { kind: "exists", processStart: null } },
      "cannot-tell",
      "no-creation-time",
    ],
    ["a start of the lock that cannot be read", { lockStartedAt: "" }, "cannot-tell", "no-creation-time"],
    ["the process table cannot be read", { process: { kind: "unreadable" } }, "cannot-tell", "unreadable"],
    [
      "the journal knows it alive although it looks younger",
      { journal: { kind: "alive" }, process: { kind: "exists", processStart: created(90_000) } },
      "alive",
      "journal",
    ],
    [
      "the journal knows the PID reused although it looks older",
      { journal: { kind: "another" } },
      "another",
      "journal",
    ],
    [
      "the journal knows it gone",
      { journal: { kind: "gone" }, process: { kind: "gone" } },
      "gone",
      "journal",
    ],
    [
      "a journal that cannot be read decides nothing",
      { journal: { kind: "unreadable" }, process: { kind: "gone" } },
      "gone",
      "pid",
    ],
  ])("%s", (_, change, kind, by) => {
    expect(lockOwnerVerdict({ ...facts, ...change })).toEqual({ kind, by });
  });
});
