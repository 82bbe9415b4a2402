import type { Liveness, ProcessIdentity } from "../ports.ts";

/** What the operating system said about the number of a process. */
export type ProcessReading =
  /** The system knows no such process, or knows that it has ended. */
  | { readonly kind: "absent" }
  /** It exists, but may not be looked at, or the system could not be asked. */
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "found"; readonly identity: ProcessIdentity };

/** How far the facts of this system can be trusted to stay what they were. */
export interface FactRules {
  /** Creation times are told relative to a boot time that moves with the system clock (Linux). */
  readonly clockStepsMoveTimes: boolean;
  /** A running process can become another program (`exec`); a differing image then proves nothing (POSIX). */
  readonly imageMayChange: boolean;
}

/**
 * Is the process of `expected` the one that was found (decisions §3, electron-desktop §4 C3)? Creation time
 * decides; the number alone never does, and what cannot be read is "cannot tell". Pure.
 */
export function livenessVerdict(
  expected: ProcessIdentity,
  reading: ProcessReading,
  rules: FactRules,
): Liveness {
  if (reading.kind === "absent") return { kind: "gone" };
  if (reading.kind === "unreadable") return cannotTell(reading.reason);
  const found = reading.identity;
  if (expected.processStart === null || found.processStart === null) {
    if (!rules.imageMayChange && imagesDiffer(expected.image, found.image))
      return { kind: "alive-another", found };
    return cannotTell("The process exists, but its creation time is not known.");
  }
  if (expected.processStart === found.processStart) return { kind: "alive-ours" };
  if (rules.clockStepsMoveTimes && mayDifferByClockStep(expected.processStart, found.processStart))
    return cannotTell("The creation times differ by whole seconds only: the system clock may have been set.");
  return { kind: "alive-another", found };
}

/** Windows compares paths without regard to case; an unknown image differs from nothing. */
function imagesDiffer(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && left.toLowerCase() !== right.toLowerCase();
}

/**
 * True when two creation times differ by whole seconds only. The boot time is told in whole seconds and moves
 * when the system clock is set, the ticks do not: such a pair may be one process seen before and after.
 */
export function mayDifferByClockStep(left: string, right: string): boolean {
  return left !== right && (Date.parse(left) - Date.parse(right)) % 1000 === 0;
}

function cannotTell(reason: string): Liveness {
  return { kind: "cannot-tell", reason };
}
