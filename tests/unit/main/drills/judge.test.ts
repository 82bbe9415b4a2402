import { describe, expect, it } from "vitest";
import { SUITES } from "../../../../main/drills/retry-boundaries/cases/index.ts";
import {
  type Noted,
  type Observation,
  observationSchema,
  type SideFiles,
} from "../../../../main/drills/retry-boundaries/documents/observation-schema.ts";
import { storedCases } from "../../../../main/drills/retry-boundaries/documents/plan-schema.ts";
import { judgeStage } from "../../../../main/drills/retry-boundaries/judge/judge-stage.ts";

const AT = "2026-09-26T00:00:00.000Z";
interface Gone {
  readonly signal: string | null;
  readonly ended_by_controller: boolean;
  readonly timed_out: boolean;
  readonly unreadable_lines: number;
  readonly duration_ms: number;
  readonly side_files: SideFiles;
}
const GONE: Gone = {
  signal: null,
  ended_by_controller: false,
  timed_out: false,
  unreadable_lines: 0,
  duration_ms: 5,
  side_files: { journal: 512, wal: null, shm: null },
};

function caseAndStage(id: string, stageId: string) {
  const definition = storedCases(SUITES["A-G"].cases).find((one) => one.id === id);
  const stage = definition?.stages.find((one) => one.id === stageId);
  if (definition === undefined || stage === undefined) throw new Error(`no such stage: ${id} ${stageId}`);
  return { definition, stage };
}

type Partly = Noted extends infer One ? (One extends Noted ? Omit<One, "case" | "stage"> : never) : never;

function judged(id: string, stageId: string, lines: readonly Partly[]) {
  const { definition, stage } = caseAndStage(id, stageId);
  const whole: readonly Observation[] = lines.map((line, index) =>
    observationSchema.parse({ ...line, formatVersion: 1, seq: index + 1, at: AT, case: id, stage: stageId }),
  );
  return judgeStage(definition, stage, "delete", whole);
}

const worker = (child: string) => ({ child, pid: 4_711 });
const started = (child = "worker"): Partly => ({ kind: "child_started", ...worker(child), stop: null });
const point = (name: string, child = "worker"): Partly => ({
  kind: "point",
  ...worker(child),
  point: name,
  child_at: AT,
});
const exited = (code: number | null, more: Partial<Gone> = {}, child = "worker"): Partly => ({
  kind: "child_exited",
  ...worker(child),
  exit_code: code,
  ...GONE,
  ...more,
});
const readBack = (counts: number[], more: Record<string, unknown> = {}): Partly => ({
  kind: "readback",
  counts,
  rows: {},
  integrity_check: "ok",
  journal_mode: "delete",
  journal_present: false,
  hot_journal_recovery: false,
  facts: {},
  ...more,
});
const refusal = (code: number, waited = 1): Partly => ({
  kind: "busy",
  ...worker("worker 2"),
  code,
  waited_ms: waited,
});
const holding = [started("worker 1"), point("before-commit-hold", "worker 1"), started("worker 2")];

const STOPPED_AT_D = [started(), point("before-commit"), exited(86)];

describe("the verdict on a stage (retry-boundaries §2, §7)", () => {
  it("is none when everything agrees", () => {
    expect(judged("D", "1", [...STOPPED_AT_D, readBack([0, 0, 0])])).toBeNull();
    expect(
      judged("F", "held", [...holding, refusal(5), exited(75, {}, "worker 2"), readBack([0, 0, 0])]),
    ).toBeNull();
  });

  it.each<[string, string, string, readonly Partly[]]>([
    ["COUNT_MISMATCH", "D", "1", [...STOPPED_AT_D, readBack([1, 1, 0])]],
    ["EXIT_CODE_MISMATCH", "D", "1", [started(), point("before-commit"), exited(0), readBack([0, 0, 0])]],
    [
      "EXIT_CODE_MISMATCH",
      "D",
      "1",
      [started(), point("before-commit"), exited(null, { ended_by_controller: true }), readBack([0, 0, 0])],
    ],
    ["POINT_MISMATCH", "D", "1", [started(), exited(86), readBack([0, 0, 0])]],
    [
      "POINT_MISMATCH",
      "D",
      "1",
      [started(), point("before-commit"), exited(86, { unreadable_lines: 1 }), readBack([0, 0, 0])],
    ],
    [
      "JOURNAL_EVIDENCE",
      "D",
      "1",
      [
        started(),
        point("before-commit"),
        exited(86, { side_files: { ...GONE.side_files, journal: null } }),
        readBack([0, 0, 0]),
      ],
    ],
    ["JOURNAL_EVIDENCE", "D", "1", [...STOPPED_AT_D, readBack([0, 0, 0], { journal_mode: "wal" })]],
    ["JOURNAL_EVIDENCE", "D", "1", [...STOPPED_AT_D, readBack([0, 0, 0], { hot_journal_recovery: true })]],
    [
      "INTEGRITY_CHECK",
      "D",
      "1",
      [...STOPPED_AT_D, readBack([0, 0, 0], { integrity_check: "row 1 missing" })],
    ],
    ["READBACK_FAILED", "D", "1", STOPPED_AT_D],
    [
      "CHILD_TIMEOUT",
      "D",
      "1",
      [started(), exited(null, { timed_out: true, ended_by_controller: true }), readBack([0, 0, 0])],
    ],
    ["BUSY_NOT_OBSERVED", "F", "held", [...holding, exited(0, {}, "worker 2"), readBack([0, 0, 0])]],
    [
      "BUSY_NOT_OBSERVED",
      "F",
      "held",
      [...holding, refusal(5, 5_001), exited(75, {}, "worker 2"), readBack([0, 0, 0])],
    ],
    [
      "UNEXPECTED_BUSY",
      "F",
      "held",
      [...holding, refusal(517), exited(75, {}, "worker 2"), readBack([0, 0, 0])],
    ],
    [
      "UNEXPECTED_BUSY",
      "F",
      "held",
      [...holding, refusal(5), refusal(5), exited(75, {}, "worker 2"), readBack([0, 0, 0])],
    ],
  ])("is %s in case %s, stage %s: row %#", (code, id, stageId, lines) => {
    expect(judged(id, stageId, lines)).toMatchObject({ case: id, stage: stageId, code });
  });
});
