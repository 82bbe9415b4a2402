import type { ProfileSnapshot, Run } from "./model.ts";
import type { Problem } from "./problem.ts";

/** One setting of the runner's profile that is not what the Run was made with. */
export interface ProfileDifference {
  readonly field: string;
  readonly stored: string;
  readonly now: string;
  /** The same SQL would read or write something else: a Run must not go on with it. */
  readonly blocking: boolean;
}

const shown = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value));

/**
 * What differs between the profile a Run was made with and the one of today, field by field (orchestration §2.1 R7,
 * W-18). kSQL-FlowNet 1.0.0 refuses over any difference and names none; limits are told here and do not stop a
 * resume: the Run goes on under those it was made with.
 */
export function profileDifferences(
  stored: ProfileSnapshot,
  now: ProfileSnapshot,
): readonly ProfileDifference[] {
  const differences: ProfileDifference[] = [];
  const compare = (field: string, before: unknown, after: unknown, blocking: boolean): void => {
    if (shown(before) === shown(after)) return;
    differences.push({ field, stored: shown(before), now: shown(after), blocking });
  };
  // Where the job reads and writes, and which day it means by a day.
  for (const field of ["profile", "baseUrl", "guestSpaceId", "timezone"] as const) {
    compare(field, stored[field], now[field], true);
  }
  for (const name of namesOf(stored.apps, now.apps)) {
    compare(`apps.${name}`, stored.apps[name], now.apps[name], true);
  }
  for (const name of ["maxApiCalls", "maxReadRows", "batchTimeoutSec"] as const) {
    compare(`limits.${name}`, stored.limits[name], now.limits[name], false);
  }
  return differences;
}

const namesOf = (...maps: readonly object[]): readonly string[] =>
  [...new Set(maps.flatMap((map) => Object.keys(map)))].sort();

/** One difference as a person reads it. */
export const differenceText = ({ field, stored, now }: ProfileDifference): string =>
  `${field} ${stored} -> ${now}`;

/** `PROFILE_SNAPSHOT_MISMATCH` when a difference changes what the SQL means, else null; all of them in `details.differences`. */
export function profileProblem(
  run: Pick<Run, "profileSnapshot">,
  differences: readonly ProfileDifference[],
): Problem | null {
  const blocking = differences.filter((difference) => difference.blocking);
  if (blocking.length === 0) return null;
  return {
    code: "PROFILE_SNAPSHOT_MISMATCH",
    message: `The profile is not the one the Run was made with: ${blocking.map(differenceText).join("; ")}. Nothing was started.`,
    place: `profile ${run.profileSnapshot.profile}`,
    remedy: "Restore the profile, or start a Run under a correction key and close this one.",
    details: { differences },
  };
}
