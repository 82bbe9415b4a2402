import type { Intent, LockDetail, Probe } from "../../../shared/api/index.ts";
import type { Run, Stored } from "../../../shared/domain/model.ts";
import type { OperationPlan } from "../../../shared/domain/operations/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { CHILD_RUNNING } from "../../../shared/domain/unknown-outcome.ts";
import type { IntendedOperation, Plans } from "../../orchestrator/index.ts";
import type { FlowReads } from "../../store/index.ts";
import type { AllowedNetworks } from "../allowed-networks.ts";
import type { Locks } from "../locks/locks.ts";
import { frictionOf, needsApprover } from "./friction.ts";
import {
  archiveRunOf,
  cancelRunOf,
  completeAuditOf,
  forceUnlockOf,
  realignOf,
  requestOf,
  resolveOf,
  runNetworkOf,
} from "./intended.ts";
import type { Actors, EvidenceFile, Planned } from "./ports.ts";
import type { SettleOrder, Settling } from "./settle.ts";
import { stopGround } from "./stop-ground.ts";

export interface PlannerDeps {
  readonly plans: Plans;
  readonly reads: Pick<FlowReads, "findRunById">;
  readonly allowed: AllowedNetworks;
  readonly locks: Pick<Locks, "detail">;
  /** Plans of what the runner does; null where no runner can be asked. */
  readonly jobUnlock: ((jobUnlock: JobUnlock, signal?: AbortSignal) => Promise<Result<OperationPlan>>) | null;
  /** Ends claims nobody ends any more; null where there is no request app. */
  readonly settling: Pick<Settling, "plan"> | null;
  /** Whether a process of this attempt lives on this host, looked at now. */
  readonly childAlive: (attemptId: string) => boolean;
  /** The files behind the hashes of an intent. Code `EVIDENCE_UNKNOWN`. */
  readonly evidenceFiles: (hashes: readonly string[]) => Promise<Result<readonly EvidenceFile[]>>;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

export type JobUnlock = Extract<Intent, { kind: "jobUnlock" }>;

/** Whose plan it is; the approver is known only once somebody consented. */
export interface PlanFor {
  readonly actors: Actors;
  readonly approvedBy: string | null;
}

export interface Planner {
  plan(intent: Intent, whose: PlanFor, signal?: AbortSignal): Promise<Result<Planned>>;
}

/** Stands for the approver in the plan of a decision nobody consented to yet; it is never written. */
const TO_BE_NAMED = "…";

/** What an intent would do now, by the plans of the orchestrator and what this host sees (operator-ux D6, D13). */
export function createPlanner(deps: PlannerDeps): Planner {
  return {
    async plan(intent, whose, signal) {
      const evidence = await evidenceOf(deps, intent);
      if (!evidence.ok) return evidence;
      const made = await planned(deps, intent, whose, evidence.value, signal);
      if (!made.ok) return made;
      const { plan, operation, probes } = made.value;
      return ok({
        plan,
        operation,
        probes,
        evidence: evidence.value,
        friction: frictionOf(intent, plan),
        readAt: plan.readAt,
      });
    },
  };
}

const evidenceOf = (deps: PlannerDeps, intent: Intent): Promise<Result<readonly EvidenceFile[]>> =>
  deps.evidenceFiles("evidenceFiles" in intent ? intent.evidenceFiles : []);

type Made = Pick<Planned, "plan" | "operation" | "probes">;

async function planned(
  deps: PlannerDeps,
  intent: Intent,
  whose: PlanFor,
  evidence: readonly EvidenceFile[],
  signal?: AbortSignal,
): Promise<Result<Made>> {
  const { actors } = whose;
  switch (intent.kind) {
    case "resume":
    case "rerun":
      return ofRun(deps, intent.runId, signal, async (run) => {
        const path = await definitionOf(deps.allowed, run.networkId);
        return path.ok ? ok(runNetworkOf(intent, actors, path.value)) : path;
      });
    case "close":
      return ofRun(deps, intent.runId, signal, async ({ networkId, profileSnapshot: { profile } }) =>
        ok(archiveRunOf(intent, actors, { profile, networkId })),
      );
    case "stop":
    case "release":
      return simple(deps, cancelRunOf(intent, actors), signal);
    case "completeAudit":
      return simple(deps, completeAuditOf(intent), signal);
    case "resolve":
      return resolution(deps, intent, whose, evidence, signal);
    case "realign":
      return simple(deps, realignOf(intent, actors, evidence), signal);
    case "forceUnlock":
      return forcedRelease(deps, intent, actors, evidence, signal);
    case "request":
      return simple(deps, requestOf(intent, actors, new Date(deps.nowMs()).toISOString()), signal);
    case "requestCancel":
      return simple(deps, { kind: "request-cancel", requestId: intent.requestId }, signal);
    case "jobUnlock":
      return jobRelease(deps, intent, signal);
    case "requestSettle":
      return settlement(deps, { intent, actors, evidence }, signal);
  }
}

async function simple(
  { plans }: PlannerDeps,
  operation: IntendedOperation,
  signal?: AbortSignal,
): Promise<Result<Made>> {
  const plan = await plans.plan(operation, signal);
  return plan.ok ? ok({ plan: plan.value, operation, probes: [] }) : plan;
}

async function ofRun(
  deps: PlannerDeps,
  runId: string,
  signal: AbortSignal | undefined,
  map: (run: Stored<Run>) => Promise<Result<IntendedOperation>>,
): Promise<Result<Made>> {
  const run = await deps.reads.findRunById(runId, signal);
  if (run === null) return fail(runNotFound(runId));
  const operation = await map(run);
  return operation.ok ? simple(deps, operation.value, signal) : operation;
}

/** The definition this host may run (orchestration §7.7); the list is read anew where it does not know the network yet. */
async function definitionOf(allowed: AllowedNetworks, networkId: string): Promise<Result<string>> {
  const found = (list: readonly { networkId: string; definitionPath: string }[]): string | undefined =>
    list.find((each) => each.networkId === networkId)?.definitionPath;
  const path = found(allowed.current()) ?? found(await allowed.read());
  if (path !== undefined) return ok(path);
  return fail({
    code: "NETWORK_NOT_ALLOWED",
    message: `The network ${networkId} is not in the allow list of this host; its Runs cannot be taken up from here.`,
    place: "networkId",
    remedy: "Add it to the allow list, or act on a host that has it.",
  });
}

/** A decision that needs an approver is planned as if one had been named, so that the rest of it can be seen. */
async function resolution(
  deps: PlannerDeps,
  intent: Extract<Intent, { kind: "resolve" }>,
  { actors, approvedBy }: PlanFor,
  evidence: readonly EvidenceFile[],
  signal?: AbortSignal,
): Promise<Result<Made>> {
  const operation = resolveOf(intent, actors, evidence, approvedBy);
  // That the completion is not said yet is for the form to ask (`missingFields`), not for the plan to refuse.
  const said = intent.outcome === "SUCCESS" ? { ...intent, manualCompletion: true } : intent;
  const made = await simple(deps, resolveOf(said, actors, evidence, approvedBy), signal);
  if (!made.ok) return made;
  if (approvedBy !== null || !needsApprover(made.value.plan)) {
    return whileGone(deps, ok({ ...made.value, operation }));
  }
  const open = await simple(deps, resolveOf(said, actors, evidence, TO_BE_NAMED), signal);
  return whileGone(deps, open.ok ? ok({ ...open.value, operation }) : open);
}

/** Nobody can have seen the end of a job that runs: the records know nothing of processes (decisions §3). */
function whileGone({ childAlive }: PlannerDeps, made: Result<Made>): Result<Made> {
  if (!made.ok) return made;
  const attemptId = made.value.plan.writes.find(({ record }) => record === "resolution")?.id ?? null;
  const alive = attemptId !== null && childAlive(attemptId);
  return ok({ ...made.value, plan: refusedFor(made.value.plan, alive ? [CHILD_RUNNING] : []) });
}

async function forcedRelease(
  deps: PlannerDeps,
  intent: Extract<Intent, { kind: "forceUnlock" }>,
  actors: Actors,
  evidence: readonly EvidenceFile[],
  signal?: AbortSignal,
): Promise<Result<Made>> {
  const detail = await heldLock(deps.locks, intent.recordId, signal);
  if (!detail.ok) return detail;
  const ground = stopGround(intent, detail.value);
  const made = await simple(deps, forceUnlockOf(intent, actors, evidence, ground), signal);
  if (!made.ok) return made;
  const { plan, operation } = made.value;
  const held = plan.seen.lock ?? null;
  // The owner was looked at by its record, the release goes by its network: they must be one lock.
  const looked = held === null || held.recordId === detail.value?.lock.holder?.recordId;
  const refusals = looked ? ground.refusals : [...ground.refusals, anotherLock(intent.recordId)];
  return ok({ plan: refusedFor(plan, refusals), operation, probes: probesOf(detail.value) });
}

const anotherLock = (recordId: string): Problem => ({
  code: "OWNER_MISMATCH",
  message: `The owner of the lock record ${recordId} is not the one that holds this network; nobody looked at that one.`,
  place: "recordId",
  remedy: "Look at the lock of this network and judge its owner.",
});

/** Null where nobody holds it any more: the plan says so, with the code of the execution. */
export async function heldLock(
  locks: Pick<Locks, "detail">,
  recordId: string,
  signal?: AbortSignal,
): Promise<Result<LockDetail | null>> {
  const detail = await locks.detail(recordId, signal);
  return !detail.ok && detail.error.code === "LOCK_NOT_HELD" ? ok(null) : detail;
}

const probesOf = (detail: LockDetail | null): readonly Probe[] => detail?.probes ?? [];

async function jobRelease(
  { jobUnlock }: PlannerDeps,
  intent: JobUnlock,
  signal?: AbortSignal,
): Promise<Result<Made>> {
  if (jobUnlock === null) return fail(noRunner());
  const plan = await jobUnlock(intent, signal);
  return plan.ok ? ok({ plan: plan.value, operation: null, probes: [] }) : plan;
}

async function settlement(
  { settling }: PlannerDeps,
  order: SettleOrder,
  signal?: AbortSignal,
): Promise<Result<Made>> {
  if (settling === null) return fail(noRequestApp());
  const plan = await settling.plan(order, signal);
  return plan.ok ? ok({ plan: plan.value, operation: null, probes: [] }) : plan;
}

/** A plan with what else speaks against it: nothing of it would be written. */
function refusedFor(plan: OperationPlan, more: readonly Problem[]): OperationPlan {
  if (more.length === 0) return plan;
  return {
    ...plan,
    available: false,
    refusals: [...plan.refusals, ...more],
    writes: [],
    consequences: [],
    counts: { ...plan.counts, writes: 0 },
  };
}

const runNotFound = (runId: string): Problem => ({
  code: "RUN_NOT_FOUND",
  message: "No Run of this id is in the state app.",
  place: runId,
  remedy: "Look at the list of Runs again.",
});

const noRequestApp = (): Problem => ({
  code: "REQUESTS_NOT_CONFIGURED",
  message: "This workspace has no request app.",
  remedy: "Name one in the settings.",
});

const noRunner = (): Problem => ({
  code: "RUNNER_NOT_CONFIGURED",
  message: "This console has no runner that could be asked about job locks.",
  remedy: "Name one in the settings.",
});
