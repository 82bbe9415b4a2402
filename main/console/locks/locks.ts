import type { LockDetail, LockHolder, LockList, LockRow } from "../../../shared/api/index.ts";
import { type LockPicture, marginEnd } from "../../../shared/domain/attention-lock.ts";
import { isStaleCandidate } from "../../../shared/domain/lease.ts";
import { ownerInstanceIdOf, parseOwnerInstance } from "../../../shared/domain/owner-instance.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { FlowReads, RunGraph } from "../../store/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import { problemOf } from "../live-model-readings.ts";
import type { KnownNetwork, LockDirectory } from "./directory.ts";
import { type ProbeDeps, probeHolder } from "./probes.ts";

export interface LocksDeps extends ProbeDeps {
  readonly reads: Pick<FlowReads, "listHeldLocks" | "readRunGraph" | "findJobLog">;
  readonly live: Pick<LiveModel, "rows">;
  readonly directory: LockDirectory;
  readonly profile: string;
  readonly host: string;
}

export interface Locks {
  /** Every known network with its lock, as last read. Throws the `FlowError` of a first reading that failed. */
  list(signal?: AbortSignal): Promise<LockList>;
  /** One holder, read and probed now. Error: `LOCK_NOT_HELD`. Throws `FlowError`. */
  detail(recordId: string, signal?: AbortSignal): Promise<Result<LockDetail>>;
}

/** The lock screen's facts (operator-ux §1.1, lock list; §2.3 steps 1 and 2). Reads only. */
export function createLocks(deps: LocksDeps): Locks {
  const row = (picture: LockPicture): LockRow => ({
    networkId: picture.networkId,
    profile: picture.lock.profile,
    holder: holderOf(picture, deps.host, deps.nowMs()),
  });
  return {
    async list(signal) {
      const { readAt } = await deps.live.rows(signal);
      const held = ((await deps.directory.pictures(signal)) ?? []).map(row);
      const free = deps.directory
        .networks()
        .filter((network) => !held.some((lock) => isOver(lock, network)))
        .map(({ profile, networkId }): LockRow => ({ profile, networkId, holder: null }));
      const answeredAt = new Date(deps.nowMs()).toISOString();
      return { locks: [...held, ...free].sort(byNeed), readAt, answeredAt };
    },
    async detail(recordId, signal) {
      const lock = (await deps.reads.listHeldLocks(signal)).find((each) => each.ref.recordId === recordId);
      if (lock === undefined) return fail(notHeld(recordId));
      const picture = await deps.directory.pictureOf(lock, signal);
      const holder = holderOf(picture, deps.host, deps.nowMs());
      const graph = await graphOf(picture.runId, deps, signal);
      const attempts = graph.value?.attempts.filter(({ status }) => status === "RUNNING") ?? [];
      return ok({
        lock: { ...row(picture), holder },
        currentNodes: runningNodes(graph.value),
        nodesProblem: graph.problem,
        ...(await probeHolder(holder, attempts, deps, signal)),
        readAt: new Date(deps.nowMs()).toISOString(),
      });
    },
  };
}

const isOver = (lock: LockRow, network: KnownNetwork): boolean =>
  lock.networkId === network.networkId && lock.profile === network.profile;

const rank = ({ holder }: LockRow): number => (holder === null ? 2 : holder.staleCandidate ? 0 : 1);

function byNeed(left: LockRow, right: LockRow): number {
  const difference = rank(left) - rank(right);
  if (difference !== 0) return difference;
  // By code point: identifiers have no language (operator-ux §5.1).
  const [a, b] = [left.networkId ?? "", right.networkId ?? ""];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A held lock as its screen tells it, without its token. `now` in epoch milliseconds. */
export function holderOf({ lock, runId, businessKey }: LockPicture, host: string, now: number): LockHolder {
  const ownerInstanceId = ownerInstanceIdOf(lock.statusReason);
  const owner = parseOwnerInstance(ownerInstanceId);
  const local = owner.kind === "local-pid" ? owner : null;
  return {
    recordId: lock.ref.recordId,
    ownerInvocationId: lock.ownerInvocationId,
    ownerInstanceId: ownerInstanceId === "" ? null : ownerInstanceId,
    host: local?.host ?? null,
    pid: local?.pid ?? null,
    thisHost: local !== null && local.host === host,
    startedAt: lock.startedAt,
    heartbeatAt: lock.heartbeatAt,
    leaseExpiresAt: lock.leaseExpiresAt,
    marginEndsAt: marginEnd(lock.leaseExpiresAt),
    staleCandidate: isStaleCandidate(lock.leaseExpiresAt, now),
    revision: lock.ref.revision,
    runId,
    businessKey,
  };
}

async function graphOf(
  runId: string | null,
  { reads }: LocksDeps,
  signal?: AbortSignal,
): Promise<{ readonly value: RunGraph | null; readonly problem: Problem | null }> {
  if (runId === null) return { value: null, problem: null };
  try {
    return { value: await reads.readRunGraph(runId, signal), problem: null };
  } catch (cause) {
    // The holder's facts are worth telling without its nodes.
    return { value: null, problem: problemOf(cause) };
  }
}

const runningNodes = (graph: RunGraph | null): LockDetail["currentNodes"] =>
  graph?.states
    .filter((state) => state.status === "RUNNING")
    .map(({ nodeId, latestAttemptNo, startedAt }) => ({ nodeId, attemptNo: latestAttemptNo, startedAt })) ??
  [];

const notHeld = (recordId: string): Problem => ({
  code: "LOCK_NOT_HELD",
  message: `The lock record ${recordId} holds no lock any more: it was released.`,
  place: "recordId",
  remedy: "Look at the list of locks; nothing has to be done about this one.",
});
