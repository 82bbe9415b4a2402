import type { RunDetail } from "../../../shared/api/index.ts";
import type { NodeState, Run, Stored } from "../../../shared/domain/model.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
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
  return ok(detailOf(found, read ?? (await records.last(runId, signal)), judged, deps));
}

function detailOf(
  found: Stored<Run>,
  { graph, readAt }: ReadRun,
  judged: RunReport | null,
  deps: HandlerDeps,
): RunDetail {
  const run = graph.run ?? found;
  const nowMs = deps.nowMs();
  const { attempts, total, next } = attemptsPage(graph.attempts, {});
  // A finished record whose owner is at work again: `status` has no word for it, the live model has (W-06).
  const live = deps.live.row(run.runId)?.activity === "LIVE" ? "LIVE" : null;
  return {
    run: { ...rowOf(run, null, nowMs), activity: judged?.activity ?? live, activityJudgedAt: readAt },
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
