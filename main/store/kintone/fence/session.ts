import type { Sleep } from "../../../kintone-client/index.ts";
import type { Change, Clock, LockSession, ReleaseAs, WriteOutcome } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import { planParts } from "../changes/plan.ts";
import type { FenceGateway } from "./gateway.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { type AcquiredLock, createHolder, NO_CHANGES } from "./holder.ts";
import { createSerialQueue } from "./queue.ts";
import { createWriter, type PartOutcome, type PlacedRef } from "./writer.ts";

/** Pause before the next beat after one that was not applied, in milliseconds. */
const BEAT_RETRY_MS = 2_000;

export interface SessionDeps {
  readonly gateway: FenceGateway;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly apps: AppIds;
  /** The holder's limit for one request, in milliseconds (fenced-writes §1). */
  readonly requestTimeoutMs: number;
}

/** Refs in the order of the caller's changes, whatever order they were sent in. */
const inOrder = (placed: readonly PlacedRef[]): WriteOutcome => ({
  kind: "applied",
  refs: placed.toSorted((a, b) => a.change - b.change).map(({ ref }) => ref),
});

function withParts(outcome: Exclude<PartOutcome, { readonly kind: "applied" }>, parts: number): WriteOutcome {
  if (parts === 0) return outcome;
  const { problem } = outcome;
  return { ...outcome, problem: { ...problem, details: { ...problem.details, partsApplied: parts } } };
}

/**
 * A held Network lock (fenced-writes §1, R1–R4, R7, R9). Every request carries the lock record with the
 * revision that is held, so it renews the lease and proves the fence at once; all of them go through one
 * queue. Beats run from here on until release or `dispose`. `write` throws a `FlowError` only for a change
 * set that must not be sent at all (`REVISION_SERIES_INVERTED`, `INVALID_STATE_TRANSITION`).
 */
export function createLockSession(deps: SessionDeps, acquired: AcquiredLock): LockSession {
  const { clock } = deps;
  const closing = new AbortController();
  const queue = createSerialQueue();
  const holder = createHolder(clock, deps.apps, acquired);
  const writer = createWriter({ ...deps, holder, closing: closing.signal });
  let beatNotBeforeMs = 0;

  async function writeAll(
    changes: readonly Change[],
    release: ReleaseAs | null,
    signal?: AbortSignal,
  ): Promise<WriteOutcome> {
    const parts = changes.length === 0 ? [NO_CHANGES] : planParts(changes, deps.apps);
    const task = { limitMs: acquired.leaseMs, ...(signal && { signal }) };
    const placed: PlacedRef[] = [];
    for (const [index, part] of parts.entries()) {
      const last = index === parts.length - 1;
      const outcome = await writer.write(part, last ? release : null, task);
      if (outcome.kind !== "applied") return withParts(outcome, index);
      placed.push(...outcome.placed);
    }
    return inOrder(placed);
  }

  async function beatOnce(signal?: AbortSignal): Promise<WriteOutcome> {
    const task = { limitMs: deps.requestTimeoutMs, ...(signal && { signal }) };
    const outcome = await writer.write(NO_CHANGES, null, task);
    const pause = outcome.kind === "applied" ? 0 : Math.min(BEAT_RETRY_MS, acquired.heartbeatMs);
    beatNotBeforeMs = clock.monotonicMs() + pause;
    return outcome.kind === "applied" ? inOrder(outcome.placed) : outcome;
  }

  const heartbeat = startHeartbeat({
    sleep: deps.sleep,
    dueInMs: () =>
      Math.max(holder.renewedAtMs() + acquired.heartbeatMs, beatNotBeforeMs) - clock.monotonicMs(),
    busy: queue.busy,
    idle: queue.settled,
    async beat() {
      if (holder.closed() !== null) return false;
      await queue.run(() => beatOnce());
      return holder.closed() === null;
    },
    onDefect: holder.uncertain,
  });

  return {
    lockKey: acquired.held.lockKey,
    ownerInvocationId: acquired.ownerInvocationId,
    startedAt: acquired.startedAt,
    state: holder.state,
    interrupted: holder.interrupted,
    remainingLeaseMs: holder.remainingLeaseMs,
    write: (changes, options = {}) =>
      queue.run(() => writeAll(changes, options.release ?? null, options.signal)),
    beat: (signal) => queue.run(() => beatOnce(signal)),
    release: (as, signal) => queue.run(() => writeAll([], as, signal)),
    async dispose() {
      closing.abort();
      await heartbeat.stop();
      await queue.settled();
    },
  };
}
