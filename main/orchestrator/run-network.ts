import {
  decideRun,
  type NetworkDefinition,
  networkLockKey,
  onHold,
  type ResolvedKey,
  resolveRunKey,
  stableOrder,
} from "../../shared/domain/index.ts";
import type { Run, Stored } from "../../shared/domain/model.ts";
import type { Problem, Result } from "../../shared/domain/problem.ts";
import { createRun, type StartFailure } from "./create-run.ts";
import { type LoadedDefinition, loadDefinition } from "./definition-file.ts";
import type { OrchestratorDeps } from "./deps.ts";
import { giveBack, withLockLeft } from "./give-back.ts";
import type { Held, RunnerVersions } from "./held.ts";
import type { HeldNetworkLock, RunNetworkInput, RunNetworkResult } from "./ports.ts";
import {
  aboutCreation,
  asCancelled,
  filesNotBuilt,
  invalidDefinition,
  type KnownRun,
  noop,
  problemOf,
  recoveryNotBuilt,
  recoveryRefused,
  rejected,
} from "./refusal.ts";
import { runScheduler } from "./scheduler.ts";
import { createWalk } from "./walk.ts";

/**
 * Makes sure the Run of one business key exists and drives it to its end (orchestration sections 2 and 4): the
 * one way in, for the command line, the poller and the console. A refusal is a result, never an exception.
 */
export async function runNetwork(deps: OrchestratorDeps, input: RunNetworkInput): Promise<RunNetworkResult> {
  const result = await startOrRefuse(deps, input);
  return input.signal?.aborted === true ? asCancelled(result) : result;
}

async function startOrRefuse(deps: OrchestratorDeps, input: RunNetworkInput): Promise<RunNetworkResult> {
  try {
    const loaded = await loadDefinition(input.definitionPath, { profile: deps.profile });
    if (!loaded.ok) return rejected(invalidDefinition(loaded.error));
    const { definition } = loaded.value;
    const key = resolveKey(deps, input, definition);
    if (!key.ok) return rejected(key.error);
    const unsupported = recoveryNotBuilt(input);
    if (unsupported !== null) return rejected(unsupported);
    const need = {
      inputs: definition.nodes.some((node) => Object.keys(node.inputs).length > 0),
      outputs: definition.nodes.some((node) => Object.keys(node.outputs).length > 0),
    };
    const capable = await deps.runner.capabilities(need, input.signal);
    if (!capable.ok) return rejected(capable.error);
    if (need.inputs || need.outputs) return rejected(filesNotBuilt(loaded.value));
    return await underLock(deps, input, loaded.value, key.value, {
      flowVersion: capable.value.ksqlFlowVersion,
      engineVersion: capable.value.engineVersion,
    });
  } catch (error) {
    return rejected(problemOf(error));
  }
}

function resolveKey(
  deps: OrchestratorDeps,
  input: RunNetworkInput,
  definition: NetworkDefinition,
): Result<ResolvedKey> {
  return resolveRunKey({
    networkId: definition.networkId,
    policy: definition.businessKeyPolicy,
    businessKey: input.businessKey,
    scheduledFor: input.scheduledFor,
    resume: input.resume === true,
    now: deps.clock.nowMs(),
  });
}

async function underLock(
  deps: OrchestratorDeps,
  input: RunNetworkInput,
  loaded: LoadedDefinition,
  key: ResolvedKey,
  versions: RunnerVersions,
): Promise<RunNetworkResult> {
  const invocationId = `invoke_${deps.ids.uuid()}`;
  const { networkId, networkLock } = loaded.definition;
  await deps.journalLockOwner(invocationId);
  const acquired = await deps.store.acquireLock(
    {
      profile: deps.profile,
      networkId,
      ownerInvocationId: invocationId,
      ownerInstanceId: deps.ownerInstanceId,
      leaseMs: networkLock.leaseDurationSec * 1000,
      heartbeatMs: networkLock.heartbeatIntervalSec * 1000,
    },
    input.signal,
  );
  if (acquired.kind !== "acquired") return rejected(acquired.problem);
  const { session } = acquired;
  const tellLock = tell(input.onLock);
  tellLock(heldLock(deps, networkId, invocationId));
  try {
    return await decideAndRun(deps, input, { loaded, key, versions, session, invocationId });
  } finally {
    await session.dispose();
    if (session.state() === "RELEASED") tellLock(null);
  }
}

function heldLock(deps: OrchestratorDeps, networkId: string, ownerInvocationId: string): HeldNetworkLock {
  const { profile, ownerInstanceId } = deps;
  const key = networkLockKey(profile, networkId);
  return { profile, networkId, lockKey: key.ok ? key.value : "", ownerInvocationId, ownerInstanceId };
}

async function decideAndRun(
  deps: OrchestratorDeps,
  input: RunNetworkInput,
  held: Held,
): Promise<RunNetworkResult> {
  try {
    const scope = { profile: deps.profile, networkId: held.loaded.definition.networkId };
    const existing = await deps.store.findRunByKey(
      { ...scope, businessKey: held.key.businessKey },
      input.signal,
    );
    const decision = decideRun({
      existing,
      onHold:
        existing !== null &&
        input.resume === true &&
        onHold((await deps.store.findHold(existing.runId))?.state ?? null),
      resume: input.resume === true ? "resume" : "none",
      rerunFrom: false,
    });
    switch (decision.kind) {
      case "noop":
        return noop(
          existing,
          await giveBack(held.session, { status: "SUCCESS", resultCode: "ALREADY_SUCCESS" }),
        );
      case "reject":
        return await giveUp(held, decision.problem);
      case "resume":
        return await giveUp(held, recoveryRefused("--resume"));
      case "new":
        return await startNew(deps, input, held);
    }
  } catch (error) {
    return giveUp(held, problemOf(error));
  }
}

/** Whoever listens must not bring down what it listens to, a child may be running; the records tell it all too. */
function tell<T>(hears: ((news: T) => void) | undefined): (news: T) => void {
  return (news) => {
    try {
      hears?.(news);
    } catch {
      // The listener's own fault.
    }
  };
}

/** The lock goes back whatever the reason; a release that fails too is told beside the first reason (W-16). */
async function giveUp(
  held: Held,
  problem: Problem | null,
  runId: string | null = null,
): Promise<RunNetworkResult> {
  const cause = problem ?? { code: "RUN_NETWORK_FAILED", message: "The command was given up." };
  const left =
    held.session.state() === "RELEASED"
      ? null
      : await giveBack(held.session, { status: "FAILED", resultCode: "ENSURE_RUN_FAILED" });
  return rejected(withLockLeft(cause, left), runId === null ? null : knownRun(held, runId));
}

const knownRun = ({ invocationId, loaded }: Held, runId: string): KnownRun => ({
  runId,
  invocationId,
  networkId: loaded.definition.networkId,
});

/**
 * The release that gives the lock back settles the creation that was sent before it, too (fenced-writes R1): from
 * then on the Run is there, or it never will be.
 */
async function startFailed(
  deps: OrchestratorDeps,
  held: Held,
  { problem, runId, run }: StartFailure,
): Promise<RunNetworkResult> {
  const refusal = await giveUp(held, problem, run === "exists" ? runId : null);
  if (run !== "unsettled" || runId === null) return refusal;
  const cause = refusal.problem ?? problem;
  const found = await deps.store.findRunById(runId).then(
    (stored) => (stored === null ? "absent" : "exists"),
    () => "unreadable",
  );
  if (found === "exists") return rejected(aboutCreation(cause, runId, "exists"), knownRun(held, runId));
  const settled = held.session.state() === "RELEASED";
  return found === "absent" && settled ? refusal : rejected(aboutCreation(cause, runId, "unknown"));
}

async function startNew(
  deps: OrchestratorDeps,
  input: RunNetworkInput,
  held: Held,
): Promise<RunNetworkResult> {
  const order = stableOrder(held.loaded.definition.nodes);
  if (!order.ok) return giveUp(held, order.error);
  const created = await createRun(deps, held, input);
  if (!created.ok) return startFailed(deps, held, created.error);
  const { ledger, bundle } = created.value;
  const { runId, businessKey, networkId }: Stored<Run> = ledger.run;
  const emit = tell(input.onEvent);
  emit({ kind: "run-created", runId, networkId, businessKey });
  const { leaseDurationSec, heartbeatIntervalSec } = held.loaded.definition.networkLock;
  const walk = createWalk({
    deps,
    session: held.session,
    drainMs: leaseDurationSec * 1000,
    bundle,
    definition: held.loaded.definition,
    order: order.value,
    ledger,
    spawnMarginMs: heartbeatIntervalSec * 1000,
    emit,
  });
  try {
    const end = await runScheduler(walk, input.signal);
    if (end.aggregateStatus !== null) emit({ kind: "run-ended", runId, status: end.aggregateStatus });
    return {
      outcome: "NEW",
      runId,
      invocationId: held.invocationId,
      aggregateStatus: end.aggregateStatus,
      invocationResultCode: end.resultCode,
      retryBrakeNodeIds: [],
      blockedRunIds: [],
      problem: end.problem,
      networkId,
      nodes: walk.unfinished(),
    };
  } finally {
    await bundle.remove();
  }
}
