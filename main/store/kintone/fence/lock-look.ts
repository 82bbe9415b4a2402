import type { NetworkLock, Stored } from "../../../../shared/domain/model.ts";
import type { Problem } from "../../../../shared/domain/problem.ts";
import { lockCodec, stateQueries } from "../../../../shared/records/index.ts";
import {
  getRecords,
  type ReadDeps,
  refusalProblem,
  type SendOptions,
  sendRead,
  unknownProblem,
} from "../../../kintone-client/index.ts";
import type { InsertCopy } from "./after-look.ts";

/** What stands under the lock's key. */
export type Look =
  | { readonly kind: "free" }
  | { readonly kind: "mine"; readonly lock: Stored<NetworkLock>; readonly copy: InsertCopy }
  | { readonly kind: "other"; readonly lock: Stored<NetworkLock> }
  | { readonly kind: "unclear"; readonly problem: Problem };

/** `LOCK_UNAVAILABLE` with its reason (wire-format §4.3). */
export const lockUnavailable = (message: string, cause?: Problem): Problem => ({
  code: "LOCK_UNAVAILABLE",
  message: `The Network lock could not be taken: ${message}`,
  remedy: "Look at the lock and at the connection to kintone, then start again.",
  ...(cause?.details === undefined ? {} : { details: cause.details }),
});

/** `LOCK_CONFLICT` with the holder, never its token (wire-format §4.5). */
export const lockConflict = (lock: Stored<NetworkLock>): Problem => ({
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

/**
 * Reads the lock's key after a copy was refused or lost: RUNNING with my owner and a token of mine is mine
 * (wire-format §4.4, fenced-writes R6).
 */
export async function lookAtLock(
  deps: ReadDeps,
  asked: {
    readonly stateApp: number;
    readonly recordKey: string;
    readonly ownerInvocationId: string;
    readonly copies: readonly InsertCopy[];
  },
  options: SendOptions,
): Promise<Look> {
  const query = getRecords(asked.stateApp, stateQueries.byKey(asked.recordKey));
  const answer = await sendRead(deps, query, options);
  if (answer.kind !== "ok") {
    const cause =
      answer.kind === "refused" ? refusalProblem(answer, "read it") : unknownProblem(answer, "read it");
    const message = `its record could not be read. ${cause.message}`;
    return { kind: "unclear", problem: lockUnavailable(message, cause) };
  }
  const [raw, ...more] = answer.value;
  if (raw === undefined) return { kind: "free" };
  const lock = lockCodec.decode(raw);
  if (!lock.ok || more.length > 0 || lock.value.status !== "RUNNING") {
    return { kind: "unclear", problem: lockUnavailable("a record that is no held lock has its key.") };
  }
  const copy = asked.copies.find(({ token }) => token === lock.value.leaseToken);
  const mine = copy !== undefined && lock.value.ownerInvocationId === asked.ownerInvocationId;
  return mine ? { kind: "mine", lock: lock.value, copy } : { kind: "other", lock: lock.value };
}
