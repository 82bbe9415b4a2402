import type { Invocation, OperationAudit, Resolution, Stored } from "../../shared/domain/model.ts";
import type { Problem } from "../../shared/domain/problem.ts";

/** Which kinds of record a page of the history holds. */
export type AuditRecordKind = "operation" | "resolution" | "invocation";

/** Whose attempt a resolution decides; null where the attempt's record cannot be found or read. */
export interface ResolvedAttempt {
  readonly runId: string;
  readonly nodeId: string;
  readonly attemptNo: number;
}

/** One record of the audit app that tells who did what. */
export type AuditRecord =
  | { readonly kind: "operation"; readonly audit: Stored<OperationAudit> }
  | {
      readonly kind: "resolution";
      readonly resolution: Stored<Resolution>;
      readonly attempt: ResolvedAttempt | null;
    }
  | { readonly kind: "invocation"; readonly invocation: Stored<Invocation> }
  /** A record that no codec reads: it stays in its place of the list, with its problem. */
  | {
      readonly kind: "unreadable";
      readonly recordId: string;
      /** Null when not even that can be read. */
      readonly revision: number | null;
      readonly problem: Problem;
    };

export interface AuditPageWish {
  /** `$id` the page ends before; null for the newest. */
  readonly beforeId: string | null;
  readonly limit: number;
  readonly kinds: readonly AuditRecordKind[];
  /** Records of one Run only. A resolution is compared by its attempt. */
  readonly runId: string | null;
}

export interface AuditPage {
  /** By `$id` descending. */
  readonly records: readonly AuditRecord[];
  /** Where the next page ends before; null when this one reached the first record. */
  readonly next: string | null;
  /** Records looked at for this page, those of other Runs included. */
  readonly looked: number;
}

/** The history of what was done, read page by page and never whole (operator-ux §2.5). */
export interface AuditReads {
  /** One page, newest record first; one request, and a second one where resolutions stand on it. Throws like `FlowReads`. */
  listAudits(wish: AuditPageWish, signal?: AbortSignal): Promise<AuditPage>;
  /** One record by its `$id`; null when there is none that tells who did what. */
  readAudit(recordId: string, signal?: AbortSignal): Promise<AuditRecord | null>;
}
