import { networkLockKey } from "../../../../shared/domain/index.ts";
import { recordKeys } from "../../../../shared/domain/keys.ts";
import type { NetworkLock, Stored } from "../../../../shared/domain/model.ts";
import { FlowError, type Problem } from "../../../../shared/domain/problem.ts";
import { lockCodec, stateQueries } from "../../../../shared/records/index.ts";
import {
  duplicateField,
  getRecords,
  isBusy,
  type KintoneTransport,
  READ_RETRY,
  type Refusal,
  refusalProblem,
  retryDelay,
  type Sleep,
  sendRead,
  write,
} from "../../../kintone-client/index.ts";
import type { AcquireInput, AcquireOutcome, Clock, Ids, LockSession } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import { type InsertCopy, watchForStrays } from "./after-look.ts";
import { createFenceGateway } from "./gateway.ts";
import type { AcquiredLock } from "./holder.ts";
import { leaseFrom, leaseReadBack, stampNow } from "./lease.ts";
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

type Look =
  | { readonly kind: "free" }
  | { readonly kind: "mine"; readonly lock: Stored<NetworkLock>; readonly copy: InsertCopy }
  | { readonly kind: "other"; readonly lock: Stored<NetworkLock> }
  | { readonly kind: "unclear"; readonly problem: Problem };

const unavailable = (message: string, details?: Problem["details"]): Problem => ({
  code: "LOCK_UNAVAILABLE",
  message: `The Network lock could not be taken: ${message}`,
  remedy: "Look at the lock and at the connection to kintone, then start again.",
  ...(details && { details }),
});

const conflict = (lock: Stored<NetworkLock>): Problem => ({
  code: "LOCK_CONFLICT",
  message: `The network is locked by ${lock.ownerInvocationId ?? "somebody"}. An expired lease is not taken over.`,
  place: `lock record ${lock.ref.recordId}`,
  remedy: "Wait for the holder to end; if it is proven dead, release the lock by force.",
  details: {
    recordId: lock.ref.recordId,
    ownerInvocationId: lock.ownerInvocationId,
    leaseExpiresAt: lock.leaseExpiresAt,
  },
});

const iso = (ms: number): string => new Date(ms).toISOString();

function requireKey(key: ReturnType<typeof networkLockKey>): string {
  if (key.ok) return key.value;
  throw new FlowError(key.error);
}

/** The request limit of a holder: at most a third of its lease (fenced-writes §1). */
export const holderTimeoutMs = (leaseMs: number): number =>
  Math.min(HOLDER_TIMEOUT_MS, Math.floor(leaseMs / 3));

/**
 * Takes a Network lock by inserting its record (wire-format §4.5, fenced-writes R6). An expired lock is a
 * conflict like any other. Throws the key's `FlowError` for identifiers no lock key can be made from.
 */
export async function acquireLock(
  deps: AcquireDeps,
  input: AcquireInput,
  signal?: AbortSignal,
): Promise<AcquireOutcome> {
  const { transport, clock, ids, sleep, apps } = deps;
  const lockKey = requireKey(networkLockKey(input.profile, input.networkId));
  const recordKey = requireKey(recordKeys.lockHeld(lockKey));
  const timeoutMs = holderTimeoutMs(input.leaseMs);
  const options = { timeoutMs, ...(signal && { signal }) };
  /** Copies whose answer never came: each may land at any time. */
  const doubtful: InsertCopy[] = [];

  const lockRecord = ({ token, stamp }: InsertCopy): NetworkLock => ({
    recordKey,
    lockKey,
    profile: input.profile,
    ownerInvocationId: input.ownerInvocationId,
    leaseToken: token,
    startedAt: iso(stamp.wallMs),
    heartbeatAt: iso(stamp.wallMs),
    leaseExpiresAt: iso(stamp.wallMs + input.leaseMs),
    finishedAt: null,
    status: "RUNNING",
    statusReason: `owner_instance_id=${input.ownerInstanceId}`,
    revision: 1,
  });

  async function look(): Promise<Look> {
    const query = getRecords(apps.state, stateQueries.byKey(recordKey));
    const answer = await sendRead({ transport, sleep }, query, options);
    if (answer.kind !== "ok")
      return { kind: "unclear", problem: unavailable("its record could not be read.") };
    const [raw, ...more] = answer.value;
    if (raw === undefined) return { kind: "free" };
    const lock = lockCodec.decode(raw);
    if (!lock.ok || more.length > 0 || lock.value.status !== "RUNNING") {
      return { kind: "unclear", problem: unavailable("a record that is no held lock has its key.") };
    }
    const copy = doubtful.find(({ token }) => token === lock.value.leaseToken);
    const mine = copy !== undefined && lock.value.ownerInvocationId === input.ownerInvocationId;
    return mine ? { kind: "mine", lock: lock.value, copy } : { kind: "other", lock: lock.value };
  }

  function watch(): void {
    if (doubtful.length === 0) return;
    const strays = { lockKey, recordKey, copies: [...doubtful], timeoutMs };
    deps.background(watchForStrays({ transport, clock, sleep, apps }, strays));
  }

  function open(
    recordId: string,
    revision: number,
    copy: InsertCopy,
    readExpiry: string | null,
  ): AcquireOutcome {
    const sentLease = leaseFrom(copy.stamp, input.leaseMs);
    const acquired: AcquiredLock = {
      held: { recordId, revision, businessRevision: 1, lockKey, token: copy.token },
      lease: readExpiry === null ? sentLease : leaseReadBack(sentLease, readExpiry),
      ownerInvocationId: input.ownerInvocationId,
      startedAt: iso(copy.stamp.wallMs),
      leaseMs: input.leaseMs,
      heartbeatMs: input.heartbeatMs,
    };
    const gateway = createFenceGateway({ transport, stateApp: apps.state, timeoutMs });
    const session = createLockSession({ gateway, clock, sleep, apps, requestTimeoutMs: timeoutMs }, acquired);
    const strays = doubtful.filter(({ token }) => token !== copy.token);
    doubtful.splice(0, doubtful.length, ...strays);
    return { kind: "acquired", session: watchedAfterEnd(session, watch) };
  }

  /** Null: the key is free, another copy may be sent. */
  function settle(seen: Look): AcquireOutcome | null {
    switch (seen.kind) {
      case "free":
        return null;
      case "mine":
        return open(seen.lock.ref.recordId, seen.lock.ref.revision, seen.copy, seen.lock.leaseExpiresAt);
      case "other":
        watch();
        return { kind: "conflict", problem: conflict(seen.lock), holder: seen.lock };
      case "unclear":
        watch();
        return { kind: "unavailable", problem: seen.problem };
    }
  }

  function giveUp(message: string): AcquireOutcome {
    watch();
    return { kind: "unavailable", problem: unavailable(message) };
  }

  async function refused(refusal: Refusal): Promise<AcquireOutcome | null> {
    if (isBusy(refusal)) return null;
    // A key that was taken a moment ago may be free again; any other refusal will come again.
    if (duplicateField(refusal, ["record_key", "lock_key"]) !== null) return settle(await look());
    const seen = doubtful.length === 0 ? null : settle(await look());
    return seen ?? giveUp(refusalProblem(refusal, "take the lock").message);
  }

  for (let number = 1; number <= COPIES_MAX && !signal?.aborted; number += 1) {
    if (number > 1) await sleep(retryDelay(READ_RETRY, number), signal);
    const copy: InsertCopy = { token: ids.uuid(), stamp: stampNow(clock) };
    const record = lockCodec.encode(lockRecord(copy));
    const answer = await transport.send(write({ kind: "addRecord", app: apps.state, record }), options);
    if (answer.kind === "ok") {
      const [ref] = answer.value.refs;
      return open(ref?.recordId ?? "", ref?.revision ?? 1, copy, null);
    }
    if (answer.kind === "unknown") doubtful.push(copy);
    const outcome = answer.kind === "unknown" ? settle(await look()) : await refused(answer);
    if (outcome !== null) return outcome;
  }
  return giveUp("no copy of the request was answered.");
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
