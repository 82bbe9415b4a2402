import { describe, expect, it } from "vitest";
import type { AttemptStatus, NodeStatus, ResolvedOutcome } from "../../../../shared/domain/model.ts";
import { orphanVerdict } from "../../../../shared/domain/orphan-verdict.ts";
import {
  type EvidenceKind,
  evidenceMatrix,
  orphanFactsOf,
  type Reading,
  type Shown,
  type UnknownFacts,
} from "../../../../shared/domain/unknown-evidence.ts";
import { permittedOutcomes, type Stance } from "../../../../shared/domain/unknown-outcome.ts";
import { storedAttempt, storedState } from "./run-records.ts";

const START = "2026-09-02T05:01:00Z";
const JOURNAL = {
  kind: "known",
  thisHostAndBoot: true,
  spawned: true,
  exited: false,
  exitKnown: false,
  forced: false,
  launchFailed: false,
} as const;
const LOG = {
  kind: "found",
  status: "RUNNING",
  sqlStartedAt: START,
  lastWrittenKey: null,
  writtenCount: null,
} as const;

/** An orchestrator and its child that were killed in the middle of the SQL. */
const KILLED: UnknownFacts = {
  attempt: {
    status: "RUNNING",
    executionStartedAt: START,
    runnerExecutionStartedAt: null,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    writtenCount: 0,
  },
  resultFile: { kind: "absent" },
  jobLog: LOG,
  child: { kind: "gone" },
  journal: JOURNAL,
  inputs: 0,
};

function rowOf(evidence: EvidenceKind, change: Partial<UnknownFacts>): readonly [Reading, Shown] {
  const row = evidenceMatrix({ ...KILLED, ...change }).find((each) => each.evidence === evidence);
  if (row === undefined) throw new Error(`no row ${evidence}`);
  return [row.reading, row.shows];
}

describe("the evidence matrix (screens, 結果不明)", () => {
  it("has every row, in its order, whatever is known", () => {
    expect(evidenceMatrix(KILLED).map(({ evidence }) => evidence)).toEqual([
      "resultFile",
      "jobLog",
      "sqlStart",
      "child",
      "progress",
      "journal",
      "inputs",
    ]);
  });

  it.each<[EvidenceKind, Partial<UnknownFacts>, Reading, Shown]>([
    ["resultFile", {}, "absent", "noResult"],
    ["resultFile", { resultFile: { kind: "elsewhere" } }, "unreadable", "resultElsewhere"],
    ["resultFile", { resultFile: { kind: "invalid" } }, "unreadable", "resultBroken"],
    ["resultFile", { resultFile: { kind: "foreign" } }, "unreadable", "resultOfAnother"],
    ["resultFile", { resultFile: { kind: "valid", status: "SUCCESS" } }, "present", "resultSays"],
    ["jobLog", {}, "present", "logOpen"],
    ["jobLog", { jobLog: { ...LOG, status: "success" } }, "present", "logEnded"],
    ["jobLog", { jobLog: { kind: "none" } }, "absent", "neverLogged"],
    ["jobLog", { jobLog: { kind: "ambiguous" } }, "unreadable", "logAmbiguous"],
    ["jobLog", { jobLog: { kind: "unreadable" } }, "unreadable", "logUnreadable"],
    ["sqlStart", {}, "present", "sqlStarted"],
    ["sqlStart", { jobLog: { ...LOG, sqlStartedAt: null } }, "absent", "sqlNotStarted"],
    ["sqlStart", { jobLog: { kind: "none" } }, "absent", "sqlNotStarted"],
    ["sqlStart", { jobLog: { kind: "unreadable" } }, "unreadable", "sqlNotTold"],
    [
      "sqlStart",
      { jobLog: { kind: "unreadable" }, attempt: { ...KILLED.attempt, runnerExecutionStartedAt: START } },
      "present",
      "sqlStarted",
    ],
    ["child", {}, "absent", "childGone"],
    ["child", { child: { kind: "alive" } }, "present", "childWrites"],
    ["child", { child: { kind: "replaced" } }, "absent", "childReplaced"],
    ["child", { child: { kind: "never" } }, "absent", "childNeverWas"],
    ["child", { child: { kind: "cannotTell" } }, "unreadable", "childCannotTell"],
    ["child", { child: { kind: "elsewhere" } }, "unreadable", "childElsewhere"],
    ["progress", {}, "absent", "wroteNothingTold"],
    ["progress", { attempt: { ...KILLED.attempt, lastSuccessfulChunkNo: 0 } }, "present", "wroteUpTo"],
    ["progress", { jobLog: { ...LOG, lastWrittenKey: "C1" } }, "present", "wroteUpTo"],
    ["progress", { jobLog: { ...LOG, writtenCount: 100 } }, "present", "wroteUpTo"],
    ["journal", {}, "present", "journalOwnerDied"],
    ["journal", { journal: { ...JOURNAL, spawned: false } }, "present", "journalIntentOnly"],
    ["journal", { journal: { ...JOURNAL, exited: true } }, "present", "journalLateEnd"],
    ["journal", { journal: { ...JOURNAL, exited: true, exitKnown: true } }, "present", "journalExit"],
    ["journal", { journal: { ...JOURNAL, exited: true, forced: true } }, "present", "journalForced"],
    ["journal", { journal: { ...JOURNAL, launchFailed: true } }, "present", "journalLaunchFailed"],
    ["journal", { journal: { ...JOURNAL, thisHostAndBoot: false } }, "present", "journalOtherBoot"],
    ["journal", { journal: { kind: "none" } }, "absent", "journalNone"],
    ["journal", { journal: { kind: "unreadable" } }, "unreadable", "journalUnreadable"],
    ["inputs", {}, "absent", "inputsNone"],
    ["inputs", { inputs: 2 }, "present", "inputsRecorded"],
  ])("%s of %j reads %s and shows %s", (evidence, change, reading, shows) => {
    expect(rowOf(evidence, change)).toEqual([reading, shows]);
  });
});

describe("what a resume would make of it (orchestration §5.3)", () => {
  it.each<[string, Partial<UnknownFacts>, string]>([
    ["killed in the middle of the SQL", {}, "UNKNOWN"],
    ["the log knows its end", { jobLog: { ...LOG, status: "SUCCESS" } }, "SUCCESS"],
    [
      "no child was ever spawned here",
      { jobLog: { kind: "none" }, child: { kind: "never" }, journal: { ...JOURNAL, spawned: false } },
      "CANCELLED",
    ],
    [
      "the same, when the search saw not all",
      { jobLog: { kind: "none" }, child: { kind: "cannotTell" }, journal: { ...JOURNAL, spawned: false } },
      "UNKNOWN",
    ],
    ["another host ran it", { journal: { kind: "none" }, child: { kind: "elsewhere" } }, "UNKNOWN"],
    ["the child runs", { child: { kind: "alive" } }, "child-running"],
    ["the log cannot be read", { jobLog: { kind: "unreadable" } }, "unreadable"],
  ])("%s: %s", (_name, change, expected) => {
    const verdict = orphanVerdict(orphanFactsOf({ ...KILLED, ...change }));
    expect(verdict.kind === "settled" ? verdict.attemptStatus : verdict.kind).toBe(expected);
  });
});

interface OutcomeCase {
  readonly node?: { readonly status?: NodeStatus; readonly idempotent?: boolean };
  readonly attempt?: AttemptStatus;
  readonly evidence?: Partial<UnknownFacts>;
  readonly resolved?: ResolvedOutcome;
}

function outcomes({ node = {}, attempt = "UNKNOWN", evidence = {}, resolved }: OutcomeCase) {
  const current = storedAttempt({ status: attempt });
  return permittedOutcomes({
    nodeId: "load",
    startedAt: START,
    states: [storedState(node), storedState({ nodeId: "report", status: "BLOCKED" })],
    attempts: [current],
    resolutions:
      resolved === undefined
        ? []
        : [
            {
              attemptId: current.attemptId,
              outcome: resolved,
              evidenceRef: "e",
              servicePrincipal: "s",
              requestedBy: "r",
              approvedBy: null,
              resolutionType: "OUTCOME_CONFIRMED",
              reason: "x",
              stopConfirmedBy: "c",
              stopEvidenceRef: "p",
              resolvedAt: START,
            },
          ],
    evidence: { ...KILLED, ...evidence },
  });
}

describe("what may be decided, and what it brings (orchestration §5.4, W-05, W-08)", () => {
  it.each<[string, OutcomeCase, readonly (string | null)[]]>([
    ["an unknown node", {}, [null, null, null]],
    [
      "a failure that must not run twice",
      { node: { status: "FAILED", idempotent: false }, attempt: "FAILED" },
      [null, null, null],
    ],
    ["an ordinary failure", { node: { status: "FAILED" } }, Array(3).fill("NODE_NOT_RESOLVABLE")],
    [
      "an orphan, before a resume judged it",
      { node: { status: "RUNNING" } },
      Array(3).fill("NODE_NOT_RESOLVABLE"),
    ],
    ["records that disagree", { attempt: "FAILED" }, Array(3).fill("STATE_ATTEMPT_MISMATCH")],
    ["a child that runs", { evidence: { child: { kind: "alive" } } }, Array(3).fill("ATTEMPT_CHILD_RUNNING")],
    ["a word that was given before", { resolved: "FAILED" }, ["RESOLUTION_FINAL", null, "RESOLUTION_FINAL"]],
  ])("%s: %j", (_name, given, codes) => {
    expect(outcomes(given).map(({ problem }) => problem?.code ?? null)).toEqual(codes);
  });

  it.each<[string, OutcomeCase, readonly Stance[]]>([
    ["the SQL started and told no end", {}, ["silent", "silent", "silent"]],
    [
      "the SQL never started",
      { evidence: { jobLog: { kind: "none" } } },
      ["contradicts", "supports", "supports"],
    ],
    [
      "the log tells a success",
      { evidence: { jobLog: { ...LOG, status: "NO_DATA" } } },
      ["supports", "contradicts", "contradicts"],
    ],
    [
      "the result file tells a failure",
      { evidence: { resultFile: { kind: "valid", status: "FAILED" } } },
      ["contradicts", "supports", "contradicts"],
    ],
    [
      "the log cannot be read",
      { evidence: { jobLog: { kind: "unreadable" } } },
      ["silent", "silent", "silent"],
    ],
  ])("%s", (_name, given, stances) => {
    expect(outcomes(given).map(({ stance }) => stance)).toEqual(stances);
  });

  it("tells of each what it asks for and what follows, for a node that may run twice and one that may not", () => {
    const told = (idempotent: boolean) =>
      outcomes({ node: { idempotent } }).map((each) => [
        each.outcome,
        each.needsCompletion,
        each.needsApprover,
        each.retriedByResume,
        each.peerResumesOnceMore,
        each.onlyCloseRemains,
        each.runStatusAfter,
      ]);
    expect(told(true)).toEqual([
      ["SUCCESS", true, false, false, false, false, "FAILED"],
      ["FAILED", false, false, true, true, false, "FAILED"],
      ["CANCELLED", false, false, true, true, false, "FAILED"],
    ]);
    expect(told(false)).toEqual([
      ["SUCCESS", true, true, false, false, false, "FAILED"],
      ["FAILED", false, false, false, false, true, "FAILED"],
      ["CANCELLED", false, false, false, false, true, "FAILED"],
    ]);
  });
});
