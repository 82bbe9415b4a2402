import { join } from "node:path";
import { errorText } from "../../../../shared/domain/problem.ts";
import type { Manifest } from "../documents/manifest-schema.ts";
import type { Failure, Observation, StatusLine } from "../documents/observation-schema.ts";
import { type Results, resultsSchema } from "../documents/results-schema.ts";
import {
  documentText,
  HASHES_FILE,
  hashesOf,
  MANIFEST_FILE,
  OBSERVATIONS_FILE,
  RESULTS_FILE,
  writeNew,
} from "../files.ts";
import { observedTotals, summarise } from "../judge/summarise.ts";
import { manifestOf } from "./manifest.ts";
import { createObservationJournal } from "./observation-journal.ts";
import type { RunOptions } from "./options.ts";
import { createOutputFolder } from "./output-folder.ts";
import { runCases } from "./run-cases.ts";

export interface RunOutcome {
  readonly status: StatusLine;
  readonly results: Results;
}

/**
 * Runs a whole suite into a new folder (retry-boundaries §2–§8). Mismatches and faults are a `STOPPED` status
 * with everything observed so far kept; nothing is repeated, resumed or removed.
 *
 * Throws a FlowError `OUTPUT_EXISTS` or `OUTPUT_PARENT_MISSING` before anything is written, and whatever the
 * file system says when the evidence itself cannot be written; such a folder has no results and says so.
 */
export async function runExperiment(options: RunOptions): Promise<RunOutcome> {
  createOutputFolder(options.output);
  const manifest = manifestOf({
    suite: options.suite,
    journalMode: options.journalMode,
    folder: options.output,
    startedAt: options.now(),
    applicationVersion: options.applicationVersion,
    limits: options.limits,
    program: options.file.program,
  });
  writeNew(join(options.output, MANIFEST_FILE), documentText(manifest));
  const observations = await observe(manifest, options);
  const results = resultsSchema.parse(summarise(manifest, observations));
  writeNew(join(options.output, RESULTS_FILE), documentText(results));
  return { status: seal(options.output, results.status), results };
}

async function observe(manifest: Manifest, options: RunOptions): Promise<readonly Observation[]> {
  const journal = createObservationJournal(join(options.output, OBSERVATIONS_FILE), options.now);
  try {
    const failure = (await runCases(manifest, journal, options)) ?? totalsDiffer(manifest, journal.lines());
    if (failure !== null) {
      journal.note({ kind: "stopped", case: failure.case, stage: failure.stage, failure });
    }
    return journal.lines();
  } finally {
    journal.dispose();
  }
}

/** Every stage agreed, and yet something happened that was not planned: the totals must hold too (§7). */
function totalsDiffer(manifest: Manifest, observations: readonly Observation[]): Failure | null {
  const observed = observedTotals(observations);
  if (JSON.stringify(observed) === JSON.stringify(manifest.planned)) return null;
  return {
    case: null,
    stage: null,
    code: "COUNT_MISMATCH",
    expected: manifest.planned,
    observed: { ...observed },
  };
}

/** Writes the hashes, last of all. Without them a run is not complete, whatever its cases said. */
function seal(output: string, status: StatusLine): StatusLine {
  try {
    writeNew(join(output, HASHES_FILE), documentText(hashesOf(output)));
    return status;
  } catch (error) {
    const observed = errorText(error).replaceAll(output, ".");
    const failure: Failure = { case: null, stage: null, code: "HASH_FAILED", expected: null, observed };
    return { ...status, status: "STOPPED", failure: status.failure ?? failure };
  }
}
