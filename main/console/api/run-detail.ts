import type { RunDetail } from "../../../shared/api/index.ts";
import { type LockStatus, liveOwner } from "../../../shared/domain/lease.ts";
import type { NodeState, Run, Stored } from "../../../shared/domain/model.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { isTerminalRunStatus } from "../../../shared/domain/run-status.ts";
import { type RunReport, readStatus } from "../../orchestrator/index.ts";
import type { FlowReads, RunGraph } from "../../store/index.ts";
import { rowOf } from "../live-model-rows.ts";
import type { HandlerDeps } from "./deps.ts";
import { attemptsPage, type ReadRun, type RunRecords } from "./run-attempts.ts";
import { placed } from "./run-place.ts";

/**
 * What the records say of one Run, with the activity and inconsistencies `status` judges (orchestration §6), and the
 * first page of its attempts. One reading serves both. The lock is read before the records: one that is released in
 * between would make a Run that just ended look interrupted.
 */
export async function readRunDetail(
  deps: HandlerDeps,
  records: RunRecords,
  runId: string,
  signal?: AbortSignal,
): Promise<Result<RunDetail>> {
  const found = await deps.reads.findRunById(runId, signal);
  if (found === null) return fail(notFound(runId));
  let read: ReadRun | null = null;
  const reads: FlowReads = {
    ...deps.reads,
    findRunById: async () => found,
    readRunGraph: async () => {
      read = await records.fresh(runId, signal);
      return read.graph;
    },
  };
  const report = await readStatus(
    { reads, clock: { nowMs: deps.nowMs, monotonicMs: deps.nowMs } },
    { networkId: found.networkId, profile: found.profileSnapshot.profile, runId, ...(signal && { signal }) },
  );
  const judged = report.runs.find((each) => each.runId === runId) ?? null;
  const { graph, readAt } = read ?? (await records.last(runId, signal));
  const run = graph.run ?? found;
  // The list is behind these records: it reads the Run again, too (operator-ux U9).
  if ((deps.live.row(runId)?.revision ?? run.ref.revision) < run.ref.revision) deps.live.touch(runId);
  const live = isTerminalRunStatus(run.status) && (await atWorkAgain(deps, run, graph, report.lock, signal));
  return ok(detailOf(run, { graph, readAt }, { report: judged, live }, deps));
}

/**
 * Whether the owner of a finished record is at work again: `status` has no word for it (W-06). An end gives the lock
 * back in the same request, so a lock that was read before the end is looked at once more.
 */
async function atWorkAgain(
  { reads, nowMs }: HandlerDeps,
  run: Stored<Run>,
  { invocations }: RunGraph,
  seen: LockStatus | null,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const own = invocations.map(({ invocationId }) => invocationId);
  if (seen === null || !own.includes(seen.ownerInvocationId ?? "")) return false;
  const { profile } = run.profileSnapshot;
  return liveOwner(await reads.findLock({ networkId: run.networkId, profile }, signal), own, nowMs());
}

function detailOf(
  run: Stored<Run>,
  { graph, readAt }: ReadRun,
  { report: judged, live }: { readonly report: RunReport | null; readonly live: boolean },
  deps: HandlerDeps,
): RunDetail {
  const nowMs = deps.nowMs();
  const { attempts, total, next } = attemptsPage(graph.attempts, {});
  return {
    run: {
      ...rowOf(run, null, nowMs),
      activity: judged?.activity ?? (live ? "LIVE" : null),
      activityJudgedAt: readAt,
    },
    definitionSha256: run.definitionSha256,
    bundleSha256: run.bundleSha256,
    flowVersion: run.flowVersion,
    engineVersion: run.engineVersion,
    hold: judged?.hold ?? null,
    // The output schema drops what is the record's alone: its place in the store, its keys.
    nodes: withLatest(graph),
    attempts,
    attemptTotal: total,
    attemptsNext: next,
    invocations: graph.invocations.map(placed),
    resolutions: graph.resolutions.map(placed),
    inconsistencies: judged?.detail?.inconsistencies ?? [],
    readAt,
  };
}

/** Each node with how its latest attempt ended. */
function withLatest({
  states,
  attempts,
}: RunGraph): readonly (NodeState & { latestResultCode: string | null })[] {
  // By `$id`, ascending: the last one written stays.
  const latest = new Map(attempts.map((attempt) => [attempt.nodeId, attempt.resultCode]));
  return states.map((state) => ({ ...state, latestResultCode: latest.get(state.nodeId) ?? null }));
}

export const notFound = (runId: string): Problem => ({
  code: "RECORD_NOT_FOUND",
  message: `No Run with the id ${runId} is in the state app.`,
  place: "runId",
  remedy: "Check the id; a Run of another workspace cannot be seen from here.",
});
