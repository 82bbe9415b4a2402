import type { Intent } from "../../../shared/api/index.ts";
import type { SeenRecords } from "../../../shared/domain/operations/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import type { ArchiveRunOutcome, IntendedOperation, Recovery } from "../../orchestrator/index.ts";
import type { LoneWrite, RequestStore } from "../../store/index.ts";
import type { Locks } from "../locks/locks.ts";
import { heartbeatAdvanced } from "./checks.ts";
import { heldLock } from "./planner.ts";
import type { ActionEnd, ActionSteps, Actors, EvidenceFile, Planned } from "./ports.ts";
import type { SettleIntent, Settling } from "./settle.ts";
import { stopGround } from "./stop-ground.ts";

export interface CarryDeps {
  readonly recovery: Recovery;
  readonly requests: RequestStore | null;
  readonly locks: Pick<Locks, "detail">;
  readonly settling: Pick<Settling, "settle"> | null;
  readonly jobUnlock:
    | ((
        intent: Extract<Intent, { kind: "jobUnlock" }>,
        order: CarryOrder,
        steps: ActionSteps,
      ) => Promise<ActionEnd>)
    | null;
}

export interface CarryOrder {
  readonly intent: Intent;
  readonly planned: Planned;
  /** As the person saw it. */
  readonly seen: SeenRecords;
  readonly actors: Actors;
}

/** Codes of ends nobody could learn: what was asked may have been done, and is never asked again by itself (fenced-writes R1). */
const UNCERTAIN: ReadonlySet<string> = new Set([
  "WRITE_UNCERTAIN",
  "RELEASE_UNCONFIRMED",
  "ARCHIVE_UNCONFIRMED",
  "LEASE_UNCERTAIN",
]);

/** A refusal, or an end that could not be learnt (operator-ux D8). */
export const endedBadly = (problem: Problem): ActionEnd => ({
  state: UNCERTAIN.has(problem.code) ? "uncertain" : "refused",
  resultCode: problem.code,
  problem,
});

const done = (detail: NonNullable<ActionEnd["detail"]>, more: Partial<ActionEnd> = {}): ActionEnd => ({
  state: "done",
  detail,
  ...more,
});

/** Does what was confirmed, by the one implementation all fronts share (architecture §4); what it throws leaves the end open. */
export function carryOut(deps: CarryDeps, order: CarryOrder, steps: ActionSteps): Promise<ActionEnd> {
  const { intent, planned } = order;
  if (intent.kind === "jobUnlock") return jobUnlock(deps, intent, order, steps);
  if (intent.kind === "requestSettle") return settled(deps, intent, order, steps);
  const { operation } = planned;
  if (operation === null) throw new Error(`nothing carries out ${intent.kind}`);
  return carryOperation(deps, order, operation, steps);
}

async function jobUnlock(
  deps: CarryDeps,
  intent: Extract<Intent, { kind: "jobUnlock" }>,
  order: CarryOrder,
  steps: ActionSteps,
): Promise<ActionEnd> {
  if (deps.jobUnlock === null) throw new Error("a job lock was planned without a runner");
  return tellingWhose(await deps.jobUnlock(intent, order, steps), order.seen);
}

/**
 * The runner releases whoever holds the lock at its moment (execution-contract §2.5). Where that was another one than
 * was decided on, its job may run without a lock: that is said, since nothing can take it back. Pure.
 */
export function tellingWhose(end: ActionEnd, { jobLock }: SeenRecords): ActionEnd {
  if (end.resultCode !== "JOB_LOCK_RELEASED" || jobLock === undefined || jobLock === null) return end;
  const { recordId, batchId } = end.detail ?? {};
  return `${recordId} ${batchId}` === jobLock.recordId ? end : { ...end, problem: OTHER_HOLDER };
}

const OTHER_HOLDER: Problem = {
  code: "JOB_LOCK_OTHER_HOLDER",
  message:
    "The lock passed to another holder between the decision and its release; the lock of that one was released.",
  remedy: "Look at once whether its job runs, and keep the job from being started until it has ended.",
};

async function settled(
  { settling }: CarryDeps,
  intent: SettleIntent,
  { actors, planned, seen }: CarryOrder,
  { signal }: ActionSteps,
): Promise<ActionEnd> {
  if (settling === null) throw new Error("a claim was planned to be ended without a request app");
  const ended = await settling.settle({ intent, actors, evidence: planned.evidence, seen }, signal);
  return ended.ok ? ended.value : endedBadly(ended.error);
}

async function carryOperation(
  deps: CarryDeps,
  order: CarryOrder,
  operation: IntendedOperation,
  steps: ActionSteps,
): Promise<ActionEnd> {
  const { intent, seen, actors } = order;
  const { signal } = steps;
  switch (operation.kind) {
    case "run-network": {
      const reason = "reason" in intent ? intent.reason.trim() : "";
      return steps.runNetwork({ ...operation.input, reason, seen, signal });
    }
    case "cancel-run":
      return held(await deps.recovery.cancelRun({ ...operation, seen, signal }));
    case "archive-run":
      return closed(
        await deps.recovery.archiveRun({
          ...operation,
          servicePrincipal: actors.servicePrincipal,
          seen,
          signal,
        }),
      );
    case "complete-audit":
      return completeAudit(deps, order, operation, steps);
    case "resolve-node": {
      const { runId, wish } = operation;
      const resolved = await deps.recovery.resolveNode({ runId, wish, seen, signal });
      if (!resolved.ok) return endedBadly(resolved.error);
      const { outcome, revision, runStatus } = resolved.value;
      return done({ outcome, revision, runStatus });
    }
    case "realign-node": {
      const { runId, wish } = operation;
      const realigned = await deps.recovery.realignNode({ runId, wish, seen, signal });
      if (!realigned.ok) return endedBadly(realigned.error);
      const { status, revision, eventId } = realigned.value;
      return done({ nodeStatus: status, revision, eventId });
    }
    case "force-unlock":
      return forceUnlock(deps, order, operation, steps);
    case "request":
      return requested(await store(deps).insertRequest(wishOf(operation.draft), signal));
    case "request-cancel":
      return takenBack(deps, order, operation.requestId, signal);
    default:
      throw new Error("no intent asks for this operation");
  }
}

const held = (outcome: Awaited<ReturnType<Recovery["cancelRun"]>>): ActionEnd => {
  if (!outcome.ok) return endedBadly(outcome.error);
  const { hold, changed } = outcome.value;
  return done({ holdState: hold?.state ?? null, revision: hold?.ref.revision ?? null, changed });
};

/** An archived Run whose audit or lock was left behind is done, and says what is left (orchestration §4.8, §7.6). */
function closed(outcome: ArchiveRunOutcome): ActionEnd {
  const { eventId, audit, runRevision, lockReleased, problem } = outcome;
  const detail = { eventId, audit, revision: runRevision, lockReleased };
  switch (outcome.outcome) {
    case "ARCHIVED":
      if (audit !== "RECORDED") return done(detail, { resultCode: "RUN_ARCHIVED_AUDIT_PENDING", problem });
      return done(detail, {
        resultCode: lockReleased ? "RUN_ARCHIVED" : "RUN_ARCHIVED_LOCK_UNRELEASED",
        problem,
      });
    case "ALREADY_ARCHIVED":
      return done(detail, { resultCode: "RUN_ALREADY_ARCHIVED", problem });
    case "UNCONFIRMED":
      return { state: "uncertain", detail, resultCode: outcome.code, problem };
    case "REJECTED":
      return { state: "refused", detail, resultCode: outcome.code, problem };
  }
}

async function completeAudit(
  { recovery }: CarryDeps,
  { intent, seen, actors }: CarryOrder,
  { reported, reason }: Extract<IntendedOperation, { kind: "complete-audit" }>,
  { signal }: ActionSteps,
): Promise<ActionEnd> {
  const archivedAt = intent.kind === "completeAudit" ? intent.archivedAt.trim() : "";
  const { requestedBy, servicePrincipal } = actors;
  const completed = await recovery.completeAudit({
    ...reported,
    reason,
    archivedAt,
    requestedBy,
    servicePrincipal,
    seen,
    signal,
  });
  return completed.ok
    ? done({ eventId: completed.value.eventId, audit: "RECORDED" })
    : endedBadly(completed.error);
}

/** The owner is looked at once more, and what was seen is told before kintone answers (screens, 強制解放). */
async function forceUnlock(
  { recovery, locks }: CarryDeps,
  { intent, planned, seen }: CarryOrder,
  { wish, withoutAudit }: Extract<IntendedOperation, { kind: "force-unlock" }>,
  { signal, update }: ActionSteps,
): Promise<ActionEnd> {
  if (intent.kind !== "forceUnlock") throw new Error("a lock is released by its own intent only");
  const detail = await heldLock(locks, intent.recordId, signal);
  if (!detail.ok) return endedBadly(detail.error);
  const ground = stopGround(intent, detail.value);
  update({ probes: [...ground.probes] });
  const [doubt] = ground.refusals;
  if (doubt !== undefined) return endedBadly(doubt);
  const evidenceFile = theFile(planned.evidence);
  const outcome = await recovery.forceUnlock({ wish, evidenceFile, withoutAudit, seen, signal });
  if (!outcome.ok) {
    const { error } = outcome;
    return endedBadly(error.code === "PLAN_STALE" ? heartbeatAdvanced(error) : error);
  }
  const { lockKey, previousOwnerInvocationId, postRevision, eventId, audit } = outcome.value;
  return done({ lockKey, previousOwnerInvocationId, revision: postRevision, eventId, audit });
}

/** The record has room for one hash; all of them stand by name in its reference to the evidence. */
const theFile = ([first]: readonly EvidenceFile[]): EvidenceFile | null => first ?? null;

function store({ requests }: CarryDeps): RequestStore {
  if (requests === null) throw new Error("a request was planned without a request app");
  return requests;
}

const wishOf = (draft: Extract<IntendedOperation, { kind: "request" }>["draft"]) => ({
  type: draft.type,
  runId: draft.runId === "" ? null : draft.runId,
  networkId: draft.networkId,
  businessKey: draft.businessKey,
  scheduledFor: draft.scheduledFor,
  rerunFromNode: draft.rerunFromNode,
  reason: draft.reason,
});

function requested(written: LoneWrite): ActionEnd {
  switch (written.kind) {
    case "applied": {
      const { recordId, revision } = written.ref;
      return done({ requestId: recordId, revision }, { requestId: recordId });
    }
    case "unsettled":
      return { state: "uncertain", resultCode: written.problem.code, problem: written.problem };
    case "conflict":
    case "refused":
      return endedBadly(written.problem);
  }
}

async function takenBack(
  deps: CarryDeps,
  { seen }: CarryOrder,
  requestId: string,
  signal: AbortSignal,
): Promise<ActionEnd> {
  const ref = seen.request;
  if (ref === undefined || ref === null) throw new Error("a request was taken back without its record");
  const written = await store(deps).tickCancel(ref, signal);
  const end = requested(written);
  return end.state === "done" ? { ...end, requestId } : end;
}
