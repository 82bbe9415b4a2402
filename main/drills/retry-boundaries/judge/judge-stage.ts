import { EXIT_AT_STOP, type JournalMode } from "../cases/model.ts";
import type { Failure, Observation } from "../documents/observation-schema.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import { missingEvidence, placeOfStop } from "./evidence.ts";
import { expectedChildren, observedChildren, type StoredStage } from "./stage-children.ts";

type Finding = Pick<Failure, "code" | "expected" | "observed">;
type Exited = Extract<Observation, { kind: "child_exited" }>;
type ReadBackLine = Extract<Observation, { kind: "readback" }>;

/**
 * A refusal has to come at once. One that comes after a wait means that the connection had a busy time-out,
 * and then nobody knows what case F has shown (retry-boundaries §13, RB-A5). Far above any scheduling delay.
 */
const AT_ONCE_MS = 2_500;

/**
 * Compares one stage with its plan; null when everything agrees (retry-boundaries §2, §7). The first finding
 * counts, in this order: time-out, refusals, exit codes, proof of the abrupt end, points, integrity, counts.
 * Pure: the same lines of observations give the same verdict to the controller and to `verify`.
 */
export function judgeStage(
  definition: StoredCase,
  stage: StoredStage,
  mode: JournalMode,
  lines: readonly Observation[],
): Failure | null {
  const finding =
    timeOut(lines) ??
    refusals(stage, lines) ??
    exitCodes(stage, lines) ??
    abruptEnds(definition, stage, mode, lines) ??
    points(stage, lines) ??
    readBack(stage, mode, lines);
  return finding === null ? null : { case: definition.id, stage: stage.id, ...finding };
}

function timeOut(lines: readonly Observation[]): Finding | null {
  const late = exits(lines).find((line) => line.timed_out);
  if (late === undefined) return null;
  return { code: "CHILD_TIMEOUT", expected: "an end within the limit", observed: late.child };
}

function refusals(stage: StoredStage, lines: readonly Observation[]): Finding | null {
  const expected = expectedChildren(stage).map(({ child, busy }) => ({ child, busy }));
  const observed = observedChildren(lines).map(({ child, busy }) => ({ child, busy }));
  for (const { child, busy } of expected) {
    const seen = observed.find((candidate) => candidate.child === child)?.busy ?? [];
    if (same(seen, busy)) continue;
    return { code: seen.length < busy.length ? "BUSY_NOT_OBSERVED" : "UNEXPECTED_BUSY", expected, observed };
  }
  const waited = lines.find((line) => line.kind === "busy" && line.waited_ms >= AT_ONCE_MS);
  if (waited === undefined || waited.kind !== "busy") return null;
  return {
    code: "BUSY_NOT_OBSERVED",
    expected: "a refusal at once",
    observed: `refused after waiting ${waited.waited_ms} ms`,
  };
}

function exitCodes(stage: StoredStage, lines: readonly Observation[]): Finding | null {
  const expected = expectedChildren(stage).map(({ child, exit }) => ({ child, exit }));
  const observed = observedChildren(lines).map(({ child, exit }) => ({ child, exit }));
  return same(expected, observed) ? null : { code: "EXIT_CODE_MISMATCH", expected, observed };
}

function abruptEnds(
  definition: StoredCase,
  stage: StoredStage,
  mode: JournalMode,
  lines: readonly Observation[],
): Finding | null {
  for (const move of stage.moves) {
    if (move.do !== "run" || move.stop === null) continue;
    const exit = exits(lines).find((line) => line.child === move.child && line.exit_code === EXIT_AT_STOP);
    const place = placeOfStop(definition.work[move.role] ?? [], move.stop);
    const missing = exit === undefined ? "no such end" : missingEvidence(mode, place, exit.side_files);
    if (missing === null) continue;
    return {
      code: "JOURNAL_EVIDENCE",
      expected: { mode, ...place },
      observed: { side_files: exit?.side_files ?? null, missing },
    };
  }
  return null;
}

function points(stage: StoredStage, lines: readonly Observation[]): Finding | null {
  const expected = expectedChildren(stage).map(({ child, points }) => ({ child, points: [...points] }));
  const observed = observedChildren(lines).map(({ child, points }) => ({ child, points: [...points] }));
  if (!same(expected, observed)) return { code: "POINT_MISMATCH", expected, observed };
  const unreadable = exits(lines).find((line) => line.unreadable_lines > 0);
  if (unreadable === undefined) return null;
  const said = `${unreadable.child}: ${unreadable.unreadable_lines} unreadable lines`;
  return { code: "POINT_MISMATCH", expected: "lines of the agreed form only", observed: said };
}

function readBack(stage: StoredStage, mode: JournalMode, lines: readonly Observation[]): Finding | null {
  const seen = lines.find((line): line is ReadBackLine => line.kind === "readback");
  if (seen === undefined) return { code: "READBACK_FAILED", expected: "a read-back", observed: null };
  if (seen.integrity_check !== "ok") {
    return { code: "INTEGRITY_CHECK", expected: "ok", observed: seen.integrity_check };
  }
  if (seen.journal_mode !== mode) {
    return { code: "JOURNAL_EVIDENCE", expected: mode, observed: seen.journal_mode };
  }
  if (seen.hot_journal_recovery !== stage.hotJournal) {
    const expected = { hot_journal_recovery: stage.hotJournal };
    return {
      code: "JOURNAL_EVIDENCE",
      expected,
      observed: { hot_journal_recovery: seen.hot_journal_recovery },
    };
  }
  if (!same(stage.counts, seen.counts)) {
    return { code: "COUNT_MISMATCH", expected: stage.counts, observed: seen.counts };
  }
  const facts = Object.fromEntries(Object.keys(stage.facts).map((name) => [name, seen.facts[name] ?? null]));
  return same(stage.facts, facts) ? null : { code: "COUNT_MISMATCH", expected: stage.facts, observed: facts };
}

function exits(lines: readonly Observation[]): readonly Exited[] {
  return lines.filter((line): line is Exited => line.kind === "child_exited");
}

/** Equality of plain data whose members stand in the same order. */
function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
