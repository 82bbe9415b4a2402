import type { Verification } from "../documents/results-schema.ts";

/** What a verification has found so far; its parts write here. */
export interface Findings {
  readonly checked: (what: string) => void;
  readonly differs: (place: string, message: string) => void;
  readonly notChecked: (what: string, why: string) => void;
  readonly isClean: () => boolean;
  readonly report: () => Pick<Verification, "checked" | "differences" | "notChecked">;
}

/** Collects findings; a place with a difference is told once for each thing that is wrong with it. */
export function createFindings(): Findings {
  const checked: string[] = [];
  const differences: { place: string; message: string }[] = [];
  const notChecked: { what: string; why: string }[] = [];
  return {
    checked: (what) => checked.push(what),
    differs: (place, message) => differences.push({ place, message }),
    notChecked: (what, why) => notChecked.push({ what, why }),
    isClean: () => differences.length === 0,
    report: () => ({ checked, differences, notChecked }),
  };
}
