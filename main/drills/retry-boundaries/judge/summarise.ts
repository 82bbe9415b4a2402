import type { Totals } from "../cases/index.ts";
import { EXIT_AT_STOP } from "../cases/model.ts";
import type { Manifest } from "../documents/manifest-schema.ts";
import type { Failure, Observation, StatusLine } from "../documents/observation-schema.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import type { Results } from "../documents/results-schema.ts";
import { expectedChildren, observedChildren, type StoredStage } from "./stage-children.ts";

/**
 * The results of a run, from its manifest and its observations alone (retry-boundaries §8). The controller
 * writes what this answers; `verify` computes it again.
 */
export function summarise(manifest: Manifest, observations: readonly Observation[]): Results {
  return {
    kind: "RETRY_BOUNDARIES_RESULTS",
    formatVersion: 1,
    schema: "retry-boundaries.results.v1",
    suite: manifest.suite,
    journal_mode: manifest.journal_mode,
    status: statusOf(manifest, observations),
    cases: manifest.cases.map((definition) => caseResult(definition, observations)),
    totals: { planned: manifest.planned, observed: observedTotals(observations) },
    caveats: manifest.caveats,
  };
}

/** The line of retry-boundaries §2. */
export function statusOf(manifest: Manifest, observations: readonly Observation[]): StatusLine {
  const stopped = observations.find((line) => line.kind === "stopped");
  const failure: Failure | null = stopped?.kind === "stopped" ? stopped.failure : null;
  const casesCompleted = countOf(observations, "case_completed");
  const complete = failure === null && casesCompleted === manifest.cases.length;
  return {
    status: complete ? "COMPLETE" : "STOPPED",
    casesCompleted,
    casesPlanned: manifest.cases.length,
    failure,
  };
}

/** What really happened, counted. */
export function observedTotals(observations: readonly Observation[]): Totals {
  const readBacks = observations.flatMap((line) => (line.kind === "readback" ? [line] : []));
  return {
    cases: countOf(observations, "case_completed"),
    children: countOf(observations, "child_started"),
    read_backs: readBacks.length,
    exits_86: observations.filter((line) => line.kind === "child_exited" && line.exit_code === EXIT_AT_STOP)
      .length,
    busy: countOf(observations, "busy"),
    integrity_ok: readBacks.filter((line) => line.integrity_check === "ok").length,
    hot_journal_recovery: readBacks.filter((line) => line.hot_journal_recovery).length,
  };
}

function countOf(observations: readonly Observation[], kind: Observation["kind"]): number {
  return observations.filter((line) => line.kind === kind).length;
}

/** The lines of one stage, in order. */
export function linesOf(
  observations: readonly Observation[],
  definition: StoredCase,
  stage: StoredStage,
): readonly Observation[] {
  return observations.filter((line) => line.case === definition.id && line.stage === stage.id);
}

function caseResult(definition: StoredCase, observations: readonly Observation[]): Results["cases"][number] {
  return {
    case: definition.id,
    folder: definition.folder,
    title: definition.title,
    lesson: definition.lesson,
    completed: observations.some((line) => line.kind === "case_completed" && line.case === definition.id),
    stages: definition.stages.map((stage) => {
      const lines = linesOf(observations, definition, stage);
      const comparison = lines.find((line) => line.kind === "comparison");
      const expected = {
        children: [...expectedChildren(stage)],
        counts: stage.counts,
        facts: stage.facts,
      };
      return {
        stage: stage.id,
        expected,
        observed: lines.length === 0 ? null : observedStage(stage, lines),
        match: comparison?.kind === "comparison" ? comparison.match : null,
      };
    }),
  };
}

function observedStage(
  stage: StoredStage,
  lines: readonly Observation[],
): Results["cases"][number]["stages"][number]["observed"] {
  const seen = lines.find((line) => line.kind === "readback");
  const readBack = seen?.kind === "readback" ? seen : null;
  const facts = Object.keys(stage.facts).map((name) => [name, readBack?.facts[name] ?? null] as const);
  return {
    children: [...observedChildren(lines)],
    counts: readBack?.counts ?? null,
    facts: readBack === null ? null : Object.fromEntries(facts),
  };
}
