import type { NetworkLock, Run, Stored } from "../../../shared/domain/model.ts";
import {
  type OperationPlan,
  planCloseOperation,
  planCompleteAuditOperation,
  planRealignOperation,
  planReleaseOperation,
  planResolveOperation,
  planStopOperation,
} from "../../../shared/domain/operations/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { isoNow } from "../deps.ts";
import type { IntendedOperation, PlansDeps } from "./ports.ts";

type Intended<Kind extends IntendedOperation["kind"]> = Extract<IntendedOperation, { kind: Kind }>;
type OfRun = Intended<"cancel-run" | "archive-run" | "complete-audit" | "resolve-node" | "realign-node">;

/** Plans of what is done about one Run: hold, close, audit, resolution. */
export async function planOfRun(
  deps: PlansDeps,
  operation: OfRun,
  signal?: AbortSignal,
): Promise<Result<OperationPlan>> {
  const readAt = isoNow(deps.clock);
  if (operation.kind === "complete-audit") {
    const { reported, reason } = operation;
    const run = await deps.store.findRunById(reported.runId, signal);
    return ok(planCompleteAuditOperation({ run, reported, reason, readAt }));
  }
  const { runId } = operation;
  const graph = await deps.store.readRunGraph(runId, signal);
  const { run } = graph;
  if (run === null || !ours(operation, run)) return notFound(runId);
  if (operation.kind === "cancel-run") {
    const { reason, requestedBy, release } = operation;
    const facts = { ...graph, run, wish: { runId, requestedBy, reason, at: readAt }, readAt };
    return ok(release ? planReleaseOperation(facts) : planStopOperation(facts));
  }
  const lock = await lockOver(deps, run, signal);
  const facts = { ...graph, run, lock, now: deps.clock.nowMs(), readAt };
  if (operation.kind === "resolve-node") {
    return ok(planResolveOperation({ ...facts, wish: { ...operation.wish, resolvedAt: readAt } }));
  }
  if (operation.kind === "realign-node") {
    return ok(planRealignOperation({ ...facts, wish: operation.wish }));
  }
  const { requestedBy, reason } = operation;
  return ok(planCloseOperation({ ...facts, requestedBy, reason }));
}

const ours = (operation: OfRun, run: Run): boolean =>
  operation.kind !== "archive-run" ||
  (run.networkId === operation.networkId && run.profileSnapshot.profile === operation.profile);

const lockOver = (deps: PlansDeps, run: Stored<Run>, signal?: AbortSignal): Promise<NetworkLock | null> =>
  deps.store.findLock({ profile: run.profileSnapshot.profile, networkId: run.networkId }, signal);

const notFound = (runId: string): Result<never> =>
  fail({
    code: "RUN_NOT_FOUND",
    message: "No Run of this id is in the state app.",
    place: runId,
    remedy: "Check the id; status lists the Runs of a network.",
  });
