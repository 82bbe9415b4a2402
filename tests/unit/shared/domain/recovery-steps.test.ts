import { describe, expect, it } from "vitest";
import {
  RECOVERY_STEPS,
  type RecoveryFacts,
  recoverySteps,
  type StepState,
} from "../../../../shared/domain/recovery-steps.ts";

const STALE = { ours: true, stale: true, owner: "gone" } as const;
const FACTS: RecoveryFacts = {
  run: { status: "RUNNING", lifecycle: "ACTIVE", activity: "INTERRUPTED" },
  lock: STALE,
  abandoned: false,
  orphans: 1,
  childAlive: false,
  unknown: 0,
  jobLocks: 0,
  jobLocksInTheWay: 0,
  jobLocksKnown: true,
};
const FREED = { lock: null, abandoned: true } as const;
const UNKNOWN = { status: "UNKNOWN", lifecycle: "ACTIVE", activity: null } as const;

const DECIDED = { ...FREED, run: { ...UNKNOWN, status: "FAILED" }, orphans: 0 } as const;

describe("where a recovery stands, from the records alone (orchestration §3.5, §5.3, §5.4)", () => {
  it.each<[string, Partial<RecoveryFacts>, readonly StepState[]]>([
    [
      "the lease still stands",
      { lock: { ...STALE, stale: false } },
      ["waits", "later", "later", "later", "later", "later", "later", "later"],
    ],
    [
      "the lease ended, the owner is gone",
      {},
      ["done", "done", "now", "later", "later", "later", "later", "later"],
    ],
    [
      "the lease ended, the owner is on another host",
      { lock: { ...STALE, owner: "cannot-tell" } },
      ["done", "now", "now", "later", "later", "later", "later", "later"],
    ],
    [
      "the lease ended, the owner lives",
      { lock: { ...STALE, owner: "alive" } },
      ["done", "waits", "later", "later", "later", "later", "later", "later"],
    ],
    ["released", FREED, ["done", "done", "done", "now", "later", "later", "later", "later"]],
    [
      "released, its child still runs",
      { ...FREED, childAlive: true },
      ["done", "done", "done", "waits", "later", "later", "later", "later"],
    ],
    [
      "released, and another Run holds the network",
      { ...FREED, lock: { ...STALE, ours: false } },
      ["done", "done", "done", "later", "later", "later", "later", "later"],
    ],
    [
      "judged UNKNOWN",
      { ...FREED, run: UNKNOWN, orphans: 0, unknown: 1 },
      ["done", "done", "done", "done", "now", "later", "later", "later"],
    ],
    [
      "decided",
      { ...FREED, run: { ...UNKNOWN, status: "FAILED" }, orphans: 0 },
      ["done", "done", "done", "done", "done", "done", "now", "later"],
    ],
    [
      "decided, and another Run holds the network",
      { ...FREED, run: { ...UNKNOWN, status: "FAILED" }, orphans: 0, lock: { ...STALE, ours: false } },
      ["done", "done", "done", "done", "done", "done", "waits", "later"],
    ],
    [
      "decided, and the killed job's lock stands in the way",
      { ...DECIDED, jobLocks: 1, jobLocksInTheWay: 1 },
      ["done", "done", "done", "done", "done", "now", "later", "later"],
    ],
    [
      "decided a success, and the killed job's lock still stands",
      { ...DECIDED, jobLocks: 1 },
      ["done", "done", "done", "done", "done", "now", "now", "later"],
    ],
    [
      "decided, and whether a killed job's lock stands cannot be read",
      { ...DECIDED, jobLocksKnown: false },
      ["done", "done", "done", "done", "done", "waits", "waits", "later"],
    ],
    [
      "decided, one lock stands and whether another does cannot be read",
      { ...DECIDED, jobLocks: 1, jobLocksInTheWay: 1, jobLocksKnown: false },
      ["done", "done", "done", "done", "done", "now", "later", "later"],
    ],
    [
      "judged UNKNOWN, and whether a killed job's lock stands cannot be read",
      { ...FREED, run: UNKNOWN, orphans: 0, unknown: 1, jobLocksKnown: false },
      ["done", "done", "done", "done", "now", "later", "later", "later"],
    ],
    [
      "a child alone was killed",
      { lock: null, run: UNKNOWN, orphans: 0, unknown: 1 },
      ["needless", "needless", "needless", "done", "now", "later", "later", "later"],
    ],
    [
      "over",
      { ...FREED, run: { ...UNKNOWN, status: "SUCCESS" }, orphans: 0 },
      ["done", "done", "done", "done", "done", "done", "done", "done"],
    ],
    [
      "over, and whether a killed job's lock stands cannot be read",
      { ...FREED, run: { ...UNKNOWN, status: "SUCCESS" }, orphans: 0, jobLocksKnown: false },
      ["done", "done", "done", "done", "done", "waits", "done", "done"],
    ],
  ])("%s", (_name, change, states) => {
    const steps = recoverySteps({ ...FACTS, ...change });
    expect(RECOVERY_STEPS.map((step) => steps[step])).toEqual(states);
  });
});
