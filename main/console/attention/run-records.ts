import type { RunRow } from "../../../shared/api/index.ts";
import type { RunRecordsRead } from "../../../shared/domain/attention-picture.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { isTerminalRunStatus } from "../../../shared/domain/run-status.ts";
import type { FlowReads } from "../../store/index.ts";
import { problemOf } from "../live-model-readings.ts";

export interface RecordsDeps {
  readonly readRunGraph: FlowReads["readRunGraph"];
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** Runs read in one round; each costs three requests. */
  readonly perRound: () => number;
  /** Runs whose records are kept at most; each beyond it is told by its row alone. */
  readonly most: number;
  /** Milliseconds after which an open Run is read again although its record did not change. */
  readonly refreshMs: number;
}

export interface RecordsRound {
  readonly records: ReadonlyMap<string, RunRecordsRead>;
  /** Runs that are still to be read, or whose reading failed. */
  readonly pending: number;
  readonly problem: Problem | null;
  /** When this source was last read to its end; null when it never was. */
  readAt: string | null;
}

interface Known {
  readonly key: string;
  readonly records: RunRecordsRead;
  readonly readMs: number;
}

/** A reading that failed: for whom, and why. */
interface Failed extends Omit<Known, "records"> {
  readonly problem: Problem;
}

/** What is wrong with the records of one Run alone; anything else the readings of the others would meet, too. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(["RECORD_UNREADABLE", "MULTIPLE_RECORDS"]);

/** A Run whose records say more than its row: anything but a success, a closed Run and one at work. */
export function needsRecords(row: RunRow): boolean {
  if (row.lifecycle === "ARCHIVED" || row.status === "SUCCESS") return false;
  return row.activity !== "LIVE" || row.status === "UNKNOWN";
}

/** Unknown results first, then what is open, then what ended; the newest first within each. */
function byNeed(left: RunRow, right: RunRow): number {
  const rank = ({ status }: RunRow): number =>
    status === "UNKNOWN" ? 0 : !isTerminalRunStatus(status) ? 1 : status === "FAILED" ? 2 : 3;
  return rank(left) - rank(right) || Number(right.recordId) - Number(left.recordId);
}

/**
 * The records behind the Runs that need attention, within the request budget (operator-ux U2): read when a Run comes up
 * or changes, a bounded number a round, kept until it is over. A reading that fails leaves what was known; where the Run's own records are the reason, that
 * Run is left out for a while.
 */
export function createRunRecords(deps: RecordsDeps) {
  const known = new Map<string, Known>();
  const failed = new Map<string, Failed>();
  let readAt: string | null = null;
  const keyOf = (row: RunRow): string => `${row.revision} ${row.activity}`;
  const due = (row: RunRow): boolean => {
    const found = known.get(row.runId);
    if (found === undefined || found.key !== keyOf(row)) return true;
    const open = !isTerminalRunStatus(row.status) || row.status === "UNKNOWN";
    return open && deps.nowMs() - found.readMs > deps.refreshMs;
  };
  const resting = (row: RunRow): boolean => {
    const last = failed.get(row.runId);
    return last?.key === keyOf(row) && deps.nowMs() - last.readMs <= deps.refreshMs;
  };
  /** The problem that ends the round, or null. */
  const readOne = async (row: RunRow, signal: AbortSignal): Promise<Problem | null> => {
    const read = { key: keyOf(row), readMs: deps.nowMs() };
    try {
      const { run, ...rest } = await deps.readRunGraph(row.runId, signal);
      known.set(row.runId, { ...read, records: { run: run ?? row, ...rest } });
      failed.delete(row.runId);
      return null;
    } catch (cause) {
      const problem = problemOf(cause);
      if (!OF_ONE_RUN.has(problem.code)) return problem;
      failed.set(row.runId, { ...read, problem });
      return null;
    }
  };
  return {
    /** Forgets what is over, and reads at most a round of the Runs that are due, those in need first. Never throws. */
    async round(rows: readonly RunRow[], signal: AbortSignal, mayRead: boolean): Promise<RecordsRound> {
      const wanted = rows.filter(needsRecords).sort(byNeed).slice(0, deps.most);
      const present = new Set(wanted.map((row) => row.runId));
      for (const held of [known, failed]) {
        for (const runId of held.keys()) if (!present.has(runId)) held.delete(runId);
      }
      let problem: Problem | null = null;
      const next = wanted.filter((row) => due(row) && !resting(row)).slice(0, deps.perRound());
      for (const row of mayRead ? next : []) {
        problem = await readOne(row, signal);
        // One such refusal is enough for a round: the others would meet it too.
        if (problem !== null || signal.aborted) break;
      }
      const unread = wanted.filter(due);
      const pending = unread.length;
      const [broken] = unread.flatMap(({ runId }) => failed.get(runId)?.problem ?? []);
      if (mayRead && pending === 0) readAt = new Date(deps.nowMs()).toISOString();
      const records = new Map([...known].map(([runId, each]) => [runId, each.records] as const));
      return { records, pending, problem: problem ?? broken ?? null, readAt };
    },
  };
}
