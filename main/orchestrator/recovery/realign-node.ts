import type { Run, Stored } from "../../../shared/domain/model.ts";
import { resolveSeen } from "../../../shared/domain/operations/resolve-node.ts";
import { checkSeen } from "../../../shared/domain/operations/seen.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { checkRealignInputs, planRealign, type RealignPlan } from "../../../shared/domain/realign-node.ts";
import { realignAudit } from "../../../shared/records/audit-events.ts";
import type { Change, LockSession } from "../../store/index.ts";
import { isoNow } from "../deps.ts";
import { stateChange } from "../ledger.ts";
import type { RealignNodeInput, RealignNodeOutcome } from "../recovery-ports.ts";
import { runNotFound, underLockOfRun } from "./brief-lock.ts";
import type { RecoveryDeps } from "./deps.ts";

const RELEASE = { status: "SUCCESS", resultCode: "NORMAL" } as const;

/**
 * Takes up a Node State that was edited by hand (orchestration section 11.1) under the Network lock: audit, the revision
 * that follows kintone's, and release in one request (fenced-writes section 3). Codes: those of the rules,
 * `RECORD_NOT_FOUND`, `PLAN_STALE`, `LOCK_CONFLICT`, `LOCK_UNAVAILABLE`, `REVISION_CONFLICT`, `STORE_*`,
 * `LEASE_UNCERTAIN`.
 */
export async function realignNode(
  deps: RecoveryDeps,
  input: RealignNodeInput,
): Promise<Result<RealignNodeOutcome>> {
  const inputs = checkRealignInputs(input.wish);
  if (!inputs.ok) return inputs;
  return underLockOfRun(deps, input, "realign", (session) => decideAndWrite(deps, input, session));
}

async function decideAndWrite(
  deps: RecoveryDeps,
  input: RealignNodeInput,
  session: LockSession,
): Promise<Result<RealignNodeOutcome>> {
  const graph = await deps.store.readRunGraph(input.runId, input.signal);
  const { run } = graph;
  if (run === null) return fail(runNotFound(input.runId));
  const seen = checkSeen(input.seen, resolveSeen(graph, input.wish.nodeId));
  if (!seen.ok) return seen;
  const plan = planRealign(input.wish, { ...graph, run });
  if (!plan.ok) return plan;
  const eventId = deps.ids.uuid();
  const changes = changesOf(run, input, plan.value, { eventId, at: isoNow(deps.clock) });
  const written = await session.write(changes, { release: RELEASE });
  if (written.kind !== "applied") return fail(written.problem);
  const { nodeId, revision, status } = plan.value.next;
  return ok({ runId: run.runId, nodeId, revision, status, eventId });
}

function changesOf(
  { runId }: Stored<Run>,
  { wish }: RealignNodeInput,
  { state, next, basis }: RealignPlan,
  { eventId, at }: { readonly eventId: string; readonly at: string },
): readonly Change[] {
  const audit = realignAudit({
    ...wish,
    eventId,
    runId,
    nodeStateId: state.nodeStateId,
    revisionBefore: state.revision,
    revisionAfter: next.revision,
    kintoneRevision: state.ref.revision,
    basis,
    occurredAt: at,
  });
  return [{ kind: "audit.insert", audit }, stateChange(state, next)];
}
