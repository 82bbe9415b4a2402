import type { Problem } from "../../../../shared/domain/problem.ts";
import type { Clock, LockState, ReleaseAs, WriteOutcome } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import type { Part } from "../changes/plan.ts";
import { buildChangeSet, type ChangeSet, type HeldRecord } from "./change-set.ts";
import { type Lease, leaseLeft, leaseReadBack, stampNow } from "./lease.ts";
import { fenceLostProblem, releasedProblem, unsettledProblem } from "./problems.ts";
import type { FenceLoss, LockRecordView } from "./settle.ts";

/** A change set of nothing: a beat, or a lone release. */
export const NO_CHANGES: Part = { subRequests: [], changes: [] };

/** A lock that was just acquired. */
export interface AcquiredLock {
  readonly held: HeldRecord;
  readonly lease: Lease;
  readonly ownerInvocationId: string;
  readonly startedAt: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

type Failed = Extract<WriteOutcome, { readonly kind: "fence-lost" | "unsettled" }>;

/**
 * What the holder knows, in memory only (fenced-writes R4): the revision it holds, the lease it can prove,
 * and every change set sent with that revision that is not settled (R1).
 */
export interface Holder {
  held(): HeldRecord;
  state(): LockState;
  /** True once the lease was uncertain, whatever was proven later (orchestration §3.4). */
  interrupted(): boolean;
  remainingLeaseMs(): number;
  /** When the lease was last renewed, on the monotonic clock. */
  renewedAtMs(): number;
  /** Unsettled change sets of the revision that is held. */
  sent(): readonly ChangeSet[];
  /** A change set on the revision that is held now. */
  prepare(part: Part, release: ReleaseAs | null): ChangeSet;
  remember(set: ChangeSet): void;
  /** The lock went one revision further; everything sent with the old one is settled. */
  advance(view: LockRecordView | null, by: ChangeSet | null): void;
  released(): void;
  uncertain(): void;
  lose(why: FenceLoss): Failed;
  unsettled(set: ChangeSet | null, detail?: string): Failed;
  /** The outcome of any further write, when there can be none. */
  closed(): Failed | null;
}

/** The holder of an acquired lock. */
export function createHolder(clock: Clock, apps: AppIds, acquired: AcquiredLock): Holder {
  const { leaseMs } = acquired;
  const { lockKey } = acquired.held;
  let { held, lease } = acquired;
  let state: LockState = "HELD";
  let loss: Problem | null = null;
  let sent: readonly ChangeSet[] = [];
  let lastId = 0;
  let interrupted = false;

  const remainingLeaseMs = (): number => (state === "HELD" ? leaseLeft(lease, stampNow(clock)) : 0);

  function remember(set: ChangeSet): void {
    if (!sent.includes(set)) sent = [...sent, set];
  }

  function becomeUncertain(): void {
    interrupted = true;
    if (state === "HELD") state = "LEASE_UNCERTAIN";
  }

  function equalRelease(part: Part, release: ReleaseAs): ChangeSet | undefined {
    return sent.find(
      (set) =>
        set.part === part &&
        set.release?.status === release.status &&
        set.release.resultCode === release.resultCode,
    );
  }

  return {
    held: () => held,
    // A lease that has run out is no lease, whatever the last answer was.
    state: () => (state === "HELD" && remainingLeaseMs() === 0 ? "LEASE_UNCERTAIN" : state),
    interrupted: () => interrupted,
    remainingLeaseMs,
    renewedAtMs: () => lease.stamp.monotonicMs,
    sent: () => sent,
    prepare(part, release) {
      // A second, equal release could not be told from the first: the first is sent again.
      const again = release === null ? undefined : equalRelease(part, release);
      if (again !== undefined) return again;
      lastId += 1;
      return buildChangeSet(lastId, held, { part, release, stamp: stampNow(clock), leaseMs, apps });
    },
    remember,
    advance(view, by) {
      sent = [];
      held = {
        ...held,
        revision: held.revision + 1,
        businessRevision: view?.businessRevision ?? held.businessRevision + 1,
      };
      const basis = by !== null && by.release === null ? by.lease : lease;
      lease = view === null ? basis : leaseReadBack(basis, view.leaseExpiresAt);
      state = "HELD";
    },
    released() {
      state = "RELEASED";
    },
    uncertain: becomeUncertain,
    lose(why) {
      loss = fenceLostProblem(why, lockKey);
      sent = [];
      state = "FENCE_LOST";
      return { kind: "fence-lost", problem: loss };
    },
    unsettled(set, detail) {
      if (set !== null) remember(set);
      becomeUncertain();
      return { kind: "unsettled", problem: unsettledProblem(lockKey, detail) };
    },
    closed() {
      if (state === "RELEASED") return { kind: "fence-lost", problem: releasedProblem(lockKey) };
      return loss === null ? null : { kind: "fence-lost", problem: loss };
    },
  };
}
