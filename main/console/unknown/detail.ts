import type { NodeDecision, OrphanForecast, UnknownDetail } from "../../../shared/api/index.ts";
import { liveOwner } from "../../../shared/domain/lease.ts";
import type { Attempt, NetworkLock, NodeState, Run, Stored } from "../../../shared/domain/model.ts";
import { orphanVerdict } from "../../../shared/domain/orphan-verdict.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { orphanFactsOf, type UnknownFacts } from "../../../shared/domain/unknown-evidence.ts";
import { permittedOutcomes } from "../../../shared/domain/unknown-outcome.ts";
import { attemptErrorText } from "../../../shared/records/index.ts";
import type { RunGraph } from "../../store/index.ts";
import { type AttemptReading, factsOf, readAttempt } from "./facts.ts";
import type { UnknownDeps } from "./ports.ts";
import { evidenceRows } from "./rows.ts";

/** The records of one Run, and who holds its network. */
export interface RunReading {
  readonly graph: RunGraph & { readonly run: Stored<Run> };
  readonly lock: Stored<NetworkLock> | null;
}

/** Reads a Run and the lock over its network. Error: `RECORD_NOT_FOUND`. Throws what the store throws. */
export async function readRun(
  { reads }: Pick<UnknownDeps, "reads">,
  runId: string,
  signal?: AbortSignal,
): Promise<Result<RunReading>> {
  const graph = await reads.readRunGraph(runId, signal);
  const { run } = graph;
  if (run === null) return fail(notFound("runId", runId));
  const scope = { networkId: run.networkId, profile: run.profileSnapshot.profile };
  return ok({ graph: { ...graph, run }, lock: await reads.findLock(scope, signal) });
}

/** One node whose end is in doubt: its evidence as it is now and what may be decided. Codes: `RECORD_NOT_FOUND`. */
export async function readUnknown(
  deps: UnknownDeps,
  { runId, nodeId }: { readonly runId: string; readonly nodeId: string },
  signal?: AbortSignal,
): Promise<Result<UnknownDetail>> {
  const read = await readRun(deps, runId, signal);
  if (!read.ok) return read;
  const state = read.value.graph.states.find((each) => each.nodeId === nodeId);
  if (state === undefined) return fail(notFound("nodeId", nodeId));
  const attempt = currentAttempt(state, read.value.graph.attempts);
  const evidence =
    attempt === null ? null : await readAttempt(deps, attempt, ownerOf(attempt, read.value), signal);
  return ok(detailOf(deps, read.value, state, evidence));
}

const ownerOf = ({ invocationId }: Attempt, { graph }: RunReading) =>
  graph.invocations.find((each) => each.invocationId === invocationId) ?? null;

/** The attempt a decision would be about. */
export const currentAttempt = (
  { nodeId, latestAttemptNo }: NodeState,
  attempts: readonly Stored<Attempt>[],
): Stored<Attempt> | null =>
  attempts.findLast((each) => each.nodeId === nodeId && each.attemptNo === latestAttemptNo) ?? null;

function detailOf(
  deps: UnknownDeps,
  read: RunReading,
  state: Stored<NodeState>,
  evidence: AttemptReading | null,
): UnknownDetail {
  const { run, states, attempts, resolutions } = read.graph;
  const { nodeId } = state;
  const attempt = currentAttempt(state, attempts);
  const facts = evidence === null ? null : factsOf(evidence);
  const kind = doubtOf(read, state, deps.nowMs());
  const errorMessage = attempt === null ? null : attemptErrorText(attempt.errorMessage, null);
  return {
    runId: run.runId,
    networkId: run.networkId,
    profile: run.profileSnapshot.profile,
    businessKey: run.businessKey,
    runStatus: run.status,
    lifecycle: run.lifecycle,
    nodeId,
    jobId: state.jobId,
    nodeStatus: state.status,
    idempotent: state.idempotent,
    kind,
    attempt: attempt && {
      ...attempt,
      errorMessage,
      recordId: attempt.ref.recordId,
      recordRevision: attempt.ref.revision,
    },
    evidence: evidence === null ? [] : evidenceRows(evidence),
    forecast: kind === "orphan" && facts !== null ? forecastOf(facts) : null,
    outcomes: permittedOutcomes({
      nodeId,
      startedAt: run.startedAt,
      states,
      attempts,
      resolutions,
      evidence: facts,
    }),
    resolutions: decisionsOf(read.graph).filter((each) => each.attemptId === attempt?.attemptId),
    invocation: evidence?.invocation ?? null,
    thisHost: deps.host,
    readAt: evidence?.readAt ?? new Date(deps.nowMs()).toISOString(),
  };
}

/** What is in doubt about a node. `now` in epoch milliseconds. */
export function doubtOf(
  { graph, lock }: RunReading,
  { status, idempotent }: Pick<NodeState, "status" | "idempotent">,
  now: number,
): UnknownDetail["kind"] {
  if (status === "UNKNOWN") return "unknown";
  if (status === "FAILED" && !idempotent) return "ranOnce";
  if (status !== "RUNNING") return "settled";
  const own = graph.invocations.map(({ invocationId }) => invocationId);
  return liveOwner(lock, own, now) ? "running" : "orphan";
}

/** What a resume would make of it (orchestration §5.3). */
export function forecastOf(facts: UnknownFacts): OrphanForecast {
  const verdict = orphanVerdict(orphanFactsOf(facts));
  if (verdict.kind === "child-running") return { kind: "childRunning" };
  if (verdict.kind === "unreadable") return verdict;
  return { kind: "settled", status: verdict.attemptStatus, code: verdict.resultCode };
}

/** What people decided about the Run's attempts, each with its node. */
export const decisionsOf = ({ resolutions, attempts }: RunGraph): readonly NodeDecision[] =>
  resolutions.map(({ ref, ...resolution }) => ({
    ...resolution,
    nodeId: attempts.find((each) => each.attemptId === resolution.attemptId)?.nodeId ?? "",
    recordId: ref.recordId,
    recordRevision: ref.revision,
  }));

export const notFound = (place: string, id: string): Problem => ({
  code: "RECORD_NOT_FOUND",
  message: `Nothing of the id ${id} is in the records.`,
  place,
  remedy: "Check the id; a Run of another workspace cannot be seen from here.",
});
