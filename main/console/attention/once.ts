import type { AttentionPicture, Freshness, RunRow } from "../../../shared/api/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { createPictureReader } from "../live-model-read.ts";
import { problemOf } from "../live-model-readings.ts";
import { createLockDirectory } from "../locks/directory.ts";
import type { Workspace } from "../ports.ts";
import { watchLocks } from "./lock-watch.ts";
import { pictureOf } from "./picture.ts";
import { createRunRecords } from "./run-records.ts";
import { readSchedules } from "./schedules.ts";

/** What the list is read through. */
export type OnceDeps = Pick<
  Workspace,
  "reads" | "profile" | "networks" | "schedulesFile" | "settings" | "kind"
> & {
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
};

/**
 * The list of what needs somebody, read once and whole (orchestration section 11.3): the same judgement as the
 * console's, without its budget. Never throws for a source that cannot be read: that stands in the picture, which
 * then is not calm.
 */
export async function readAttentionOnce(deps: OnceDeps, signal: AbortSignal): Promise<AttentionPicture> {
  const watch = watchLocks(deps.reads);
  const read = await readRows(createPictureReader(watch.reads, deps.nowMs).readAll, signal);
  const byId = new Map(read.rows.map((row) => [row.runId, row]));
  const directory = createLockDirectory({
    watch,
    live: { known: () => read.rows, row: (runId) => byId.get(runId) },
    profile: deps.profile,
    networks: () => deps.networks,
  });
  const records = createRunRecords({
    readRunGraph: deps.reads.readRunGraph,
    nowMs: deps.nowMs,
    perRound: () => Number.POSITIVE_INFINITY,
    most: Number.POSITIVE_INFINITY,
    refreshMs: Number.POSITIVE_INFINITY,
  });
  const [history, locks, schedules] = await Promise.all([
    records.round(read.rows, signal, read.problem === null),
    directory.pictures(signal),
    readSchedules(deps.settings?.reading().schedulesPath ?? deps.schedulesFile),
  ]);
  const { profile } = deps;
  const state = freshnessOf(read, deps);
  return pictureOf({ profile, rows: read.rows, read: history, locks, schedules, state }, deps.nowMs());
}

interface RowsRead {
  readonly rows: readonly RunRow[];
  readonly problem: Problem | null;
}

async function readRows(
  readAll: (signal: AbortSignal) => Promise<readonly RunRow[]>,
  signal: AbortSignal,
): Promise<RowsRead> {
  try {
    return { rows: await readAll(signal), problem: null };
  } catch (error) {
    return { rows: [], problem: problemOf(error) };
  }
}

function freshnessOf({ problem }: RowsRead, { nowMs }: OnceDeps): Freshness {
  const readAt = problem === null ? new Date(nowMs()).toISOString() : null;
  return { source: "state", readAt, origin: "read", intervalMs: 0, problem };
}
