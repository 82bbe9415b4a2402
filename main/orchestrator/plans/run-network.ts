import {
  decideRun,
  networkLockKey,
  onHold,
  type ResolvedKey,
  sha256Hex,
  stableOrder,
} from "../../../shared/domain/index.ts";
import type { Run, Stored } from "../../../shared/domain/model.ts";
import { type OperationPlan, planStartOperation } from "../../../shared/domain/operations/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { type LoadedDefinition, loadDefinition } from "../definition-file.ts";
import { isoNow } from "../deps.ts";
import { fileNeeds, openIoFor } from "../file-needs.ts";
import { prepareRun } from "../prepare-run.ts";
import { invalidDefinition } from "../refusal.ts";
import { findRun, resolveKey, resumeOf } from "../run-question.ts";
import type { PlansDeps, RunIntent } from "./ports.ts";
import { planTakingUp } from "./resume.ts";

/** START, RESUME or RERUN_FROM, by the questions of the execution in its order (orchestration section 2). */
export async function planRunNetwork(
  deps: PlansDeps,
  input: RunIntent,
  signal?: AbortSignal,
): Promise<Result<OperationPlan>> {
  const loaded = await loadDefinition(input.definitionPath, { profile: deps.profile });
  if (!loaded.ok) return fail(invalidDefinition(loaded.error));
  const key = resolveKey(deps, input, loaded.value.definition);
  if (!key.ok) return key;
  const asked = { ...input, ...(signal === undefined ? {} : { signal }) };
  const found = await findRun(deps, asked, { key: key.value, loaded: loaded.value });
  if (!found.ok) return found;
  const existing = found.value;
  const resume = resumeOf(input);
  if (existing !== null && resume !== "none") {
    return planTakingUp(deps, existing, loaded.value, input, signal);
  }
  const rerunFrom = input.rerunFrom !== undefined;
  const decision = decideRun({ existing, onHold: onHold(null), resume, rerunFrom });
  // A Run named by its id has no key to be started under: what is missing stays missing.
  if (key.value === null) return fail(decision.kind === "reject" ? decision.problem : noKey);
  if (existing === null && decision.kind === "reject") return fail(decision.problem);
  return planStart(deps, loaded.value, key.value, existing, input, signal);
}

const noKey: Problem = {
  code: "RUN_NOT_FOUND",
  message: "There is no such Run.",
  place: "--resume-run",
  remedy: "List the Runs of the network and check the id.",
};

async function planStart(
  deps: PlansDeps,
  loaded: LoadedDefinition,
  key: ResolvedKey,
  existing: Stored<Run> | null,
  { requestedBy }: RunIntent,
  signal: AbortSignal | undefined,
): Promise<Result<OperationPlan>> {
  const { definition } = loaded;
  const { networkId, maxActiveRuns, nodes } = definition;
  const order = stableOrder(nodes);
  if (!order.ok) return order;
  const scope = { profile: deps.profile, networkId };
  const usable = networkLockKey(scope.profile, networkId);
  if (!usable.ok) return usable;
  const [lock, runs, preparation] = await Promise.all([
    deps.store.findLock(scope, signal),
    existing === null ? deps.store.listRuns(scope, signal) : [],
    existing === null ? preparationProblems(deps, loaded, signal) : [],
  ]);
  return ok(
    planStartOperation({
      ...scope,
      businessKey: key.businessKey,
      maxActiveRuns,
      nodes,
      order: order.value,
      definitionSha256: sha256Hex(loaded.bytes),
      existing,
      runs,
      lock,
      preparation,
      inputs: null,
      requestedBy,
      now: deps.clock.nowMs(),
      readAt: isoNow(deps.clock),
    }),
  );
}

/** What the runner, the folder of files and the jobs say against it; each is only read (orchestration section 2.1, N2 to N4). */
async function preparationProblems(
  deps: PlansDeps,
  loaded: LoadedDefinition,
  signal: AbortSignal | undefined,
): Promise<readonly Problem[]> {
  const capable = await deps.runner.capabilities(fileNeeds(loaded.definition), signal);
  if (!capable.ok) return [capable.error];
  const io = await openIoFor(deps, loaded.definition);
  const prepared = await prepareRun(deps, { loaded }, signal);
  return [io, prepared].flatMap((result) => (result.ok ? [] : [result.error]));
}
