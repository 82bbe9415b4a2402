import type { RunRow } from "../../shared/api/index.ts";
import type { NetworkLock, Run, Stored } from "../../shared/domain/model.ts";
import { isTerminalRunStatus } from "../../shared/domain/run-status.ts";
import type { FlowReads } from "../store/index.ts";
import { lockOver, type RunEvidence, rowOf } from "./live-model-rows.ts";

/** Runs judged in one round; more unfinished ones than this are listed without an activity. */
export const JUDGED_LIMIT = 20;

export interface PictureReader {
  /** Every Run of the state app as a row: one paged read, one for the locks, and what judging needs. */
  readAll(signal: AbortSignal): Promise<readonly RunRow[]>;
  /** One Run, judged; null when it is not in the store. */
  readOne(runId: string, signal: AbortSignal): Promise<RunRow | null>;
}

/**
 * Reads rows within the request budget: only unfinished Runs, and those under a held lock, cost requests of their
 * own. Which Run a lock owner belongs to never changes and is remembered.
 */
export function createPictureReader(reads: FlowReads, nowMs: () => number): PictureReader {
  const runOfOwner = new Map<string, string>();

  const invocationIds = async (
    run: Run,
    lock: NetworkLock | null,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const owner = lock?.ownerInvocationId ?? null;
    if (owner === null) return [];
    const known = runOfOwner.get(owner);
    if (known !== undefined) return known === run.runId ? [owner] : [];
    const ids = (await reads.listInvocations(run.runId, signal)).map((each) => each.invocationId);
    if (ids.includes(owner)) runOfOwner.set(owner, run.runId);
    return ids;
  };
  const judge = async (
    run: Stored<Run>,
    locks: readonly NetworkLock[],
    signal: AbortSignal,
  ): Promise<RunEvidence> => {
    const lock = lockOver(run, locks);
    const ids = await invocationIds(run, lock, signal);
    const hold = isTerminalRunStatus(run.status) ? null : await reads.findHold(run.runId, signal);
    return { lock, invocationIds: ids, hold: hold?.state ?? null };
  };
  return {
    async readAll(signal) {
      const [runs, locks] = await Promise.all([reads.listAllRuns(signal), reads.listHeldLocks(signal)]);
      let budget = JUDGED_LIMIT;
      const rows: RunRow[] = [];
      for (const run of runs.toReversed()) {
        const settled =
          isTerminalRunStatus(run.status) && (run.status === "SUCCESS" || !lockOver(run, locks));
        if (settled) {
          rows.push(rowOf(run, { lock: null, invocationIds: [], hold: null }, nowMs()));
        } else {
          const evidence = budget-- > 0 ? await judge(run, locks, signal) : null;
          rows.push(rowOf(run, evidence, nowMs()));
        }
      }
      return rows;
    },
    async readOne(runId, signal) {
      const run = await reads.findRunById(runId, signal);
      if (run === null) return null;
      const evidence = await judge(run, await reads.listHeldLocks(signal), signal);
      return rowOf(run, evidence, nowMs());
    },
  };
}
