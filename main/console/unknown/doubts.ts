import { DOUBTS_MAX, type Doubt, type DoubtList, type RunRow } from "../../../shared/api/index.ts";
import type { Attempt, NodeState } from "../../../shared/domain/model.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { notFound } from "./detail.ts";
import type { UnknownDeps } from "./ports.ts";

/** Runs whose attempts are read for the list, one request each; the nodes of all others are told without them. */
const HISTORIES_READ = 20;

interface Found {
  readonly run: RunRow;
  readonly state: NodeState;
  readonly kind: Doubt["kind"];
}

/** Runs that may hold something nobody knows: a Run of another status has no such node (wire-format §1.6). */
const mayDoubt = ({ status, lifecycle }: RunRow): boolean =>
  lifecycle === "ACTIVE" && (status === "UNKNOWN" || status === "RUNNING");

/**
 * Every node whose end nobody knows, and every attempt whose owner is gone (screens, 結果不明): out of the picture of all
 * Runs, the states of those in question in one request, and the last attempts of the newest of them.
 */
export async function listDoubts(deps: UnknownDeps, signal?: AbortSignal): Promise<DoubtList> {
  const { rows, readAt } = await deps.live.rows(signal);
  const runs = rows.filter(mayDoubt);
  const states = await deps.reads.listNodeStatesOfRuns(
    runs.map(({ runId }) => runId),
    signal,
  );
  const found = runs.flatMap((run) =>
    (states.get(run.runId) ?? []).flatMap((state): Found[] => {
      const kind = kindOf(run, state);
      return kind === null ? [] : [{ run, state, kind }];
    }),
  );
  const attempts = await historiesOf(deps, found, signal);
  const doubts = found.map((each) => doubtOf(each, attempts)).sort(byWaiting);
  return { doubts: doubts.slice(0, DOUBTS_MAX), total: doubts.length, readAt };
}

function kindOf({ activity }: RunRow, { status, activeAttemptId }: NodeState): Doubt["kind"] | null {
  if (status === "UNKNOWN") return "unknown";
  return status === "RUNNING" && activeAttemptId !== null && activity !== "LIVE" ? "orphan" : null;
}

async function historiesOf(
  { reads }: UnknownDeps,
  found: readonly Found[],
  signal?: AbortSignal,
): Promise<readonly Attempt[]> {
  const runIds = [...new Set(found.map(({ run }) => run.runId))].slice(0, HISTORIES_READ);
  return (await Promise.all(runIds.map((runId) => reads.listAttempts(runId, signal)))).flat();
}

function doubtOf({ run, state, kind }: Found, attempts: readonly Attempt[]): Doubt {
  const attempt = attempts.findLast(
    (each) =>
      each.runId === run.runId && each.nodeId === state.nodeId && each.attemptNo === state.latestAttemptNo,
  );
  return {
    kind,
    runId: run.runId,
    networkId: run.networkId,
    businessKey: run.businessKey,
    runStatus: run.status,
    nodeId: state.nodeId,
    attemptId: attempt?.attemptId ?? state.activeAttemptId,
    attemptNo: state.latestAttemptNo,
    idempotent: state.idempotent,
    code: (attempt?.resultCode || state.statusReason) ?? null,
    sqlStartedAt: attempt?.runnerExecutionStartedAt ?? null,
    since: kind === "unknown" ? (state.finishedAt ?? state.updatedAt) : state.startedAt,
  };
}

const rank = ({ kind }: Doubt): number => (kind === "unknown" ? 0 : 1);

function byWaiting(left: Doubt, right: Doubt): number {
  if (rank(left) !== rank(right)) return rank(left) - rank(right);
  const [a, b] = [`${left.since} ${left.runId}`, `${right.since} ${right.runId}`];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Where an attempt stands, among those in doubt. Error: `RECORD_NOT_FOUND`. */
export async function locateAttempt(
  deps: UnknownDeps,
  attemptId: string,
  signal?: AbortSignal,
): Promise<Result<{ readonly runId: string; readonly nodeId: string }>> {
  const { doubts } = await listDoubts(deps, signal);
  const doubt = doubts.find((each) => each.attemptId === attemptId);
  return doubt === undefined
    ? fail(notFound("attemptId", attemptId))
    : ok({ runId: doubt.runId, nodeId: doubt.nodeId });
}
