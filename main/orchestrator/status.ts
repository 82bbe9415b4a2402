import { lockStatusOf, onHold, reconcile, runActivity } from "../../shared/domain/index.ts";
import type {
  Attempt,
  Hold,
  Invocation,
  NetworkLock,
  NodeState,
  Run,
  Stored,
} from "../../shared/domain/model.ts";
import { FlowError } from "../../shared/domain/problem.ts";
import type { BundleStore, Clock, FlowReads } from "../store/index.ts";
import type { AttemptBrief, RunDetailReport, RunReport, StatusInput, StatusReport } from "./ports.ts";
import { readStoredDefinition } from "./stored-definition.ts";

export interface StatusDeps {
  readonly reads: FlowReads;
  readonly clock: Clock;
  /** To tell which nodes a Run should have (W-07); without it only a missing Invocation shows that its creation stopped. */
  readonly bundles?: Pick<BundleStore, "downloadBundle">;
}

/**
 * `status`: reads, judges, never writes (orchestration sections 6 and 9.2). Errors: `RECORD_NOT_FOUND` when the
 * Run is not one of this network and profile, and what the store throws.
 */
export async function readStatus(deps: StatusDeps, input: StatusInput): Promise<StatusReport> {
  const { networkId, profile, signal } = input;
  const single = input.runId !== undefined || input.businessKey !== undefined;
  if (!single) return list(deps, input);
  const [lock, runs] = await Promise.all([
    deps.reads.findLock({ networkId, profile }, signal),
    findOne(deps.reads, input),
  ]);
  const now = deps.clock.nowMs();
  return {
    networkId,
    profile,
    lock: lock === null ? null : lockStatusOf(lock, now),
    runs: await Promise.all(runs.map((run) => detailed(deps, run, lock, now, signal))),
    unreadable: [],
  };
}

async function findOne(reads: FlowReads, input: StatusInput): Promise<readonly Stored<Run>[]> {
  const { networkId, profile, runId, businessKey, signal } = input;
  const run =
    runId === undefined
      ? await reads.findRunByKey({ networkId, profile, businessKey: businessKey ?? "" }, signal)
      : await reads.findRunById(runId, signal);
  if (run !== null && run.networkId === networkId && run.profileSnapshot.profile === profile) return [run];
  throw new FlowError({
    code: "RECORD_NOT_FOUND",
    message: `No Run ${runId ?? businessKey ?? ""} belongs to network ${networkId} under profile ${profile}.`,
    place: runId === undefined ? "--business-key" : "--run-id",
    remedy: "List the Runs of the network without this option.",
  });
}

function runReport(
  run: Stored<Run>,
  facts: { readonly hold: Hold | null; readonly invocationIds: readonly string[] },
  lock: NetworkLock | null,
  now: number,
  detail: RunDetailReport | null,
): RunReport {
  const hold = facts.hold !== null && onHold(facts.hold.state) ? facts.hold : null;
  const { activity, live, stop } = runActivity(
    {
      status: run.status,
      startedAt: run.startedAt,
      invocationIds: facts.invocationIds,
      lock,
      hold: hold?.state ?? null,
    },
    now,
  );
  const {
    runId,
    businessKey,
    status,
    resumeAllowed,
    lifecycle,
    createdAt,
    startedAt,
    finishedAt,
    updatedAt,
  } = run;
  return {
    runId,
    businessKey,
    status,
    resumeAllowed,
    lifecycle,
    createdAt,
    startedAt,
    finishedAt,
    updatedAt,
    hold:
      hold === null
        ? null
        : { state: hold.state, requestedBy: hold.requestedBy, requestedAt: hold.requestedAt },
    activity,
    live,
    stop,
    detail,
  };
}

/** In one pass whatever the number of Runs, and one question more while a lock is held: whose Run its owner works on (W-20). */
async function list({ reads, clock }: StatusDeps, input: StatusInput): Promise<StatusReport> {
  const { networkId, profile, signal } = input;
  const { runs, holds, lock, unreadable } = await reads.readNetwork({ networkId, profile }, signal);
  const now = clock.nowMs();
  const owner = lock?.ownerInvocationId ?? null;
  const ownerRunId = owner === null ? null : await reads.findRunIdOfInvocation(owner, signal);
  const report = (run: Stored<Run>): RunReport => {
    const invocationIds = owner !== null && run.runId === ownerRunId ? [owner] : [];
    return runReport(run, { hold: holds.get(run.runId) ?? null, invocationIds }, lock, now, null);
  };
  return {
    networkId,
    profile,
    lock: lock === null ? null : lockStatusOf(lock, now),
    runs: runs.map(report).sort((a, b) => (a.runId < b.runId ? -1 : 1)),
    unreadable,
  };
}

async function detailed(
  { reads, bundles }: StatusDeps,
  run: Stored<Run>,
  lock: Stored<NetworkLock> | null,
  now: number,
  signal: AbortSignal | undefined,
): Promise<RunReport> {
  const graph = await reads.readRunGraph(run.runId, signal);
  const current = graph.run ?? run;
  const { hold, invocations, states, attempts, resolutions, edits } = graph;
  const nodeIds = await definedNodes(bundles, current, attempts, signal);
  const records = { run: current, invocations, states, attempts, resolutions, edits };
  const findings = reconcile(nodeIds === null ? records : { ...records, nodeIds });
  const detail: RunDetailReport = {
    invocations: invocations.map(({ invocationId, mode, status, resultCode }) => ({
      invocationId,
      mode,
      status,
      resultCode,
    })),
    nodeStates: states.map((state) => nodeReport(state, attempts)),
    inconsistencies: findings.map(({ code, nodeId, detail, attemptIds, severity }) => ({
      code,
      nodeId,
      detail,
      attemptIds,
      severity,
    })),
    recovery: recoveryOf(current, lock, states, invocations),
  };
  return runReport(
    current,
    { hold, invocationIds: invocations.map((invocation) => invocation.invocationId) },
    lock,
    now,
    detail,
  );
}

/**
 * The nodes of the stored bundle, asked for where it can matter: a Run that has not begun (W-07). Null when that is not so
 * or the bundle cannot be used; a resume tells why.
 */
async function definedNodes(
  bundles: StatusDeps["bundles"],
  run: Run,
  attempts: readonly Attempt[],
  signal: AbortSignal | undefined,
): Promise<readonly string[] | null> {
  if (bundles === undefined || run.status !== "CREATED" || attempts.length > 0) return null;
  try {
    const stored = await readStoredDefinition({ store: bundles }, run, signal);
    return stored.ok ? stored.value.definition.nodes.map(({ id }) => id) : null;
  } catch (error) {
    if (error instanceof FlowError) return null;
    throw error;
  }
}

function brief(attempt: Attempt | undefined): AttemptBrief | null {
  if (attempt === undefined) return null;
  const { attemptId, attemptNo, status, resultCode } = attempt;
  return { attemptId, attemptNo, status, resultCode };
}

function nodeReport(
  state: NodeState,
  attempts: readonly Stored<Attempt>[],
): RunDetailReport["nodeStates"][number] {
  const own = attempts.filter((attempt) => attempt.nodeId === state.nodeId);
  return {
    nodeId: state.nodeId,
    status: state.status,
    statusReason: state.statusReason,
    idempotent: state.idempotent,
    latestAttemptNo: state.latestAttemptNo,
    activeAttemptId: state.activeAttemptId,
    latestAttempt: brief(own.find((attempt) => attempt.attemptNo === state.latestAttemptNo)),
    activeAttempt: brief(own.find((attempt) => attempt.attemptId === state.activeAttemptId)),
  };
}

function recoveryOf(
  run: Run,
  lock: NetworkLock | null,
  states: readonly NodeState[],
  invocations: readonly Invocation[],
): RunDetailReport["recovery"] {
  const owner = lock?.ownerInvocationId ?? null;
  const ours = owner !== null && invocations.some((invocation) => invocation.invocationId === owner);
  return {
    resolveNode: states
      .filter((state) => state.status === "UNKNOWN" || (state.status === "FAILED" && !state.idempotent))
      .map((state) => ({ runId: run.runId, nodeId: state.nodeId })),
    forceUnlockNetwork:
      ours && owner !== null
        ? {
            networkId: run.networkId,
            profile: run.profileSnapshot.profile,
            expectedOwnerInvocationId: owner,
          }
        : null,
    // Of a Run that succeeded too, as the peer says: the command is a NOOP then.
    runNetwork: { resumeRun: run.runId },
  };
}
