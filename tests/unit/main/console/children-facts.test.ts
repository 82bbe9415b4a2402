import { describe, expect, it } from "vitest";
import { asTree, createFactsReader } from "../../../../main/console/children/facts.ts";
import { stopProblem, treeFingerprint } from "../../../../main/console/children/stops.ts";
import type { ChildTree, ProcessFacts, StopOrder } from "../../../../shared/api/index.ts";

const START = "2026-09-04T00:00:00.000Z";
const facts = (pid: number, parentPid: number | null, processStart = START): ProcessFacts => ({
  pid,
  processStart,
  image: "/usr/bin/node",
  commandLine: "node job.js",
  parentPid,
  cpuMs: 10,
  cpuShare: null,
  memoryBytes: 1,
});
const root = { pid: 10, processStart: START, image: "/usr/bin/node" };
const shape = (found: readonly ProcessFacts[]) => asTree(root, found).map(({ pid, depth }) => [pid, depth]);

describe("processes as a tree (operator-ux §1.1, process view)", () => {
  it.each<[string, readonly ProcessFacts[], readonly (readonly number[])[]]>([
    ["the root alone", [facts(10, 1)], [[10, 0]]],
    [
      "a child below it",
      [facts(12, 10), facts(10, 1)],
      [
        [10, 0],
        [12, 1],
      ],
    ],
    [
      "a grandchild below its parent",
      [facts(10, 1), facts(14, 12), facts(12, 10)],
      [
        [10, 0],
        [12, 1],
        [14, 2],
      ],
    ],
    [
      "one whose parent has ended",
      [facts(10, 1), facts(14, 1)],
      [
        [10, 0],
        [14, 1],
      ],
    ],
    [
      "what a dead root left",
      [facts(14, 12), facts(12, 1)],
      [
        [12, 0],
        [14, 1],
      ],
    ],
    [
      "numbers that name each other as parents",
      [facts(10, 1), facts(12, 14), facts(14, 12)],
      [
        [10, 0],
        [12, 0],
        [14, 1],
      ],
    ],
    ["nobody", [], []],
  ])("%s", (_name, found, expected) => {
    expect(shape(found)).toEqual(expected);
  });
});

describe("the share of a processor (operator-ux §1.1)", () => {
  it("is told from the second look on, and never of another process of that number", () => {
    let now = 0;
    let cpuMs = 100;
    let processStart = START;
    const reader = createFactsReader({
      inspector: {
        details: (pid) => ({ pid, processStart, image: null, parentPid: 1, commandLine: null }),
        usage: () => ({ cpuMs, memoryBytes: null }),
      },
      clock: { monotonicMs: () => now },
    });
    const look = (): number | null | undefined => {
      const share = reader.facts(10)?.cpuShare;
      reader.endRound();
      return share;
    };
    expect(look()).toBeNull();
    now = 1_000;
    cpuMs = 350;
    expect(look()).toBe(0.25);
    now = 2_000;
    processStart = "2026-09-04T01:00:00.000Z";
    expect(look()).toBeNull();
  });
});

const tree = (change: Partial<ChildTree> = {}): ChildTree => ({
  id: `10@${START}`,
  origin: "adopted",
  identity: "verified",
  identityReason: null,
  root,
  attempt: null,
  processes: asTree(root, [facts(10, 1), facts(12, 10)]),
  incomplete: null,
  parent: { pid: null, alive: null, self: false },
  files: [],
  notStoppable: null,
  polite: "signal",
  ...change,
});
const order = (change: Partial<StopOrder> = {}): StopOrder => ({
  operationId: "00000000-0000-4000-8000-000000000001",
  pid: 10,
  processStart: START,
  fingerprint: treeFingerprint(tree()),
  typed: "10",
  reason: "it runs away",
  ...change,
});

describe("why a tree is not stopped (operator-ux §2.2 D4 and D6)", () => {
  it.each<[string, StopOrder, ChildTree | null, string | null]>([
    ["everything is there", order(), tree(), null],
    ["no such process", order(), null, "PROCESS_NOT_OURS"],
    [
      "it has ended, and nothing is left",
      order(),
      tree({ identity: "gone", processes: [] }),
      "PROCESS_NOT_OURS",
    ],
    [
      "another program follows it",
      order(),
      tree({ notStoppable: "elsewhere" }),
      "PROCESS_FOLLOWED_ELSEWHERE",
    ],
    ["its identity is not proven", order(), tree({ notStoppable: "unclear" }), "PROCESS_FOLLOWED_ELSEWHERE"],
    ["a process joined", order(), tree({ processes: asTree(root, [facts(10, 1)]) }), "PLAN_STALE"],
    [
      "the number was given away",
      order(),
      tree({ root: { ...root, processStart: "2026-09-05T00:00:00.000Z" } }),
      "PLAN_STALE",
    ],
    ["a reason of blanks", order({ reason: "  a b  " }), tree(), "REASON_TOO_SHORT"],
    ["full-width digits", order({ typed: "１０" }), tree(), "IDENTIFIER_MISMATCH"],
  ])("%s", (_name, given, now, expected) => {
    expect(stopProblem(given, now)?.code ?? null).toBe(expected);
  });
  it("the order of the processes makes no other tree", () => {
    const turned = tree({ processes: [...tree().processes].reverse() });
    expect(treeFingerprint(turned)).toBe(treeFingerprint(tree()));
  });
});
