import { recordKeys } from "../../../../shared/domain/keys.ts";
import { lockCodec, stateQueries } from "../../../../shared/records/index.ts";
import { getRecords, type KintoneTransport, type Sleep, write } from "../../../kintone-client/index.ts";
import type { Clock } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import { elapsedSince, type Stamp, stampNow } from "./lease.ts";

export interface StrayDeps {
  readonly transport: KintoneTransport;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly apps: AppIds;
}

/** One INSERT as it was sent: a token of its own tells which of them landed (fenced-writes R6). */
export interface InsertCopy {
  readonly token: string;
  readonly stamp: Stamp;
}

export interface StrayWatch {
  readonly lockKey: string;
  readonly recordKey: string;
  /** Copies whose answer never came. */
  readonly copies: readonly InsertCopy[];
  readonly timeoutMs: number;
}

const LOOKS = 6;

/**
 * Keeps looking until one time-out after the last copy left for a lock that a lost INSERT copy of ours may still create, and releases it
 * (fenced-writes R6): nobody else knows its token, so nobody else could. Never throws; what cannot be done is
 * left to the lock screen.
 */
export async function watchForStrays(deps: StrayDeps, watch: StrayWatch): Promise<void> {
  const { transport, clock, sleep, apps } = deps;
  const tokens = watch.copies.map(({ token }) => token);
  const options = { timeoutMs: watch.timeoutMs };

  async function releaseStray(): Promise<boolean> {
    const answer = await transport.send(getRecords(apps.state, stateQueries.byKey(watch.recordKey)), options);
    const [raw] = answer.kind === "ok" ? answer.value : [];
    const lock = raw === undefined ? null : lockCodec.decode(raw);
    if (!lock?.ok || lock.value.status !== "RUNNING") return false;
    const { ref, leaseToken, revision } = lock.value;
    if (leaseToken === null || !tokens.includes(leaseToken)) return false;
    const record = lockCodec.encodeRelease({
      recordKey: recordKeys.lockTombstone(watch.lockKey, leaseToken),
      status: "FAILED",
      statusReason: "LOCK_UNAVAILABLE",
      finishedAt: new Date(clock.nowMs()).toISOString(),
      revision: revision + 1,
    });
    const entry = { id: ref.recordId, revision: ref.revision, record };
    const released = await transport.send(write({ kind: "updateRecord", app: apps.state, entry }), options);
    return released.kind === "ok" && tokens.length === 1;
  }

  for (;;) {
    if (await releaseStray()) return;
    const now = stampNow(clock);
    if (watch.copies.every(({ stamp }) => elapsedSince(stamp, now) >= watch.timeoutMs)) return;
    await sleep(Math.max(1, watch.timeoutMs / LOOKS));
  }
}
