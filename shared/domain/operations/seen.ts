import { sha256Hex } from "../hash.ts";
import type { RecordRef } from "../model.ts";
import { fail, ok, type Result } from "../problem.ts";

/**
 * Which records a decision was shown on: a name for people ("run", "node load", "lock") to the record's `$id` and
 * `$revision`, or null for one that did not exist. It travels with the plan and comes back with the confirmation.
 */
export type SeenRecords = Readonly<Record<string, RecordRef | null>>;

/** What has no record and no revision, such as a file, as something seen: named by its SHA-256. */
export const contentRef = (sha256: string): RecordRef => ({ recordId: sha256, revision: 1 });

/** One text for what was seen; equal texts mean equal records at equal revisions (orchestration part 9, "fingerprint"). */
export function fingerprintOf(seen: SeenRecords): string {
  const lines = Object.entries(seen)
    .map(([name, ref]) => `${name} ${ref === null ? "none" : `${ref.recordId}@${ref.revision}`}`)
    .sort();
  return sha256Hex(lines.join("\n")).slice(0, 16);
}

/** What became of one record since it was shown. */
export interface MovedRecord {
  readonly name: string;
  readonly before: RecordRef | null;
  readonly now: RecordRef | null;
}

const same = (a: RecordRef | null, b: RecordRef | null): boolean =>
  a?.recordId === b?.recordId && a?.revision === b?.revision;

/**
 * Whether the world still is what the person saw. `before` null: nothing was shown, and nothing is compared. Code
 * `PLAN_STALE`, what moved in `details.moved`.
 */
export function checkSeen(before: SeenRecords | null, now: SeenRecords): Result<null> {
  if (before === null) return ok(null);
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const moved = names.flatMap((name): readonly MovedRecord[] => {
    const [was, is] = [before[name] ?? null, now[name] ?? null];
    return same(was, is) ? [] : [{ name, before: was, now: is }];
  });
  if (moved.length === 0) return ok(null);
  return fail({
    code: "PLAN_STALE",
    message: `The records changed since they were shown: ${moved.map(({ name }) => name).join(", ")}. Nothing was done.`,
    remedy: "Look at the new picture and decide again.",
    details: { moved },
  });
}
