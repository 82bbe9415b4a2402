import { onHold } from "../lease.ts";
import type { Problem, Result } from "../problem.ts";
import { profileProblem } from "../profile-difference.ts";
import { repeatedInvocation } from "../repeated-resume.ts";
import { planResume, type ResumeFacts, type ResumePlan } from "../resume-plan.ts";
import { decideRun } from "../run-input.ts";
import { forecast } from "./forecast.ts";
import { lockConflict, lockTaken } from "./network-lock.ts";
import {
  type Consequence,
  type OperationPlan,
  operationPlan,
  type PlannedNode,
  type PlannedWrite,
  says,
} from "./operation.ts";
import { type ResumeOperationFacts, resumeSeen } from "./resume-facts.ts";
import { resumeWrites } from "./resume-writes.ts";
import { runSubject } from "./stop.ts";

/** RESUME, or RERUN_FROM when `rerunFrom` names a node (orchestration §2.2, §4.1, §4.9). */
export function planResumeOperation(facts: ResumeOperationFacts): OperationPlan {
  const { run, hold, records, rerunFrom, definition } = facts;
  const decided = decision(facts);
  const plan = decided === null ? resumePlan(facts) : null;
  const nodes = plan?.ok === true && definition.ok ? nodesOf(facts, definition.value, plan.value) : [];
  return operationPlan({
    operation: rerunFrom === null ? "RESUME" : "RERUN_FROM",
    subject: { ...runSubject(facts), nodeId: rerunFrom },
    seen: resumeSeen({ run, hold, ...records }),
    readAt: facts.readAt,
    refusals: decided === null ? refusalsOf(facts, plan) : [decided],
    // To run something again that must not run twice is the operator's word against the definition (operator-ux §2.1).
    danger: rerunFrom !== null && nodes.some(runsOnceOnly) ? "L3" : "L2",
    nodes,
    inputs: facts.inputs,
    ...(plan?.ok === true
      ? { writes: writesOf(facts, plan.value), consequences: consequencesOf(facts, plan.value, nodes) }
      : {}),
  });
}

/** Of a schedule that would only repeat the last Invocation: the lock, and nothing else (W-31). */
function writesOf(facts: ResumeOperationFacts, plan: ResumePlan): readonly PlannedWrite[] {
  const { run, records, definition, bySchedule } = facts;
  const again =
    bySchedule && definition.ok ? repeatedInvocation({ ...records, run, ...definition.value }, plan) : null;
  return again === null ? resumeWrites(facts, plan) : lockTaken(run.networkId);
}

const runsOnceOnly = ({ does, idempotent }: PlannedNode): boolean => does === "run" && !idempotent;

/** The first thing that is asked, before anything is read for it (orchestration §2.2). */
function decision({ run, hold, rerunFrom }: ResumeOperationFacts): Problem | null {
  const decided = decideRun({
    existing: run,
    onHold: onHold(hold?.state ?? null),
    resume: "resume-run",
    rerunFrom: rerunFrom !== null,
  });
  if (decided.kind === "reject") return decided.problem;
  if (decided.kind !== "noop") return null;
  return {
    code: "NOOP_ALREADY_SUCCESS",
    message: "The Run succeeded already; nothing would be executed.",
    place: `Run ${run.runId}`,
    remedy: "Nothing is to be done. A correction is a Run of its own, under another key.",
  };
}

function resumePlan(facts: ResumeOperationFacts): Result<ResumePlan> | null {
  const { run, definition, judged, records, rerunFrom, readAt } = facts;
  if (!definition.ok || !judged.ok) return null;
  const { nodes } = definition.value;
  return planResume({ run, nodes, ...records, rerunFrom, invocationId: "", ...judged.value, at: readAt });
}

/** In the order in which the execution asks; all of them, so that nobody repairs one to meet the next (operator-ux D11). */
function refusalsOf(facts: ResumeOperationFacts, plan: Result<ResumePlan> | null): readonly Problem[] {
  const { run, lock, now, differences, definition, judged } = facts;
  return [
    lockConflict(lock, now),
    differences.ok ? profileProblem(run, differences.value) : differences.error,
    definition.ok ? null : definition.error,
    judged.ok ? null : judged.error,
    plan === null || plan.ok ? null : plan.error,
    facts.files ?? null,
  ].filter((problem) => problem !== null);
}

function nodesOf(
  { records }: ResumeOperationFacts,
  { nodes, order }: { readonly nodes: ResumeFacts["nodes"]; readonly order: readonly string[] },
  plan: ResumePlan,
): readonly PlannedNode[] {
  const before = new Map(records.states.map((state) => [state.nodeId, state]));
  const after = new Map<string, { readonly status: PlannedNode["status"] }>(before);
  for (const { id } of plan.missing) after.set(id, { status: "WAITING" });
  for (const { next } of plan.states) after.set(next.nodeId, next);
  const ends = new Map(plan.attempts.map(({ next }) => [next.attemptId, next]));
  return forecast({
    nodes,
    order,
    before,
    after,
    attempts: records.attempts.map((attempt) => ends.get(attempt.attemptId) ?? attempt),
    mode: plan.mode,
    excluded: plan.excluded,
    selection: plan.selection,
    braked: new Set(plan.braked.map(({ nodeId }) => nodeId)),
  });
}

function consequencesOf(
  { differences, rerunFrom }: ResumeOperationFacts,
  plan: ResumePlan,
  nodes: readonly PlannedNode[],
): readonly Consequence[] {
  const differing = differences.ok ? differences.value.map(({ field }) => field) : [];
  const once = nodes.filter(runsOnceOnly).map(({ nodeId }) => nodeId);
  const when = (fact: boolean, consequence: Consequence): readonly Consequence[] =>
    fact ? [consequence] : [];
  return [
    says("storedDefinitionRuns"),
    ...when(!nodes.some(({ does }) => does === "run"), says("nothingWouldRun")),
    ...when(differing.length > 0, says("profileDiffers", { fields: differing.join(", ") })),
    ...when(plan.repairs.length > 0, says("repairsFirst", { count: plan.repairs.length })),
    ...when(plan.missing.length > 0, says("creationCompleted", { count: plan.missing.length })),
    ...when(plan.attempts.length > 0, says("orphansJudged", { count: plan.attempts.length })),
    ...when(rerunFrom !== null, says("noRetryBrake")),
    ...when(once.length > 0, says("runsOnceOnlyNodes", { nodes: once.join(", ") })),
  ];
}
