import { join } from "node:path";
import { errorText } from "../../../../shared/domain/problem.ts";
import { journalModeOf, SUITES } from "../cases/index.ts";
import type { JournalMode } from "../cases/model.ts";
import type { Manifest } from "../documents/manifest-schema.ts";
import type { Failure } from "../documents/observation-schema.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import { judgeStage } from "../judge/judge-stage.ts";
import type { StoredStage } from "../judge/stage-children.ts";
import { linesOf } from "../judge/summarise.ts";
import { createEndings, type Endings } from "./endings.ts";
import type { ObservationJournal } from "./observation-journal.ts";
import type { RunOptions } from "./options.ts";
import { prepareCase } from "./prepare-case.ts";
import { runStage, type StageDeps, type Watched } from "./run-stage.ts";

/** Runs case after case until one disagrees; answers what disagreed, or null. Leaves no child behind. */
export async function runCases(
  manifest: Manifest,
  journal: ObservationJournal,
  options: RunOptions,
): Promise<Failure | null> {
  const alive = new Map<string, Watched>();
  const current = { case: "", stage: "" };
  const endings = createEndings(alive, options.signal, options.limits.runMs);
  try {
    for (const definition of manifest.cases) {
      current.case = definition.id;
      current.stage = "";
      const mode = journalModeOf(definition, options.journalMode);
      const folder = join(options.output, definition.folder);
      journal.note({ kind: "case_started", case: definition.id, stage: null, journal_mode: mode });
      prepareCase(folder, definition, SUITES[options.suite].schema, mode);
      const deps = stageDeps(options, { folder, journal, alive, current, stopped: endings.stopped });
      const failure = await runCase(definition, mode, deps, endings);
      if (failure !== null) return failure;
      journal.note({ kind: "case_completed", case: definition.id, stage: null });
    }
    return null;
  } catch (error) {
    // Paths stay out of the evidence (retry-boundaries §8).
    const observed = errorText(error).replaceAll(options.output, ".");
    return { case: current.case, stage: current.stage, code: "CONTROLLER_FAULT", expected: null, observed };
  } finally {
    endings.dispose();
    const left = [...alive.values()];
    for (const { child } of left) child.kill("left-over");
    await Promise.all(left.map((watched) => watched.noted));
  }
}

function stageDeps(
  options: RunOptions,
  rest: Pick<StageDeps, "folder" | "journal" | "alive" | "current" | "stopped">,
): StageDeps {
  const { suite, file, onStderr, limits } = options;
  return { ...rest, suite, file, onStderr, childLimitMs: limits.childMs };
}

async function runCase(
  definition: StoredCase,
  mode: JournalMode,
  deps: StageDeps,
  endings: Endings,
): Promise<Failure | null> {
  for (const stage of definition.stages) {
    const failure = await runAndJudge(definition, stage, mode, deps);
    const found = endings.failureAt(definition.id, stage.id) ?? failure;
    if (found !== null) return found;
  }
  return null;
}

async function runAndJudge(
  definition: StoredCase,
  stage: StoredStage,
  mode: JournalMode,
  deps: StageDeps,
): Promise<Failure | null> {
  const unreadable = await runStage(definition, stage, deps);
  const lines = linesOf(deps.journal.lines(), definition, stage);
  const failure = judgeStage(definition, stage, mode, lines);
  const seen = lines.find((line) => line.kind === "readback");
  deps.journal.note({
    ...deps.current,
    kind: "comparison",
    expected: stage.counts,
    observed: seen?.kind === "readback" ? seen.counts : null,
    match: failure === null,
  });
  return failure?.code === "READBACK_FAILED" ? { ...failure, observed: unreadable } : failure;
}
