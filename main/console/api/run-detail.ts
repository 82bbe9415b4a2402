import type { RunDetail } from "../../../shared/api/index.ts";
import type { Run, Stored } from "../../../shared/domain/model.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { RunReport } from "../../orchestrator/index.ts";
import type { RunGraph } from "../../store/index.ts";
import { rowOf } from "../live-model-rows.ts";
import type { HandlerDeps } from "./deps.ts";

/** Everything the records say of one Run, with the activity and inconsistencies `status` judges (orchestration §6). */
export async function readRunDetail(
  deps: HandlerDeps,
  runId: string,
  signal?: AbortSignal,
): Promise<Result<RunDetail>> {
  const { reads, workspace } = deps;
  const graph = await reads.readRunGraph(runId, signal);
  const { run } = graph;
  if (run === null) return fail(notFound(runId));
  const report = await workspace.orchestrator.status({
    networkId: run.networkId,
    profile: run.profileSnapshot.profile,
    runId,
    ...(signal && { signal }),
  });
  const judged = report.runs.find((each) => each.runId === runId) ?? null;
  return ok(detailOf(run, graph, judged, deps));
}

function detailOf(run: Stored<Run>, graph: RunGraph, judged: RunReport | null, deps: HandlerDeps): RunDetail {
  const nowMs = deps.nowMs();
  const readAt = new Date(nowMs).toISOString();
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
    nodes: graph.states,
    attempts: graph.attempts.map(placed),
    invocations: graph.invocations.map(placed),
    resolutions: graph.resolutions.map(placed),
    inconsistencies: judged?.detail?.inconsistencies ?? [],
    readAt,
  };
}

/** A record with its place, which orders it (wire-format §5). */
const placed = <T>(record: Stored<T>) => ({
  ...record,
  recordId: record.ref.recordId,
  recordRevision: record.ref.revision,
});

export const notFound = (runId: string): Problem => ({
  code: "RECORD_NOT_FOUND",
  message: `No Run with the id ${runId} is in the state app.`,
  place: "runId",
  remedy: "Check the id; a Run of another workspace cannot be seen from here.",
});
