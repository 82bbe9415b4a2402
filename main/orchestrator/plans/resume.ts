import type { Run, Stored } from "../../../shared/domain/model.ts";
import {
  type OperationPlan,
  planResumeOperation,
  type ResumeOperationFacts,
} from "../../../shared/domain/operations/index.ts";
import { ok, type Result } from "../../../shared/domain/problem.ts";
import { planResume } from "../../../shared/domain/resume-plan.ts";
import type { LoadedDefinition } from "../definition-file.ts";
import { isoNow } from "../deps.ts";
import { compareInputs, openStoredIo } from "../file-needs.ts";
import { judgeAttempts, readDifferences } from "../resume-reads.ts";
import { bySchedule } from "../run-question.ts";
import { readStoredDefinition, type StoredDefinition } from "../stored-definition.ts";
import { comparedInputs } from "./inputs.ts";
import type { PlansDeps, RunIntent } from "./ports.ts";

/** RESUME or RERUN_FROM of an existing Run: everything the execution would read, and nothing written (orchestration section 2.1). */
export async function planTakingUp(
  deps: PlansDeps,
  found: Stored<Run>,
  loaded: LoadedDefinition,
  intent: RunIntent,
  signal?: AbortSignal,
): Promise<Result<OperationPlan>> {
  const { rerunFrom, requestedBy } = intent;
  const scope = { profile: deps.profile, networkId: found.networkId };
  const [graph, lock, differences, stored] = await Promise.all([
    deps.store.readRunGraph(found.runId, signal),
    deps.store.findLock(scope, signal),
    readDifferences(deps, found, signal),
    readStoredDefinition(deps, found, signal),
  ]);
  const run = graph.run ?? found;
  const judged = await judgeAttempts(deps, "", run, graph);
  const definition = stored.ok
    ? ok({ nodes: stored.value.definition.nodes, order: stored.value.order })
    : stored;
  const facts: ResumeOperationFacts = {
    run,
    hold: graph.hold,
    lock,
    differences,
    definition,
    judged,
    records: graph,
    rerunFrom: rerunFrom ?? null,
    bySchedule: bySchedule(intent),
    inputs: null,
    requestedBy,
    now: deps.clock.nowMs(),
    readAt: isoNow(deps.clock),
  };
  return ok(
    planResumeOperation(stored.ok ? await withInputs(deps, facts, loaded, stored.value, signal) : facts),
  );
}

/** The declared files of the nodes that would run, compared with what they were (orchestration section 2.1, R13). */
async function withInputs(
  deps: PlansDeps,
  facts: ResumeOperationFacts,
  loaded: LoadedDefinition,
  stored: StoredDefinition,
  signal: AbortSignal | undefined,
): Promise<ResumeOperationFacts> {
  const { run, records, judged, rerunFrom, readAt } = facts;
  const { nodes } = stored.definition;
  if (!judged.ok || nodes.every(({ inputs, outputs }) => isEmpty(inputs) && isEmpty(outputs))) return facts;
  const io = await openStoredIo(deps, { loaded, io: null }, run, stored.definition, signal);
  if (!io.ok) return { ...facts, files: io.error };
  const plan = planResume({
    run,
    nodes,
    ...records,
    rerunFrom,
    invocationId: "",
    ...judged.value,
    at: readAt,
  });
  if (!plan.ok || io.value === null) return facts;
  const planned = { ...records, nodes, plan: plan.value };
  const same = await compareInputs(io.value, run, planned);
  const inputs = await comparedInputs(io.value, run, planned);
  return { ...facts, inputs, ...(same.ok ? {} : { files: same.error }) };
}

const isEmpty = (patterns: object): boolean => Object.keys(patterns).length === 0;
