import type { Doubt, DoubtList, RunRow } from "../../../shared/api/index.ts";
import type { Attempt, NodeState } from "../../../shared/domain/model.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { notFound } from "./detail.ts";
import type { UnknownDeps } from "./ports.ts";

/** The part of them the list needs. */
export interface DoubtDeps {
  readonly reads: Pick<UnknownDeps["reads"], "listNodeStatesOfRuns" | "listAttemptsByNumber">;
  readonly live: Pick<UnknownDeps["live"], "rows">;
}

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
 * Runs, the states of those in question, and the last attempts of those that are told: one request for a hundred of
 * either. `most`: how many of them are told, the longest waiting first.
 */
export async function listDoubts(deps: DoubtDeps, most: number, signal?: AbortSignal): Promise<DoubtList> {
  const { found, readAt } = await findDoubts(deps, signal);
  const told = found.slice(0, most);
  const attempts = await lastAttempts(deps, told, signal);
  const runs = new Set(told.map(({ run }) => run.runId));
  const left = new Set(found.slice(most).flatMap(({ run }) => (runs.has(run.runId) ? [] : [run.runId])));
  return {
    doubts: told.map((each) => doubtOf(each, attempts.get(placeOf(each)))),
    total: found.length,
    runsLeft: left.size,
    readAt,
  };
}

async function findDoubts(
  deps: DoubtDeps,
  signal?: AbortSignal,
): Promise<{ readonly found: readonly Found[]; readonly readAt: string }> {
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
  return { found: found.sort(byWaiting), readAt };
}

const placeOf = ({ state }: Pick<Found, "state">): string => `${state.runId} ${state.nodeId}`;

function kindOf({ activity }: RunRow, { status, activeAttemptId }: NodeState): Doubt["kind"] | null {
  if (status === "UNKNOWN") return "unknown";
  return status === "RUNNING" && activeAttemptId !== null && activity !== "LIVE" ? "orphan" : null;
}

/** The last attempt of each, by its place. */
async function lastAttempts(
  { reads }: DoubtDeps,
  found: readonly Found[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Attempt>> {
  const wanted = found.map(({ state: { runId, nodeId, latestAttemptNo: attemptNo } }) => ({
    runId,
    nodeId,
    attemptNo,
  }));
  const attempts = await reads.listAttemptsByNumber(wanted, signal);
  return new Map(attempts.map((each) => [`${each.runId} ${each.nodeId}`, each]));
}

const sinceOf = ({ state, kind }: Found): string | null =>
  kind === "unknown" ? (state.finishedAt ?? state.updatedAt) : state.startedAt;

function doubtOf(found: Found, attempt: Attempt | undefined): Doubt {
  const { run, state, kind } = found;
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
    since: sinceOf(found),
  };
}

const rank = ({ kind }: Found): number => (kind === "unknown" ? 0 : 1);

function byWaiting(left: Found, right: Found): number {
  if (rank(left) !== rank(right)) return rank(left) - rank(right);
  const [a, b] = [left, right].map((each) => `${sinceOf(each)} ${each.run.runId}`);
  if (a === undefined || b === undefined) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Where an attempt stands, among those in doubt. Error: `RECORD_NOT_FOUND`. */
export async function locateAttempt(
  deps: DoubtDeps,
  attemptId: string,
  signal?: AbortSignal,
): Promise<Result<{ readonly runId: string; readonly nodeId: string }>> {
  const { found } = await findDoubts(deps, signal);
  const attempts = await lastAttempts(deps, found, signal);
  const place = found.find(
    (each) => (attempts.get(placeOf(each))?.attemptId ?? each.state.activeAttemptId) === attemptId,
  );
  return place === undefined
    ? fail(notFound("attemptId", attemptId))
    : ok({ runId: place.run.runId, nodeId: place.state.nodeId });
}
