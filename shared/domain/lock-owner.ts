import { instantOf } from "./datetime.ts";

/** What the system of this host says of the lock owner's PID. */
export type OwnerProcess =
  | { readonly kind: "gone" }
  | { readonly kind: "exists"; readonly processStart: string | null }
  | { readonly kind: "unreadable" };

/** What this host's journal says of the process that took the lock for this Invocation. */
export type JournalOwner =
  /** No line, or one of another PID. */
  | { readonly kind: "none" }
  /** The line's process still runs: PID and creation time are equal. */
  | { readonly kind: "alive" }
  /** It ended; the PID is free. */
  | { readonly kind: "gone" }
  /** It ended; the PID belongs to a process created at another time, or the host was started anew since. */
  | { readonly kind: "another" }
  | { readonly kind: "unreadable" };

export interface LockOwnerFacts {
  readonly sameHost: boolean;
  /** The lock names its owner as a PID of a host. */
  readonly namesPid: boolean;
  /** Start of the lock, as stored: its seconds may have been cut. */
  readonly lockStartedAt: string;
  readonly process: OwnerProcess;
  readonly journal: JournalOwner;
}

export type LockOwnerVerdict =
  | { readonly kind: "alive"; readonly by: "journal" | "creation-time" }
  | { readonly kind: "another"; readonly by: "journal" | "creation-time" }
  | { readonly kind: "gone"; readonly by: "journal" | "pid" }
  | {
      readonly kind: "cannot-tell";
      readonly by: "other-host" | "no-pid" | "unreadable" | "no-creation-time";
    };

/** Start of the lock plus what its minute may have cut: a process created later cannot have taken it (decisions §3). */
export const LOCK_START_ALLOWANCE_MS = 60_000;

/**
 * Whether the owner of a Network lock lives (decisions §3). Only on its own host can anything be known; the journal's
 * creation time decides where it is present; otherwise a missing PID is gone, a process created later than the lock's
 * start and a minute is another one that was given the PID, an older one is the owner. Every doubt is `cannot-tell`,
 * which refuses as `alive` does.
 */
export function lockOwnerVerdict(facts: LockOwnerFacts): LockOwnerVerdict {
  if (!facts.namesPid) return { kind: "cannot-tell", by: "no-pid" };
  if (!facts.sameHost) return { kind: "cannot-tell", by: "other-host" };
  const { journal } = facts;
  if (journal.kind === "alive" || journal.kind === "another" || journal.kind === "gone") {
    return { kind: journal.kind, by: "journal" };
  }
  const holder = facts.process;
  if (holder.kind === "gone") return { kind: "gone", by: "pid" };
  if (holder.kind === "unreadable") return { kind: "cannot-tell", by: "unreadable" };
  const created = instantOf(holder.processStart);
  const started = instantOf(facts.lockStartedAt);
  if (created === null || started === null) return { kind: "cannot-tell", by: "no-creation-time" };
  const kind = created > started + LOCK_START_ALLOWANCE_MS ? "another" : "alive";
  return { kind, by: "creation-time" };
}
