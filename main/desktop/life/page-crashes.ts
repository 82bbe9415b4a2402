const WINDOW_MS = 5 * 60_000;
const LIMIT = 3;

export interface CrashStep {
  /** Times of the crashes that still count, epoch milliseconds. */
  readonly crashes: readonly number[];
  readonly next: "reload" | "safe-page";
}

/** What follows a crash of the page (electron-desktop L9): the same view again, at the third within 5 minutes the safe page. */
export function afterCrash(crashes: readonly number[], nowMs: number): CrashStep {
  const recent = [...crashes.filter((at) => nowMs - at < WINDOW_MS), nowMs];
  return { crashes: recent, next: recent.length >= LIMIT ? "safe-page" : "reload" };
}
