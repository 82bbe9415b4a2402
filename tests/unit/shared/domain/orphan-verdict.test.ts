import { describe, expect, it } from "vitest";
import { type OrphanFacts, orphanVerdict } from "../../../../shared/domain/index.ts";

const at = "2026-09-01T00:00:00Z";
const clean = { owned: true, spawned: false, alive: false } as const;
const told = (facts: OrphanFacts): string => {
  const verdict = orphanVerdict(facts);
  return verdict.kind === "settled" ? `${verdict.nodeStatus}/${verdict.resultCode}` : verdict.kind;
};

describe("adjudication of an orphan (orchestration §5.3)", () => {
  it.each([
    ["SUCCESS", "SUCCESS/OK"],
    ["success", "SUCCESS/OK"],
    ["NO_DATA", "SUCCESS/NO_DATA"],
    ["FAILED", "FAILED/FAILED"],
    ["ABORTED", "FAILED/ASSERT_FAILED"],
    ["TIMEOUT", "FAILED/EXECUTION_TIMEOUT"],
    ["CANCELLED", "CANCELLED/CANCELLED"],
    ["RUNNING", "UNKNOWN/NO_EXECUTION_RESULT"],
    ["SKIPPED", "UNKNOWN/NO_EXECUTION_RESULT"],
    ["toString", "UNKNOWN/NO_EXECUTION_RESULT"],
    ["", "UNKNOWN/NO_EXECUTION_RESULT"],
  ])("JOB log %s: %s", (status, expected) => {
    expect(told({ executionStartedAt: at, jobLog: { kind: "found", status }, local: null })).toBe(expected);
  });

  it.each<[string, OrphanFacts, string]>([
    ["two records", { executionStartedAt: at, jobLog: { kind: "ambiguous" }, local: clean }, "unreadable"],
    ["unreadable", { executionStartedAt: null, jobLog: { kind: "unreadable" }, local: clean }, "unreadable"],
    [
      "no record, another host",
      { executionStartedAt: at, jobLog: { kind: "none" }, local: null },
      "UNKNOWN/NO_EXECUTION_RESULT",
    ],
    [
      "no record, no marker (W-04)",
      { executionStartedAt: null, jobLog: { kind: "none" }, local: null },
      "WAITING/PREPARE_FAILED",
    ],
    [
      "no record, marker, our journal knows of no spawn",
      { executionStartedAt: at, jobLog: { kind: "none" }, local: clean },
      "WAITING/PREPARE_FAILED",
    ],
    [
      "…but not our boot",
      { executionStartedAt: at, jobLog: { kind: "none" }, local: { ...clean, owned: false } },
      "UNKNOWN/NO_EXECUTION_RESULT",
    ],
    [
      "…but spawned",
      { executionStartedAt: at, jobLog: { kind: "none" }, local: { ...clean, spawned: true } },
      "UNKNOWN/NO_EXECUTION_RESULT",
    ],
    [
      "…but the process table is unreadable",
      { executionStartedAt: at, jobLog: { kind: "none" }, local: { ...clean, alive: null } },
      "UNKNOWN/NO_EXECUTION_RESULT",
    ],
    [
      "…but a child lives",
      { executionStartedAt: at, jobLog: { kind: "none" }, local: { ...clean, alive: true } },
      "child-running",
    ],
    [
      "a child lives without marker",
      { executionStartedAt: null, jobLog: { kind: "none" }, local: { ...clean, alive: true } },
      "child-running",
    ],
    [
      "RUNNING and the child lives (W-03)",
      {
        executionStartedAt: at,
        jobLog: { kind: "found", status: "RUNNING" },
        local: { ...clean, spawned: true, alive: true },
      },
      "child-running",
    ],
    [
      "RUNNING and the child is gone",
      {
        executionStartedAt: at,
        jobLog: { kind: "found", status: "RUNNING" },
        local: { ...clean, spawned: true },
      },
      "UNKNOWN/NO_EXECUTION_RESULT",
    ],
    [
      "terminal, though the child still ends",
      {
        executionStartedAt: at,
        jobLog: { kind: "found", status: "SUCCESS" },
        local: { ...clean, spawned: true, alive: true },
      },
      "SUCCESS/OK",
    ],
  ])("%s (decisions §3)", (_, facts, expected) => {
    expect(told(facts)).toBe(expected);
  });
});
