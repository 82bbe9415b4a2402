import type { JournalMode } from "../cases/model.ts";
import type { Observation } from "../documents/observation-schema.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import type { StoredStage } from "../judge/stage-children.ts";

/**
 * What happened in one case, without times and PIDs: the form in which two runs are compared, by values and
 * order (retry-boundaries §8).
 */
export function orderOf(lines: readonly Observation[]): readonly string[] {
  return lines.map(entryOf);
}

function entryOf(line: Observation): string {
  const stage = line.stage ?? "-";
  switch (line.kind) {
    case "case_started":
      return `${line.kind} ${line.journal_mode}`;
    case "case_completed":
    case "stopped":
      return line.kind;
    case "child_started":
      return `${stage}: ${line.child} started, stop ${line.stop ?? "none"}`;
    case "point":
      return `${stage}: ${line.child} at ${line.point}`;
    case "busy":
      return `${stage}: ${line.child} refused ${line.code}`;
    case "child_exited":
      return `${stage}: ${line.child} ended ${line.exit_code ?? line.signal ?? "?"}`;
    case "readback":
      return `${stage}: read back ${JSON.stringify(line.counts)}`;
    case "comparison":
      return `${stage}: compared ${JSON.stringify(line.expected)}`;
  }
}

/** The order a case has when everything goes as planned. */
export function expectedOrder(definition: StoredCase, mode: JournalMode): readonly string[] {
  const stages = definition.stages.flatMap((stage) => [
    ...stage.moves.flatMap((move) => moveOrder(stage, move)),
    `${stage.id}: read back ${JSON.stringify(stage.counts)}`,
    `${stage.id}: compared ${JSON.stringify(stage.counts)}`,
  ]);
  return [`case_started ${mode}`, ...stages, "case_completed"];
}

function moveOrder(stage: StoredStage, move: StoredStage["moves"][number]): readonly string[] {
  const at = `${stage.id}: ${move.child}`;
  const stop = move.do === "run" ? move.stop : null;
  const busy = move.do === "hold" ? null : move.busy;
  const points = move.points.map((point) =>
    point === "busy" && busy !== null ? `${at} refused ${busy.code}` : `${at} at ${point}`,
  );
  const started = move.do === "release" ? [] : [`${at} started, stop ${stop ?? "none"}`];
  const ended = move.do === "hold" ? [] : [`${at} ended ${move.exit}`];
  return [...started, ...points, ...ended];
}
