import { journalModeOf } from "../cases/index.ts";
import type { Manifest } from "../documents/manifest-schema.ts";
import type { Failure, Observation } from "../documents/observation-schema.ts";
import type { StoredCase } from "../documents/plan-schema.ts";
import type { Results } from "../documents/results-schema.ts";
import { OBSERVATIONS_FILE, RESULTS_FILE } from "../files.ts";
import { judgeStage } from "../judge/judge-stage.ts";
import { linesOf, summarise } from "../judge/summarise.ts";
import type { Findings } from "./findings.ts";
import { expectedOrder, orderOf } from "./order.ts";

/**
 * Judges the recorded stages again, by the same rules as the controller, compares the order of everything that
 * happened with the plan, and computes the results anew (retry-boundaries §8).
 */
export function checkObservations(
  manifest: Manifest,
  observations: readonly Observation[],
  results: Results | null,
  findings: Findings,
): void {
  const stopped = observations.find((line) => line.kind === "stopped");
  const failure = stopped?.kind === "stopped" ? stopped.failure : null;
  for (const definition of manifest.cases) checkCase(manifest, definition, observations, failure, findings);
  const last = observations.at(-1);
  if (stopped !== undefined && stopped !== last) {
    findings.differs(OBSERVATIONS_FILE, "goes on after the run had stopped");
  }
  findings.checked(`verdict of every recorded stage, and the order of ${observations.length} observations`);
  if (results === null) return;
  if (JSON.stringify(summarise(manifest, observations)) !== JSON.stringify(results)) {
    findings.differs(RESULTS_FILE, "says other things than manifest and observations do");
  }
  findings.checked("results, computed again from manifest and observations");
}

function checkCase(
  manifest: Manifest,
  definition: StoredCase,
  observations: readonly Observation[],
  failure: Failure | null,
  findings: Findings,
): void {
  const lines = observations.filter((line) => line.case === definition.id && line.kind !== "stopped");
  const place = `${OBSERVATIONS_FILE} case ${definition.id}`;
  const mode = journalModeOf(definition, manifest.journal_mode);
  const completed = lines.some((line) => line.kind === "case_completed");
  const order = orderOf(lines);
  const planned = expectedOrder(definition, mode);
  if (completed && order.join("\n") !== planned.join("\n")) {
    const at = order.findIndex((entry, index) => entry !== planned[index]);
    findings.differs(place, `happened in another order than planned: ${order[at] ?? "ends early"}`);
  }
  for (const stage of definition.stages) {
    const ofStage = linesOf(observations, definition, stage);
    const comparison = ofStage.find((line) => line.kind === "comparison");
    if (comparison?.kind !== "comparison") continue;
    const verdict = judgeStage(
      definition,
      stage,
      mode,
      ofStage.filter((line) => line.kind !== "stopped"),
    );
    if ((verdict === null) !== comparison.match) {
      findings.differs(`${place} stage ${stage.id}`, "was judged otherwise than its observations say");
    }
    if (completed && verdict !== null)
      findings.differs(place, `counts as completed in spite of ${verdict.code}`);
    const recorded = failure?.case === definition.id && failure.stage === stage.id;
    if (verdict !== null && !recorded)
      findings.differs(`${place} stage ${stage.id}`, `hides ${verdict.code}`);
  }
}
