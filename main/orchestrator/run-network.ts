import {
  decideRun,
  networkLockKey,
  onHold,
  type ResolvedKey,
  sha256Hex,
  stableOrder,
} from "../../shared/domain/index.ts";
import type { Run, Stored } from "../../shared/domain/model.ts";
import { checkSeen } from "../../shared/domain/operations/seen.ts";
import { startSeen } from "../../shared/domain/operations/start.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { closeFailedStart, createRun, type StartFailure } from "./create-run.ts";
import { loadDefinition } from "./definition-file.ts";
import { isoNow, type OrchestratorDeps } from "./deps.ts";
import { drive, tell } from "./drive.ts";
import { fileNeeds, openIoFor } from "./file-needs.ts";
import { giveBack, withLockLeft } from "./give-back.ts";
import type { Held } from "./held.ts";
import type { HeldNetworkLock, RunNetworkInput, RunNetworkResult } from "./ports.ts";
import {
  aboutCreation,
  asCancelled,
  invalidDefinition,
  type KnownRun,
  noop,
  problemOf,
  rejected,
} from "./refusal.ts";
import { answerAgain } from "./repeated-resume.ts";
import { resumeRun } from "./resume-run.ts";
import { findRun, resolveKey, resumeOf } from "./run-question.ts";
import { type UnpackedBundle, unpackBundle } from "./workspace-folder.ts";

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
    const need = fileNeeds(definition);
    const capable = await deps.runner.capabilities(need, input.signal);
    if (!capable.ok) return rejected(capable.error);
    const io = await openIoFor(deps, definition);
    if (!io.ok) return rejected(io.error);
    const { ksqlFlowVersion: flowVersion, engineVersion } = capable.value;
    const versions = { flowVersion, engineVersion };
    return await underLock(deps, input, { loaded: loaded.value, key: key.value, versions, io: io.value });
  } catch (error) {
    return rejected(problemOf(error));
  }
}

async function underLock(
  deps: OrchestratorDeps,
  input: RunNetworkInput,
  checked: Omit<Held, "session" | "invocationId">,
): Promise<RunNetworkResult> {
  const invocationId = `invoke_${deps.ids.uuid()}`;
  const { networkId, networkLock } = checked.loaded.definition;
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
    return await decideAndRun(deps, input, { ...checked, session, invocationId });
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
    const found = await findRun(deps, input, held);
    if (!found.ok) return await giveUp(held, found.error);
    const existing = found.value;
    const resume = resumeOf(input);
    const decision = decideRun({
      existing,
      onHold:
        existing !== null &&
        resume !== "none" &&
        onHold((await deps.store.findHold(existing.runId))?.state ?? null),
      resume,
      rerunFrom: input.rerunFrom !== undefined,
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
        return existing === null ? await giveUp(held, null) : await takeUp(deps, input, held, existing);
      case "new":
        return held.key === null ? await giveUp(held, null) : await startNew(deps, input, held, held.key);
    }
  } catch (error) {
    return giveUp(held, problemOf(error));
  }
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
  key: ResolvedKey,
): Promise<RunNetworkResult> {
  const { definition } = held.loaded;
  const order = stableOrder(definition.nodes);
  if (!order.ok) return giveUp(held, order.error);
  const seen = checkSeen(input.seen ?? null, startSeen(null, sha256Hex(held.loaded.bytes)));
  if (!seen.ok) return giveUp(held, seen.error);
  const created = await createRun(deps, held, key, input);
  if (!created.ok) return startFailed(deps, held, created.error);
  const ready = {
    ...created.value,
    outcome: "NEW",
    definition,
    order: order.value,
    retryBrakeNodeIds: [],
    io: held.io,
    baselines: new Map(),
  } as const;
  return drive(deps, held, ready, input);
}

/** The stored definition drives the Run; what was deployed since is not looked at (orchestration section 4.1). */
async function takeUp(
  deps: OrchestratorDeps,
  input: RunNetworkInput,
  held: Held,
  run: Stored<Run>,
): Promise<RunNetworkResult> {
  const resumed = await resumeRun(deps, held, run, input);
  if (!resumed.ok) {
    const { problem, wrote } = resumed.error;
    return giveUp(held, problem, wrote === "unsettled" ? run.runId : null);
  }
  if (resumed.value.kind === "repeated") return answerAgain(held, run, resumed.value);
  const { stored, plan, ledger, io, baselines } = resumed.value;
  const { definition, order, bundle: files } = stored;
  let bundle: UnpackedBundle;
  try {
    bundle = await unpackBundle(deps.workDir, held.invocationId, files);
  } catch (error) {
    // The Invocation is in the records by now: it is ended with the lock, not left open.
    return giveUp(held, await closeFailedStart(held, ledger, isoNow(deps.clock), error), run.runId);
  }
  const { mode, excluded, selection, braked } = plan;
  return drive(
    deps,
    held,
    {
      outcome: "RESUME",
      definition,
      order,
      ledger,
      bundle,
      scope: { mode, excluded, selection },
      retryBrakeNodeIds: braked.map(({ nodeId }) => nodeId),
      io,
      baselines,
    },
    input,
  );
}
