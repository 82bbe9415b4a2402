import type { RunDiff } from "./live.ts";
import { type RunRow, runRow } from "./runs.ts";

/**
 * A row after a diff; null when the diff says nothing usable. Order is by revision alone (operator-ux U4): an older
 * revision is dropped, an equal one applies, because activity changes without the record. The first diff of a Run
 * must be whole.
 */
export function mergeRun(known: RunRow | undefined, diff: RunDiff): RunRow | null {
  if (known !== undefined && diff.revision < known.revision) return null;
  const merged = runRow.safeParse({ ...known, ...diff.fields, revision: diff.revision });
  return merged.success ? merged.data : null;
}

/** Order of the list: newest record first, by `$id`, which no minute-precision time can upset. */
export function byNewest(left: { readonly recordId: string }, right: { readonly recordId: string }): number {
  return Number(right.recordId) - Number(left.recordId);
}
