import type { RunDetail } from "../../../shared/api/index.ts";
import type { Attempt, Invocation, NodeState, Run, Stored } from "../../../shared/domain/model.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import type { RunReport } from "../../orchestrator/index.ts";
import { rowOf } from "../live-model-rows.ts";
import type { HandlerDeps } from "./deps.ts";

/** Everything the records say of one Run, with the activity and inconsistencies `status` judges (orchestration §6). */
export async function readRunDetail(
  deps: HandlerDeps,
  runId: string,
  signal?: AbortSignal,
): Promise<Result<RunDetail>> {
  const { reads, workspace } = deps;
  const run = await reads.findRunById(runId, signal);
  if (run === null) return fail(notFound(runId));
  const scope = {
    networkId: run.networkId,
    profile: run.profileSnapshot.profile,
    runId,
    ...(signal && { signal }),
  };
  const [report, nodes, attempts, invocations] = await Promise.all([
    workspace.orchestrator.status(scope),
    reads.listNodeStates(runId, signal),
    reads.listAttempts(runId, signal),
    reads.listInvocations(runId, signal),
  ]);
  const judged = report.runs.find((each) => each.runId === runId) ?? null;
  return ok(detailOf(run, { judged, nodes, attempts, invocations }, deps));
}

interface DetailParts {
  readonly judged: RunReport | null;
  readonly nodes: readonly Stored<NodeState>[];
  readonly attempts: readonly Stored<Attempt>[];
  readonly invocations: readonly Stored<Invocation>[];
}

function detailOf(run: Stored<Run>, parts: DetailParts, deps: HandlerDeps): RunDetail {
  const nowMs = deps.nowMs();
  const readAt = new Date(nowMs).toISOString();
  const live = deps.live.row(run.runId);
  const activity = parts.judged?.activity ?? (live?.activity === "LIVE" ? "LIVE" : null);
  return {
    run: { ...rowOf(run, null, nowMs), activity, activityJudgedAt: readAt },
    definitionSha256: run.definitionSha256,
    bundleSha256: run.bundleSha256,
    flowVersion: run.flowVersion,
    engineVersion: run.engineVersion,
    hold: parts.judged?.hold ?? null,
    nodes: parts.nodes,
    attempts: parts.attempts,
    invocations: parts.invocations,
    inconsistencies: parts.judged?.detail?.inconsistencies ?? [],
    readAt,
  };
}

const notFound = (runId: string) => ({
  code: "RECORD_NOT_FOUND",
  message: `No Run with the id ${runId} is in the state app.`,
  place: "runId",
  remedy: "Check the id; a Run of another workspace cannot be seen from here.",
});
