import { BASE_SUITE } from "./base.ts";
import { EXTENDED_SUITE } from "./extended.ts";
import { type CaseDefinition, EXIT_AT_STOP, type JournalMode, type Suite, type SuiteName } from "./model.ts";

export const SUITES: Readonly<Record<SuiteName, Suite>> = {
  "A-G": BASE_SUITE,
  "extended-db": EXTENDED_SUITE,
};

/** What a whole run amounts to (retry-boundaries §7, totals). */
export interface Totals {
  readonly cases: number;
  readonly children: number;
  readonly read_backs: number;
  readonly exits_86: number;
  readonly busy: number;
  readonly integrity_ok: number;
  readonly hot_journal_recovery: number;
}

/** The totals a table promises, computed from its rows. */
export function plannedTotals(cases: readonly CaseDefinition[]): Totals {
  const stages = cases.flatMap((definition) => definition.stages);
  const moves = stages.flatMap((stage) => stage.moves);
  const count = (truth: readonly boolean[]): number => truth.filter(Boolean).length;
  return {
    cases: cases.length,
    children: count(moves.map((move) => move.do !== "release")),
    read_backs: stages.length,
    exits_86: count(moves.map((move) => move.do !== "hold" && move.exit === EXIT_AT_STOP)),
    busy: count(moves.map((move) => move.do !== "hold" && move.busy !== null)),
    integrity_ok: stages.length,
    hot_journal_recovery: count(stages.map((stage) => stage.hotJournal)),
  };
}

/** The journal mode of one case: its own where it has one, else the run's. */
export function journalModeOf(
  definition: Pick<CaseDefinition, "journalMode">,
  ofRun: JournalMode,
): JournalMode {
  return definition.journalMode ?? ofRun;
}
