import type { JournalMode } from "../cases/model.ts";
import type { SideFiles } from "../documents/observation-schema.ts";

/** Where in its work a child stops: inside an open transaction, and after how much was committed. */
export interface StopPlace {
  readonly insideTransaction: boolean;
  readonly committedBefore: boolean;
}

/** Reads the place of a stop point out of the order of work itself. */
export function placeOfStop(steps: readonly string[], stop: string): StopPlace {
  const before = steps.slice(0, steps.indexOf(`@${stop}`));
  const opened = before.filter((step) => step === "BEGIN" || step === "BEGIN IMMEDIATE").length;
  const committed = before.filter((step) => step === "COMMIT").length;
  return { insideTransaction: opened > committed, committedBefore: committed > 0 };
}

/**
 * Did the child really end without closing its connection? A binding that rolls back in an exit hook would
 * remove these files and make the whole experiment say nothing (retry-boundaries §3, RB-A8). Answers what is
 * wrong, or null. In journal mode DELETE only an open transaction leaves a trace.
 */
export function missingEvidence(mode: JournalMode, place: StopPlace, files: SideFiles): string | null {
  if (mode === "delete") {
    if (!place.insideTransaction || files.journal !== null) return null;
    return "the rollback journal is gone: the connection was closed or rolled back";
  }
  if (files.wal === null || files.shm === null) {
    return "the write-ahead log or its index is gone: the last connection was closed in an orderly way";
  }
  if (place.committedBefore && files.wal === 0) return "the write-ahead log is empty after a commit";
  if (!place.committedBefore && files.wal > 0) return "the write-ahead log holds frames before any commit";
  return null;
}
