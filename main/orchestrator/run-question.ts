import { type NetworkDefinition, type ResolvedKey, resolveRunKey } from "../../shared/domain/index.ts";
import type { Run, Stored } from "../../shared/domain/model.ts";
import { fail, ok, type Result } from "../../shared/domain/problem.ts";
import type { OrchestratorDeps } from "./deps.ts";
import type { Held } from "./held.ts";
import type { RunNetworkInput } from "./ports.ts";
import { runIdMismatch } from "./refusal.ts";

/** A Run named by its id has its key already (orchestration section 2.1, E2). */
export function resolveKey(
  deps: Pick<OrchestratorDeps, "clock">,
  input: RunNetworkInput,
  definition: NetworkDefinition,
): Result<ResolvedKey | null> {
  if (input.resumeRunId !== undefined) return ok(null);
  return resolveRunKey({
    networkId: definition.networkId,
    policy: definition.businessKeyPolicy,
    businessKey: input.businessKey,
    scheduledFor: input.scheduledFor,
    resume: input.resume === true,
    now: deps.clock.nowMs(),
  });
}

/** Which way of going on was asked for (orchestration section 2.2). */
export function resumeOf(
  input: Pick<RunNetworkInput, "resume" | "resumeRunId">,
): "none" | "resume" | "resume-run" {
  if (input.resumeRunId !== undefined) return "resume-run";
  return input.resume === true ? "resume" : "none";
}

/** By id, or by the unique key; a Run of another network or profile is none of ours (orchestration section 2.1, E6 and R1). */
export async function findRun(
  {
    store,
    profile,
  }: Pick<OrchestratorDeps, "profile"> & {
    readonly store: Pick<OrchestratorDeps["store"], "findRunByKey" | "findRunById">;
  },
  { resumeRunId, signal }: Pick<RunNetworkInput, "resumeRunId" | "signal">,
  { key, loaded }: Pick<Held, "key" | "loaded">,
): Promise<Result<Stored<Run> | null>> {
  const { networkId } = loaded.definition;
  if (key !== null) {
    return ok(await store.findRunByKey({ profile, networkId, businessKey: key.businessKey }, signal));
  }
  const run = await store.findRunById(resumeRunId ?? "", signal);
  const ours = run === null || (run.networkId === networkId && run.profileSnapshot.profile === profile);
  return ours ? ok(run) : fail(runIdMismatch(run));
}

/** By its key and without a word: a schedule asks. Whoever names the Run or gives a reason wants an Invocation of their own. */
export const bySchedule = ({
  resume,
  rerunFrom,
  reason,
}: Pick<RunNetworkInput, "resume" | "rerunFrom" | "reason">): boolean =>
  resume === true && rerunFrom === undefined && reason === undefined;
