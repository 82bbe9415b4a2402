import type { NodeState, Run, Stored } from "../../../shared/domain/model.ts";
import { resolveSeen } from "../../../shared/domain/operations/resolve-node.ts";
import { checkSeen } from "../../../shared/domain/operations/seen.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { checkResolveInputs, planResolve, type ResolvePlan } from "../../../shared/domain/resolve-node.ts";
import type { Change, LockSession, WriteOutcome } from "../../store/index.ts";
import { isoNow } from "../deps.ts";
import { runChange, stateChange } from "../ledger.ts";
import type { ResolveNodeInput, ResolveNodeOutcome } from "../recovery-ports.ts";
import { runNotFound, underLockOfRun } from "./brief-lock.ts";
import type { RecoveryDeps } from "./deps.ts";

const RELEASE = { status: "SUCCESS", resultCode: "NORMAL" } as const;

/**
 * Writes a person's word about a node (orchestration section 5.4) under the Network lock: Resolution, Node State, recomputed Run
 * and release in one request (W-21, fenced-writes section 3). Codes: those of the rules, `RUN_NOT_FOUND`, `PLAN_STALE`,
 * `LOCK_CONFLICT`, `LOCK_UNAVAILABLE`, `REVISION_CONFLICT`, `STORE_*`, `LEASE_UNCERTAIN`.
 */
export async function resolveNode(
  deps: RecoveryDeps,
  input: ResolveNodeInput,
): Promise<Result<ResolveNodeOutcome>> {
  const wish = { ...input.wish, resolvedAt: isoNow(deps.clock) };
  const inputs = checkResolveInputs(wish);
  if (!inputs.ok) return inputs;
  return underLockOfRun(deps, input, "resolve", (session) => decideAndWrite(deps, input, session));
}

async function decideAndWrite(
  deps: RecoveryDeps,
  input: ResolveNodeInput,
  session: LockSession,
): Promise<Result<ResolveNodeOutcome>> {
  const graph = await deps.store.readRunGraph(input.runId, input.signal);
  const { run } = graph;
  if (run === null) return fail(runNotFound(input.runId));
  const { nodeId } = input.wish;
  const seen = checkSeen(input.seen, resolveSeen(graph, nodeId));
  if (!seen.ok) return seen;
  const plan = planResolve(
    { ...input.wish, resolvedAt: isoNow(deps.clock) },
    {
      states: graph.states.filter((state) => state.nodeId === nodeId),
      attempts: graph.attempts.filter((attempt) => attempt.nodeId === nodeId),
      resolutions: graph.resolutions,
    },
  );
  if (!plan.ok) return plan;
  const changes = changesOf(run, graph.states, plan.value);
  const written = await session.write(changes, { release: RELEASE });
  return told(written, input, plan.value, changes, run);
}

function changesOf(
  run: Stored<Run>,
  states: readonly Stored<NodeState>[],
  { state, next, resolution }: ResolvePlan,
): readonly Change[] {
  const after = new Map<string, NodeState>(states.map((each) => [each.nodeId, each]));
  after.set(next.nodeId, next);
  const aggregate = runChange({ run }, after, next.updatedAt);
  return [
    { kind: "resolution.insert", resolution },
    stateChange(state, next),
    ...(aggregate === null ? [] : [aggregate]),
  ];
}

function told(
  written: WriteOutcome,
  { runId }: ResolveNodeInput,
  { next }: ResolvePlan,
  changes: readonly Change[],
  run: Run,
): Result<ResolveNodeOutcome> {
  if (written.kind !== "applied") return fail(written.problem);
  const aggregate = changes.find((change) => change.kind === "run.aggregate");
  const { nodeId, revision, status } = next;
  if (status !== "SUCCESS" && status !== "FAILED" && status !== "CANCELLED") {
    throw new Error("a resolution ends in one of its outcomes");
  }
  return ok({ runId, nodeId, outcome: status, revision, runStatus: aggregate?.status ?? run.status });
}
