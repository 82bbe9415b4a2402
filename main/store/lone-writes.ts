import type { Hold, NetworkLock, OperationAudit, RecordRef, Stored } from "../../shared/domain/model.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import type { ParsedRequest } from "../../shared/domain/request.ts";

/**
 * Writes that need no Network lock: holds, requests, the forced release of a lock and an audit that was left out. Each is
 * fenced by the revision of its own record (fenced-writes section 3, last lines). A lost answer is settled by reading
 * before anything is said about it.
 */

/** What became of one record written outside any lock. */
export type LoneWrite =
  | { readonly kind: "applied"; readonly ref: RecordRef }
  /** Somebody else changed the record, or holds the key: read again, judge again. Nothing of ours was written. */
  | { readonly kind: "conflict"; readonly problem: Problem }
  /** Refused for another reason; nothing was written. */
  | { readonly kind: "refused"; readonly problem: Problem }
  /** Whether it was written could not be learnt; nothing may rest on either. */
  | { readonly kind: "unsettled"; readonly problem: Problem };

export interface HoldWrites {
  /** The one hold of a Run (`CANCEL:<run id>`). A key taken meanwhile is a conflict. */
  insertHold(hold: Hold, signal?: AbortSignal): Promise<LoneWrite>;
  updateHold(ref: RecordRef, next: Hold, signal?: AbortSignal): Promise<LoneWrite>;
}

export interface ForcedRelease {
  /** As it was read when the stop was confirmed; its revision is the fence. */
  readonly lock: Stored<NetworkLock>;
  /** ISO-8601 UTC. */
  readonly releasedAt: string;
  /** Null releases without an audit: the two-step form after `audit-refused`, confirmed by a person. */
  readonly audit: OperationAudit | null;
}

export type ForcedReleaseOutcome =
  | { readonly kind: "released"; readonly ref: RecordRef; readonly audit: "RECORDED" | "PENDING" }
  /** The lock moved: `REVISION_CONFLICT`. */
  | { readonly kind: "conflict"; readonly problem: Problem }
  /** The audit was refused and with it the release: nothing changed (fenced-writes R7), `AUDIT_FAILED`. */
  | { readonly kind: "audit-refused"; readonly problem: Problem }
  | { readonly kind: "refused"; readonly problem: Problem }
  /** `RELEASE_UNCONFIRMED`. */
  | { readonly kind: "unconfirmed"; readonly problem: Problem };

export interface LockAdministration {
  /** Tombstone and audit in one request; a taken tombstone key gets the one with the `$id` (fenced-writes R6). */
  forceRelease(release: ForcedRelease, signal?: AbortSignal): Promise<ForcedReleaseOutcome>;
  /**
   * Adds one audit event that an earlier operation could not store (decisions section 3). One of the same event id and
   * the same facts is `applied`; one with other facts is a conflict (`AUDIT_CONFLICT`).
   */
  insertAudit(audit: OperationAudit, signal?: AbortSignal): Promise<LoneWrite>;
  findAudit(eventId: string, signal?: AbortSignal): Promise<Stored<OperationAudit> | null>;
}

/** How a request ends, as its columns tell it (wire-format section 1.3). */
export interface RequestEnding {
  readonly state: "DONE" | "REJECTED" | "CANCELLED";
  readonly resultCode: string;
  readonly resultMessage: string;
}

/** What a person asks for from the console or command line (wire-format section 1.3). */
export interface RequestWish {
  readonly type: "RERUN" | "STOP" | "RELEASE" | "START" | "CLOSE";
  readonly runId: string | null;
  readonly networkId: string | null;
  readonly businessKey: string | null;
  readonly scheduledFor: string | null;
  readonly rerunFromNode: string | null;
  readonly reason: string;
}

/** The request app (wire-format section 1.3, orchestration section 7). Reads throw as those of `FlowReads`. */
export interface RequestStore {
  /**
   * REQUESTED and ACCEPTED, oldest first by creation and `$id` (orchestration section 7.1, W-10). One request; a second
   * one only when `limit` is reached, for the REQUESTED among what did not fit.
   */
  listOpen(limit: number, signal?: AbortSignal): Promise<readonly ParsedRequest[]>;
  /** The newest requests of any state, by `$id` descending, for the screen; from `beforeId` on. */
  listRecent(
    page: { readonly limit: number; readonly beforeId: string | null },
    signal?: AbortSignal,
  ): Promise<readonly ParsedRequest[]>;
  read(id: string, signal?: AbortSignal): Promise<ParsedRequest | null>;
  insertRequest(wish: RequestWish, signal?: AbortSignal): Promise<LoneWrite>;
  claim(
    ref: RecordRef,
    claim: { readonly host: string; readonly at: string },
    signal?: AbortSignal,
  ): Promise<LoneWrite>;
  beat(ref: RecordRef, at: string, signal?: AbortSignal): Promise<LoneWrite>;
  end(ref: RecordRef, ending: RequestEnding, signal?: AbortSignal): Promise<LoneWrite>;
  /** The requester's tick, honoured only before the claim (orchestration section 7.3). */
  tickCancel(ref: RecordRef, signal?: AbortSignal): Promise<LoneWrite>;
}
