import type { AuditChain, AuditEntry, AuditFilter, AuditKind } from "../../../shared/api/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";

/** One entry with everything it rests on. */
export interface HistoryItem {
  readonly entry: AuditEntry;
  /** The record or line itself, for its fields. */
  readonly facts: unknown;
  readonly problem: Problem | null;
}

/** One step through a source: an entry that fits, that the source ended, or that it was not looked through yet. */
export type HistoryStep =
  | { readonly kind: "item"; readonly item: HistoryItem }
  | { readonly kind: "end" }
  | { readonly kind: "bound" };

/** A source of the history, newest first, read as it is walked. */
export interface HistoryWalk {
  /** The next entry without taking it. */
  peek(): Promise<HistoryStep>;
  take(): void;
  /** Where to go on behind what was taken or passed over; `0` when it ended. */
  place(): string | null;
  /** Entries looked at so far. */
  looked(): number;
}

/** How a source is walked. */
export interface WalkWish {
  readonly filter: AuditFilter;
  /** Where to begin: behind this place; null for the newest. */
  readonly before: string | null;
  /** Most entries looked at in one call (operator-ux U2). */
  readonly most: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HistorySource {
  walk(wish: WalkWish): HistoryWalk;
  /** One entry by its place in the source; null when there is none. */
  find(place: string, signal?: AbortSignal): Promise<HistoryItem | null>;
}

/** This console's own journal of actions. */
export interface JournalSource extends HistorySource {
  check(): Promise<Omit<AuditChain, "checkedAt">>;
}

/** Kinds that stand in this console's own journal alone. */
export const OWN_KINDS = ["action", "approver", "roles"] as const satisfies readonly AuditKind[];
