import type { AttentionPicture, Freshness, RunRow } from "../../../shared/api/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { REQUEST_STALE_AFTER_MS } from "../../../shared/domain/request.ts";
import { createPictureReader } from "../live-model-read.ts";
import { problemOf } from "../live-model-readings.ts";
import { createLockDirectory } from "../locks/directory.ts";
import type { Workspace } from "../ports.ts";
import { watchLocks } from "./lock-watch.ts";
import { type PictureParts, pictureOf, type RequestsReading } from "./picture.ts";
import { createRunRecords } from "./run-records.ts";
import { readSchedules } from "./schedules.ts";

/** What the list is read through. */
export type OnceDeps = Pick<
  Workspace,
  "reads" | "profile" | "networks" | "schedulesFile" | "settings" | "kind" | "requestStore" | "probes"
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
  const [history, locks, schedules, requests, jobLog] = await Promise.all([
    records.round(read.rows, signal, read.problem === null),
    directory.pictures(signal),
    readSchedules(deps.settings?.reading().schedulesPath ?? deps.schedulesFile),
    readRequests(deps, signal),
    askJobLog(deps, signal),
  ]);
  const { profile } = deps;
  const state = freshnessOf(read, deps);
  // Who reads once and goes follows no children; theirs are told by the console of their host.
  const known = { profile, rows: read.rows, read: history, locks, schedules, requests };
  return pictureOf({ ...known, state, jobLog, processes: null }, deps.nowMs());
}

/** Whether the job log answers: the evidence behind the list stands there. */
async function askJobLog({ probes, nowMs }: OnceDeps, signal: AbortSignal): Promise<PictureParts["jobLog"]> {
  const probe = probes.get("jobLog");
  if (probe === undefined) return null;
  try {
    await probe(signal);
    return { readAt: new Date(nowMs()).toISOString(), problem: null };
  } catch (error) {
    return { readAt: null, problem: problemOf(error) };
  }
}

/** The most open requests that are looked at, as a poller does (orchestration section 7.1). */
const OPEN_LIMIT = 500;

/** The request app read once; this command is no poller, so whether one is silent is judged by what waits alone. */
async function readRequests(
  { requestStore, nowMs }: OnceDeps,
  signal: AbortSignal,
): Promise<RequestsReading> {
  if (requestStore === null) return { picture: null, freshness: null };
  const freshness = { source: "request", origin: "read", intervalMs: 0 } as const;
  try {
    const open = await requestStore.listOpen(OPEN_LIMIT, signal);
    const readAt = new Date(nowMs()).toISOString();
    return {
      picture: { open, poller: null, staleAfterMs: REQUEST_STALE_AFTER_MS },
      freshness: { ...freshness, readAt, problem: null },
    };
  } catch (error) {
    return { picture: null, freshness: { ...freshness, readAt: null, problem: problemOf(error) } };
  }
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
