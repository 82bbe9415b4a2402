import type { Problem } from "../../../../shared/domain/problem.ts";
import type { FenceLoss } from "./settle.ts";

const LOSSES: Readonly<Record<FenceLoss, { readonly code: string; readonly message: string }>> = {
  gone: { code: "LOCK_UNAVAILABLE", message: "The record of the Network lock no longer exists." },
  token: {
    code: "LEASE_TOKEN_MISMATCH",
    message: "The Network lock carries another lease token: somebody else holds it.",
  },
  revision: {
    code: "LEASE_REVISION_MISMATCH",
    message: "The Network lock was changed by somebody else more than once since the last write.",
  },
  released: {
    code: "LEASE_TOKEN_MISMATCH",
    message: "The Network lock was released by somebody else.",
  },
};

/** A lost fence as a Problem; codes of wire-format §4.5. */
export const fenceLostProblem = (why: FenceLoss, lockKey: string): Problem => ({
  code: LOSSES[why].code,
  message: `${LOSSES[why].message} This process writes nothing more to the network.`,
  place: lockKey,
  remedy: "Look at the lock and the Run; resume the Run once nobody holds the lock.",
  details: { why },
});

/** A write after the lock was given back by this process. */
export const releasedProblem = (lockKey: string): Problem => ({
  code: "LEASE_TOKEN_MISMATCH",
  message: "This process has already released the Network lock. Nothing was written.",
  place: lockKey,
  details: { why: "released" },
});

/** A write whose fate was not learnt in time (fenced-writes R1, R4). */
export const unsettledProblem = (lockKey: string, detail?: string): Problem => ({
  code: "LEASE_UNCERTAIN",
  message: `Whether the last write reached kintone could not be learnt${detail === undefined ? "" : `: ${detail}`}. Nothing may rest on it.`,
  place: lockKey,
  remedy: "Restore the connection to kintone; the write is settled by the next one that gets through.",
});

/** A stale revision (wire-format §4.3). */
export const revisionConflict = (what: string): Problem => ({
  code: "REVISION_CONFLICT",
  message: `${what} was changed by somebody else since it was read. Nothing was written.`,
  remedy: "Read it again and decide again.",
});

/** A unique key that is taken (wire-format §4.3, §4.4). */
export const duplicateRecord = (what: string, field: string, attempt: boolean): Problem => ({
  code: attempt ? "ATTEMPT_NUMBER_CONFLICT" : "DUPLICATE_RECORD",
  message: `${what} exists already: its ${field} is taken. Nothing was written.`,
  remedy: "Read the existing record and decide again.",
  details: { field },
});
