/** Successes that are looked back on (operator-ux §1.1, expected duration). */
export const LOOK_BACK = 20;
/** Fewer than this say nothing of what is usual. */
export const SUCCESSES_MIN = 5;
const MINUTE_MS = 60_000;

/** How long something usually takes. Whole minutes: records keep no seconds, and none are invented (wire-format §5). */
export interface ExpectedDuration {
  readonly medianMin: number;
  readonly p90Min: number;
  /** Successes it was learnt from. */
  readonly of: number;
}

/** Whole minutes from a record's start to its end; null without both, and for times that run backwards. Pure. */
export function minutesBetween(startedAt: string | null, finishedAt: string | null): number | null {
  if (startedAt === null || finishedAt === null) return null;
  const minutes = Math.floor((Date.parse(finishedAt) - Date.parse(startedAt)) / MINUTE_MS);
  return minutes >= 0 ? minutes : null;
}

/** The value below or at which a share of the sorted values lies: one that was measured, never one between two. */
const ranked = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

/**
 * What is usual after the last successes, in minutes each, newest first; beyond {@link LOOK_BACK} they are history.
 * Null when there are too few to tell (operator-ux §1.1, expected duration). Pure.
 */
export function expectedDuration(minutes: readonly number[]): ExpectedDuration | null {
  const last = minutes.slice(0, LOOK_BACK).sort((left, right) => left - right);
  if (last.length < SUCCESSES_MIN) return null;
  return { medianMin: ranked(last, 0.5), p90Min: ranked(last, 0.9), of: last.length };
}

/** A Run or a node as far as its duration is asked about. */
export interface Timed {
  readonly status: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** The minutes that successes took, in the given order; others and those without times are left out. Pure. */
export function successMinutes(timed: readonly Timed[]): readonly number[] {
  return timed
    .filter(({ status }) => status === "SUCCESS")
    .map(({ startedAt, finishedAt }) => minutesBetween(startedAt, finishedAt))
    .filter((minutes) => minutes !== null);
}

/**
 * How a duration stands to what is usual: `long` past the 90th percentile, `late` when the due time has passed as well
 * (operator-ux §1.1); without a due time nothing is late.
 */
export type Pace = "usual" | "long" | "late";

/**
 * The pace of a Run. What has not ended is measured up to `nowMs`; a minute counts when it is over. What never started
 * has none. `dueMs`: epoch milliseconds, null when nothing is expected of it. Pure.
 */
export function paceOf(
  run: Timed,
  expected: ExpectedDuration | null,
  dueMs: number | null,
  nowMs: number,
): Pace {
  if (expected === null || run.startedAt === null) return "usual";
  const end = run.finishedAt === null ? nowMs : Date.parse(run.finishedAt);
  const minutes = Math.floor((end - Date.parse(run.startedAt)) / MINUTE_MS);
  if (!(minutes > expected.p90Min)) return "usual";
  return dueMs !== null && end > dueMs ? "late" : "long";
}
