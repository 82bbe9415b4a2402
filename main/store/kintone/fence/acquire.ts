import { networkLockKey, ownerStatusReason } from "../../../../shared/domain/index.ts";
import { recordKeys } from "../../../../shared/domain/keys.ts";
import type { NetworkLock } from "../../../../shared/domain/model.ts";
import { FlowError, type Problem } from "../../../../shared/domain/problem.ts";
import { LOCK_UNIQUE_FIELDS, lockCodec } from "../../../../shared/records/index.ts";
import {
  duplicateField,
  FIRST_REVISION,
  isBusy,
  type KintoneTransport,
  READ_RETRY,
  type Refusal,
  refusalProblem,
  retryDelay,
  type Sleep,
  unknownProblem,
  write,
} from "../../../kintone-client/index.ts";
import type { AcquireInput, AcquireOutcome, Clock, Ids, LockSession } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import { type InsertCopy, watchForStrays } from "./after-look.ts";
import { createFenceGateway } from "./gateway.ts";
import type { AcquiredLock } from "./holder.ts";
import { leaseFrom, leaseReadBack, stampNow } from "./lease.ts";
import { type Look, lockConflict, lockUnavailable, lookAtLock } from "./lock-look.ts";
import { createLockSession } from "./session.ts";

/** Insert copies sent before giving up (fenced-writes R6). */
const COPIES_MAX = 3;
/** Longest a holder waits for one answer, in milliseconds (fenced-writes §1). */
const HOLDER_TIMEOUT_MS = 30_000;

export interface AcquireDeps {
  readonly transport: KintoneTransport;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sleep: Sleep;
  readonly apps: AppIds;
  /** Takes over work that outlives the call; the store waits for it when it is disposed. */
  readonly background: (work: Promise<void>) => void;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function requireKey(key: ReturnType<typeof networkLockKey>): string {
  if (key.ok) return key.value;
  throw new FlowError(key.error);
}

/** The request limit of a holder: at most a third of its lease (fenced-writes §1). */
const holderTimeoutMs = (leaseMs: number): number => Math.min(HOLDER_TIMEOUT_MS, Math.floor(leaseMs / 3));

function lockRecord(
  keys: { readonly lockKey: string; readonly recordKey: string },
  input: AcquireInput,
  { token, stamp }: InsertCopy,
): NetworkLock {
  return {
    ...keys,
    profile: input.profile,
    ownerInvocationId: input.ownerInvocationId,
    leaseToken: token,
    startedAt: iso(stamp.wallMs),
    heartbeatAt: iso(stamp.wallMs),
    leaseExpiresAt: iso(stamp.wallMs + input.leaseMs),
    finishedAt: null,
    status: "RUNNING",
    statusReason: ownerStatusReason(input.ownerInstanceId),
    revision: 1,
  };
}

/** A copy that was lost may land once the lock is free again; it is looked for then as well. */
function watchedAfterEnd(session: LockSession, watch: () => void): LockSession {
  let watched = false;
  return {
    ...session,
    async dispose() {
      await session.dispose();
      if (!watched) watch();
      watched = true;
    },
  };
}

/** Where the record of a lock that is mine stands. */
interface Landed {
  readonly recordId: string;
  readonly revision: number;
  readonly businessRevision: number;
  /** Set when it was read back. */
  readonly leaseExpiresAt: string | null;
}

/** One acquisition: its keys, its copies, and what is still out. */
function createAcquisition(deps: AcquireDeps, input: AcquireInput, signal?: AbortSignal) {
  const { transport, clock, ids, sleep, apps } = deps;
  const lockKey = requireKey(networkLockKey(input.profile, input.networkId));
  const recordKey = requireKey(recordKeys.lockHeld(lockKey));
  const timeoutMs = holderTimeoutMs(input.leaseMs);
  const options = { timeoutMs, ...(signal && { signal }) };
  /** Copies whose answer never came: each may land at any time. */
  let doubtful: readonly InsertCopy[] = [];
  /** What the last copy without an answer met with. */
  let unanswered: Problem | null = null;

  function look(): Promise<Look> {
    const { ownerInvocationId } = input;
    const asked = { stateApp: apps.state, recordKey, ownerInvocationId, copies: doubtful };
    return lookAtLock({ transport, sleep }, asked, options);
  }

  function watch(): void {
    if (doubtful.length === 0) return;
    const strays = { lockKey, recordKey, copies: doubtful, timeoutMs };
    deps.background(watchForStrays({ transport, clock, sleep, apps }, strays));
  }

  function open(copy: InsertCopy, landed: Landed): AcquireOutcome {
    const { recordId, revision, businessRevision, leaseExpiresAt } = landed;
    const lease = leaseFrom(copy.stamp, input.leaseMs);
    const acquired: AcquiredLock = {
      held: { recordId, revision, businessRevision, lockKey, token: copy.token },
      lease: leaseExpiresAt === null ? lease : leaseReadBack(lease, leaseExpiresAt),
      ownerInvocationId: input.ownerInvocationId,
      startedAt: iso(copy.stamp.wallMs),
      leaseMs: input.leaseMs,
      heartbeatMs: input.heartbeatMs,
    };
    const gateway = createFenceGateway({ transport, stateApp: apps.state, timeoutMs });
    const session = createLockSession({ gateway, clock, sleep, apps, requestTimeoutMs: timeoutMs }, acquired);
    doubtful = doubtful.filter(({ token }) => token !== copy.token);
    return { kind: "acquired", session: watchedAfterEnd(session, watch) };
  }

  function giveUp(problem: Problem): AcquireOutcome {
    watch();
    return { kind: "unavailable", problem };
  }

  /** Null: the key is free, another copy may be sent. */
  function settle(seen: Look): AcquireOutcome | null {
    if (seen.kind === "free") return null;
    if (seen.kind === "unclear") return giveUp(seen.problem);
    const { ref, revision, leaseExpiresAt } = seen.lock;
    if (seen.kind === "mine") return open(seen.copy, { ...ref, businessRevision: revision, leaseExpiresAt });
    watch();
    return { kind: "conflict", problem: lockConflict(seen.lock), holder: seen.lock };
  }

  async function refused(refusal: Refusal): Promise<AcquireOutcome | null> {
    if (isBusy(refusal)) return null;
    // A key that was taken a moment ago may be free again; any other refusal will come again.
    if (duplicateField(refusal, LOCK_UNIQUE_FIELDS) !== null) return settle(await look());
    const seen = doubtful.length === 0 ? null : settle(await look());
    return seen ?? giveUp(lockUnavailable(refusalProblem(refusal, "take the lock").message));
  }

  return {
    /** Sends one copy. Null: it did not land, another may be sent. */
    async attempt(): Promise<AcquireOutcome | null> {
      const copy: InsertCopy = { token: ids.uuid(), stamp: stampNow(clock) };
      const record = lockCodec.encode(lockRecord({ lockKey, recordKey }, input, copy));
      const answer = await transport.send(write({ kind: "addRecord", app: apps.state, record }), options);
      if (answer.kind === "refused") return refused(answer);
      if (answer.kind === "ok") {
        const [ref] = answer.value.refs;
        const at = { recordId: ref?.recordId ?? "", revision: ref?.revision ?? FIRST_REVISION };
        return open(copy, { ...at, businessRevision: 1, leaseExpiresAt: null });
      }
      unanswered = unknownProblem(answer, "take the lock");
      if (answer.neverLeft !== true) doubtful = [...doubtful, copy];
      return settle(await look());
    },
    /** Every copy was sent, and none landed. */
    exhausted: (): AcquireOutcome =>
      giveUp(
        unanswered === null
          ? lockUnavailable("kintone was busy every time.")
          : lockUnavailable(`no copy of the request was carried out. ${unanswered.message}`, unanswered),
      ),
  };
}

/**
 * Takes a Network lock by inserting its record (wire-format §4.5, fenced-writes R6). An expired lock is a
 * conflict like any other. Throws the key's `FlowError` for identifiers no lock key can be made from.
 */
export async function acquireLock(
  deps: AcquireDeps,
  input: AcquireInput,
  signal?: AbortSignal,
): Promise<AcquireOutcome> {
  const acquisition = createAcquisition(deps, input, signal);
  for (let number = 1; number <= COPIES_MAX && !signal?.aborted; number += 1) {
    if (number > 1) await deps.sleep(retryDelay(READ_RETRY, number), signal);
    const outcome = await acquisition.attempt();
    if (outcome !== null) return outcome;
  }
  return acquisition.exhausted();
}
