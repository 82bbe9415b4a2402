import type { NetworkDefinition, NodeDefinition } from "../../shared/domain/index.ts";
import type { Attempt, Run } from "../../shared/domain/model.ts";
import { fail, ok, type Result } from "../../shared/domain/problem.ts";
import type { ResumePlan } from "../../shared/domain/resume-plan.ts";
import {
  type Baselines,
  checkRetriedInputs,
  type IoFacts,
  type IoRoot,
  openIoRoot,
  retentionProblem,
  usesFiles,
} from "./csv/index.ts";
import type { OrchestratorDeps } from "./deps.ts";
import type { Held } from "./held.ts";

/** What a network needs of its runner to exchange files (orchestration section 2.1, E3). */
export const fileNeeds = ({ nodes }: Pick<NetworkDefinition, "nodes">) => ({
  inputs: nodes.some((node) => Object.keys(node.inputs).length > 0),
  outputs: nodes.some((node) => Object.keys(node.outputs).length > 0),
});

/** The checked root of a network's files, null where no node uses any (orchestration section 2.1, E4). */
export async function openIoFor(
  { io }: Pick<OrchestratorDeps, "io">,
  { nodes }: Pick<NetworkDefinition, "nodes">,
): Promise<Result<IoRoot | null>> {
  return nodes.some(usesFiles) ? openIoRoot(io) : ok(null);
}

/**
 * The same for a stored definition, which may use files the deployed one does not, and the retention of its inputs
 * (orchestration section 2.1, R10). Errors: `IO_*`, `CAPABILITY_*` and the runner's, `INPUT_RETENTION_EXPIRED`.
 */
export async function openStoredIo(
  deps: Pick<OrchestratorDeps, "runner" | "io" | "clock">,
  held: Pick<Held, "loaded" | "io">,
  run: Run,
  stored: NetworkDefinition,
  signal: AbortSignal | undefined,
): Promise<Result<IoRoot | null>> {
  const need = fileNeeds(stored);
  const asked = fileNeeds(held.loaded.definition);
  if ((need.inputs && !asked.inputs) || (need.outputs && !asked.outputs)) {
    const capable = await deps.runner.capabilities(need, signal);
    if (!capable.ok) return capable;
  }
  const io = held.io === null ? await openIoFor(deps, stored) : ok(held.io);
  if (!io.ok || io.value === null || !need.inputs) return io;
  const expired = retentionProblem(run, io.value, deps.clock.nowMs());
  return expired === null ? io : fail(expired);
}

/** Placeholder values of a Run's patterns (orchestration section 8.1). */
export const ioFactsOf = ({ businessKey, profileSnapshot, runId }: Run): IoFacts => ({
  businessKey,
  profile: profileSnapshot.profile,
  runId,
});

/** A resume that is planned, with the records it was planned from. */
export interface PlannedNodes {
  readonly nodes: readonly NodeDefinition[];
  readonly states: readonly { readonly nodeId: string; readonly status: string }[];
  readonly attempts: readonly Attempt[];
  readonly plan: ResumePlan;
}

/** Compares the inputs of every node the plan lets run (orchestration section 2.1, R13). Nothing was written yet. */
export async function compareInputs(
  root: IoRoot | null,
  run: Run,
  planned: PlannedNodes,
): Promise<Result<Baselines>> {
  if (root === null) return ok(new Map());
  const nodes = nodesToRun(planned);
  return checkRetriedInputs({ root, facts: ioFactsOf(run), nodes, attempts: planned.attempts });
}

/** The nodes a planned resume lets run. */
export function nodesToRun({ nodes, states, plan }: PlannedNodes): readonly NodeDefinition[] {
  const after = new Map(states.map(({ nodeId, status }) => [nodeId, status]));
  for (const { next } of plan.states) after.set(next.nodeId, next.status);
  const mayRun = ({ id }: NodeDefinition): boolean =>
    (plan.selection === null ? !plan.excluded.has(id) : plan.selection.has(id)) &&
    after.get(id) === "WAITING";
  return nodes.filter(mayRun);
}
