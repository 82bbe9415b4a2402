import type { Invocation, NodeState, Run, Stored } from "../../shared/domain/model.ts";
import { resumeSeen } from "../../shared/domain/operations/resume-facts.ts";
import { checkSeen } from "../../shared/domain/operations/seen.ts";
import { fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import {
  differenceText,
  type ProfileDifference,
  profileProblem,
} from "../../shared/domain/profile-difference.ts";
import { repeatedInvocation } from "../../shared/domain/repeated-resume.ts";
import { planResume, type ResumePlan } from "../../shared/domain/resume-plan.ts";
import { repairAudit } from "../../shared/records/audit-events.ts";
import type { Change, RunGraph } from "../store/index.ts";
import type { Baselines, IoRoot } from "./csv/index.ts";
import { isoNow, type OrchestratorDeps } from "./deps.ts";
import { compareInputs, openStoredIo } from "./file-needs.ts";
import type { Held } from "./held.ts";
import { committed, type Ledger, runChange, stateChange } from "./ledger.ts";
import { newState } from "./new-records.ts";
import { persist } from "./persist.ts";
import type { RunNetworkInput } from "./ports.ts";
import { judgeAttempts, readDifferences } from "./resume-reads.ts";
import { bySchedule } from "./run-question.ts";
import { readStoredDefinition, type StoredDefinition } from "./stored-definition.ts";

/** A Run taken up again: everything the walk needs. */
export interface ResumedRun {
  readonly kind: "resumed";
  readonly stored: StoredDefinition;
  readonly plan: ResumePlan;
  readonly ledger: Ledger;
  /** Null when no node of the stored definition uses files. */
  readonly io: IoRoot | null;
  readonly baselines: Baselines;
}

/** A resume by a schedule that would only say again what this Invocation says; nothing was written (W-31). */
export interface RepeatedResume {
  readonly kind: "repeated";
  readonly invocation: Stored<Invocation>;
  readonly plan: ResumePlan;
  readonly states: RunGraph["states"];
}

/** Why nothing was taken up, and whether the preparing write may have arrived. */
export interface ResumeFailure {
  readonly problem: Problem;
  readonly wrote: "nothing" | "unsettled";
}

/**
 * Takes a Run up again (orchestration section 2.1, R7 to R14; sections 4.1, 4.9, 5.3, 6.3): every check first, then orphans
 * judged, then repairs, resets, abandoned Invocations and our own Invocation in one fenced request. A refusal
 * leaves no Invocation behind (W-15).
 */
export async function resumeRun(
  deps: OrchestratorDeps,
  held: Held,
  run: Stored<Run>,
  input: RunNetworkInput,
): Promise<Result<ResumedRun | RepeatedResume, ResumeFailure>> {
  const refuse = (problem: Problem): Result<never, ResumeFailure> => fail({ problem, wrote: "nothing" });
  const profile = await readDifferences(deps, run, input.signal);
  if (!profile.ok) return refuse(profile.error);
  const differing = profileProblem(run, profile.value);
  if (differing !== null) return refuse(differing);
  const stored = await readStoredDefinition(deps, run, input.signal);
  if (!stored.ok) return refuse(stored.error);
  const { nodes } = stored.value.definition;
  const io = await openStoredIo(deps, held, run, stored.value.definition, input.signal);
  if (!io.ok) return refuse(io.error);
  const graph = await deps.store.readRunGraph(run.runId, input.signal);
  const seen = checkSeen(input.seen ?? null, resumeSeen({ ...graph, run: graph.run ?? run }));
  if (!seen.ok) return refuse(seen.error);
  const judged = await judgeAttempts(deps, held.invocationId, run, graph);
  if (!judged.ok) return refuse(judged.error);
  const at = isoNow(deps.clock);
  const plan = planResume({
    ...graph,
    run,
    nodes,
    rerunFrom: input.rerunFrom ?? null,
    invocationId: held.invocationId,
    ...judged.value,
    at,
  });
  if (!plan.ok) return refuse(plan.error);
  const again = bySchedule(input)
    ? repeatedInvocation({ ...graph, run, nodes, order: stored.value.order }, plan.value)
    : null;
  if (again !== null) {
    return ok({ kind: "repeated", invocation: again, plan: plan.value, states: graph.states });
  }
  const baselines = await compareInputs(io.value, run, { ...graph, nodes, plan: plan.value });
  if (!baselines.ok) return refuse(baselines.error);
  const invocation = newInvocation(deps, held, run, input, plan.value, profile.value, at);
  const written = await write(deps, held, {
    run,
    graph,
    stored: stored.value,
    plan: plan.value,
    invocation,
    at,
  });
  return written.ok ? ok({ ...written.value, io: io.value, baselines: baselines.value }) : written;
}

function newInvocation(
  deps: OrchestratorDeps,
  held: Held,
  run: Run,
  input: RunNetworkInput,
  plan: ResumePlan,
  differences: readonly ProfileDifference[],
  at: string,
): Invocation {
  const what = input.rerunFrom === undefined ? "resume incomplete run" : `rerun from ${input.rerunFrom}`;
  const profile =
    differences.length === 0 ? [] : [`profile differs: ${differences.map(differenceText).join(", ")}`];
  const person = input.reason === undefined ? [] : [input.reason];
  return {
    invocationId: held.invocationId,
    runId: run.runId,
    mode: plan.mode,
    requestedBy: input.requestedBy,
    host: deps.host,
    startedAt: at,
    finishedAt: null,
    selectedNodeIds: plan.lists.selected,
    preservedNodeIds: plan.lists.preserved,
    blockedNodeIds: plan.lists.blocked,
    reason: [what, ...person, ...profile, ...plan.notes].join("; "),
    status: "RUNNING",
    resultCode: "PENDING",
  };
}

interface Planned {
  readonly run: Stored<Run>;
  readonly graph: RunGraph;
  readonly stored: StoredDefinition;
  readonly plan: ResumePlan;
  readonly invocation: Invocation;
  readonly at: string;
}

async function write(
  deps: OrchestratorDeps,
  held: Held,
  { run, graph, stored, plan, invocation, at }: Planned,
): Promise<Result<Omit<ResumedRun, "io" | "baselines">, ResumeFailure>> {
  const missing = plan.missing.map((node) => newState(deps, run.runId, node, at));
  const after = new Map<string, NodeState>(graph.states.map((state) => [state.nodeId, state]));
  for (const state of [...missing, ...plan.states.map(({ next }) => next)]) after.set(state.nodeId, state);
  const aggregate = runChange({ run }, after, at);
  const changes: readonly Change[] = [
    { kind: "invocation.insert", invocation },
    ...(aggregate === null ? [] : [aggregate]),
    ...(missing.length === 0 ? [] : [{ kind: "nodeStates.insert", states: missing } as const]),
    ...plan.states.map(({ before, next }) => stateChange(before, next)),
    ...plan.attempts.map(({ before, next }): Change => ({ kind: "attempt.finalise", ref: before.ref, next })),
    ...plan.abandoned.map(
      ({ before, next }): Change => ({ kind: "invocation.finalise", ref: before.ref, next }),
    ),
    ...plan.repairs.map((repair): Change => {
      const event = { ...repair, eventId: deps.ids.uuid(), runId: run.runId, occurredAt: at };
      return { kind: "audit.insert", audit: repairAudit(event) };
    }),
  ];
  const written = await persist(held.session, changes);
  if (written.kind !== "applied") {
    const wrote = written.kind === "interrupted" ? "unsettled" : "nothing";
    return fail({ problem: written.problem, wrote });
  }
  const [own] = written.refs;
  if (own === undefined) throw new Error("the store returned no reference of the Invocation");
  const before: Ledger = {
    run,
    invocation: { ...invocation, ref: own },
    states: new Map(graph.states.map((state) => [state.nodeId, state])),
  };
  return ok({ kind: "resumed", stored, plan, ledger: committed(before, changes, written.refs) });
}
