import type { LockDetail, RecoveryPicture } from "../../../shared/api/index.ts";
import type { NodeState } from "../../../shared/domain/model.ts";
import { ok, type Result } from "../../../shared/domain/problem.ts";
import { RECOVERY_STEPS, recoverySteps } from "../../../shared/domain/recovery-steps.ts";
import { currentAttempt, decisionsOf, doubtOf, forecastOf, type RunReading, readRun } from "./detail.ts";
import { factsOf, readAttempt } from "./facts.ts";
import { jobLocksLeft } from "./job-locks-left.ts";
import type { UnknownDeps } from "./ports.ts";

/** What a resume writes of an Invocation that vanished (orchestration §4.4). */
const LEASE_INTERRUPTED = "NETWORK_LEASE_INTERRUPTED";

type Node = RecoveryPicture["nodes"][number];

/**
 * Where the recovery of a Run stands, from the records as they are now (screens; orchestration §3.5, §5.3, §5.4): its lock
 * with its holder probed, what a resume would judge and how, what a person has to decide. Error: `RECORD_NOT_FOUND`.
 */
export async function readRecovery(
  deps: UnknownDeps,
  runId: string,
  signal?: AbortSignal,
): Promise<Result<RecoveryPicture>> {
  const read = await readRun(deps, runId, signal);
  if (!read.ok) return read;
  const { graph, lock } = read.value;
  const { run, invocations } = graph;
  const nodes = await Promise.all(graph.states.map((state) => nodeOf(deps, read.value, state, signal)));
  const orphans = nodes.filter(({ forecast }) => forecast !== null);
  const unknown = nodes.filter(({ status }) => status === "UNKNOWN");
  const held = lock === null ? null : await deps.locks.detail(lock.ref.recordId, signal);
  // It may have been released in between; that is then the truth.
  const detail = held?.ok === true ? held.value : null;
  const owner = detail?.lock.holder?.ownerInvocationId ?? null;
  const lockIsOurs = owner !== null && invocations.some(({ invocationId }) => invocationId === owner);
  const { locks: jobLocks, problem } = await jobLocksLeft(deps.reads, graph.attempts, signal);
  const succeeded = new Set(nodes.flatMap(({ nodeId, status }) => (status === "SUCCESS" ? [nodeId] : [])));
  const activity = deps.live.row(runId)?.activity ?? null;
  const states = recoverySteps({
    run: { status: run.status, lifecycle: run.lifecycle, activity },
    lock: lockFacts(detail, lockIsOurs),
    abandoned: invocations.some(
      ({ status, resultCode, invocationId }) =>
        invocationId !== owner && (status === "RUNNING" || resultCode === LEASE_INTERRUPTED),
    ),
    orphans: orphans.length,
    childAlive: orphans.some(({ forecast }) => forecast?.kind === "childRunning"),
    unknown: unknown.length,
    jobLocks: jobLocks.length,
    jobLocksInTheWay: jobLocks.filter(({ nodeId }) => !succeeded.has(nodeId)).length,
    jobLocksKnown: problem === null,
  });
  return ok({
    runId,
    networkId: run.networkId,
    profile: run.profileSnapshot.profile,
    businessKey: run.businessKey,
    runStatus: run.status,
    lifecycle: run.lifecycle,
    activity,
    lock: detail,
    lockIsOurs,
    orphans,
    unknown,
    nodes,
    jobLocks,
    jobLocksProblem: problem,
    resolutions: decisionsOf(graph),
    steps: RECOVERY_STEPS.map((step) => ({ step, state: states[step] })),
    readAt: new Date(deps.nowMs()).toISOString(),
  });
}

async function nodeOf(
  deps: UnknownDeps,
  read: RunReading,
  state: NodeState,
  signal: AbortSignal | undefined,
): Promise<Node> {
  const attempt = currentAttempt(state, read.graph.attempts);
  const { nodeId, latestAttemptNo, idempotent, status } = state;
  const node = {
    nodeId,
    attemptId: attempt?.attemptId ?? null,
    attemptNo: latestAttemptNo,
    idempotent,
    status,
  };
  // A lease that still stands hides an orphan: its owner may be at work.
  const orphan = attempt !== null && doubtOf(read, state, deps.nowMs()) === "orphan";
  if (!orphan) return { ...node, forecast: null };
  const owner = read.graph.invocations.find((each) => each.invocationId === attempt.invocationId) ?? null;
  return { ...node, forecast: forecastOf(factsOf(await readAttempt(deps, attempt, owner, signal))) };
}

function lockFacts(detail: LockDetail | null, ours: boolean) {
  const holder = detail?.lock.holder ?? null;
  if (detail === null || holder === null) return null;
  return { ours, stale: holder.staleCandidate, owner: detail.verdict.kind };
}
