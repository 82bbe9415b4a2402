import { join, relative, sep } from "node:path";
import { plannedTotals, SUITES } from "../cases/index.ts";
import { DELTA, EVENT_ID, type JournalMode, type SuiteName } from "../cases/model.ts";
import { CAVEATS, FLEET_CAVEAT } from "../caveats.ts";
import { type Manifest, manifestSchema } from "../documents/manifest-schema.ts";
import { storedCases } from "../documents/plan-schema.ts";
import { digestOf, filesBelow, HASHES_FILE, RESULTS_FILE } from "../files.ts";
import { environmentOf } from "./environment.ts";

export interface ManifestInput {
  readonly suite: SuiteName;
  readonly journalMode: JournalMode;
  readonly folder: string;
  readonly startedAt: Date;
  readonly applicationVersion: string;
  readonly limits: { readonly childMs: number; readonly runMs: number };
  /** Path of the child program. */
  readonly program: string;
}

/** Folder of the experiment's own sources: controller, child and tables. */
export const SOURCES = join(import.meta.dirname, "..");

/** SHA-256 of every source of the experiment, by path below its folder (retry-boundaries §8). */
export function codeHashes(program: string): Readonly<Record<string, string>> {
  const own = filesBelow(SOURCES).map((path) => [path, digestOf(join(SOURCES, path)).sha256] as const);
  const where = relative(SOURCES, program).split(sep).join("/");
  // A child program from elsewhere is named without the path that leads to it.
  const foreign = own.some(([path]) => path === where)
    ? []
    : [["child program", digestOf(program).sha256] as const];
  return Object.fromEntries([...own, ...foreign]);
}

/** The manifest of a run: expectations, code and environment, before the first child starts. */
export function manifestOf(input: ManifestInput): Manifest {
  const { cases } = SUITES[input.suite];
  return manifestSchema.parse({
    kind: "RETRY_BOUNDARIES_MANIFEST",
    formatVersion: 1,
    schema: "retry-boundaries.manifest.v1",
    suite: input.suite,
    started_at: input.startedAt.toISOString(),
    application_version: input.applicationVersion,
    input: { event_id: EVENT_ID, delta: DELTA },
    environment: environmentOf(input.folder),
    journal_mode: input.journalMode,
    synchronous: "FULL",
    busy_timeout_ms: 0,
    limits: { child_ms: input.limits.childMs, run_ms: input.limits.runMs },
    code_sha256: codeHashes(input.program),
    planned: plannedTotals(cases),
    cases: storedCases(cases),
    caveats: input.suite === "A-G" ? CAVEATS : [...CAVEATS, FLEET_CAVEAT],
    completeness: `INCOMPLETE unless ${RESULTS_FILE} and ${HASHES_FILE} stand beside this file: they are written last.`,
  });
}
