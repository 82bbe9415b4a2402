import type { Freshness, RunRow } from "../../shared/api/index.ts";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { LiveHub } from "./live-model-hub.ts";
import type { Picture } from "./live-model-picture.ts";
import type { LiveModelDeps } from "./live-model-ports.ts";
import { isGap, nextDelayMs, plannedIntervalMs, type ScheduleFacts } from "./live-model-schedule.ts";
import type { KeptPicture } from "./picture-file.ts";

export interface ReadingsTarget {
  readonly picture: Picture;
  readonly hub: LiveHub;
  /** Runs this console executes now. */
  readonly own: ReadonlySet<string>;
  /** Who looks, and how much of the day's requests is used. */
  readonly demand: () => Pick<ScheduleFacts, "looked" | "liveRun" | "used">;
  /** Something was read well; the picture may be kept. */
  readonly wasRead: (readAt: string) => void;
}

/** How the readings of the state app went: what freshness and back-off are told by. */
interface Course {
  failures: number;
  readAt: string | null;
  /** The same on the monotonic clock; null for what was kept. */
  readMs: number | null;
  origin: Freshness["origin"];
  problem: Problem | null;
  /** Of the last whole reading, monotonic; null before the first. */
  wholeMs: number | null;
}

/** A whole reading this often finds what vanished, and what a kintone's clock far off ours hid. Milliseconds. */
const WHOLE_EVERY_MS = 6 * 3_600_000;

/** The readings of the state app into the picture, for the poller to time. None of them throws. */
export function createReadings(deps: LiveModelDeps, target: ReadingsTarget) {
  const { picture, hub, own, demand } = target;
  const first = Promise.withResolvers<void>();
  let coming = Promise.withResolvers<void>();
  let wholeWanted = true;
  const wantWhole = (): void => {
    wholeWanted = true;
  };
  const course: Course = {
    failures: 0,
    readAt: null,
    readMs: null,
    origin: "read",
    problem: null,
    wholeMs: null,
  };
  const facts = (): ScheduleFacts => ({
    embedded: deps.embedded,
    ownLive: own.size > 0,
    failures: course.failures,
    ...demand(),
  });
  const freshness = (): Freshness => ({
    source: "state",
    readAt: datedNow(course, deps),
    origin: course.origin,
    intervalMs: plannedIntervalMs(facts()),
    problem: course.problem,
  });
  // An answer older than what is known is dropped as history, and may be the first sign of a database put back from
  // its backup: everything is read to know.
  const accept = (row: RunRow): boolean => {
    const taken = picture.accept(row);
    if (!taken) wantWhole();
    return taken;
  };
  const whole = (): boolean => wholeWanted || wholeIsDue(course, deps, plannedIntervalMs(facts()));
  return {
    /** Resolves after the first reading, successful or not, or when a kept picture is there. */
    first: first.promise,
    /** Resolves after the next reading that begins from now on, successful or not. */
    next: () => coming.promise,
    /** The next reading is of everything. */
    wantWhole,
    freshness,
    delayMs: () => nextDelayMs(facts(), deps.random()),
    readAt: (wanted: { readonly fresh: boolean }) => readAtOf(course, wanted.fresh),
    /** Shows what was kept from before the start, unless something was read meanwhile (electron-desktop N8). */
    show(kept: KeptPicture): void {
      if (course.readAt !== null) return;
      course.readAt = kept.readAt;
      course.origin = "kept";
      for (const row of kept.rows) picture.accept(row);
      first.resolve();
      hub.push((queue) => queue.freshness(freshness()));
    },
    async readAll(signal: AbortSignal): Promise<void> {
      const round = coming;
      coming = Promise.withResolvers();
      const all = whole();
      const rows = await readRows(deps, course, all, signal);
      if (rows !== null) {
        wholeWanted = false;
        if (all) picture.acceptAll(rows);
        else for (const row of rows) accept(row);
        if (course.readAt !== null) target.wasRead(course.readAt);
      }
      first.resolve();
      round.resolve();
      hub.push((queue) => queue.freshness(freshness()));
    },
    readOne: (runId: string, signal: AbortSignal) =>
      readRun(deps, { ...picture, accept }, { runId, ended: !own.has(runId), signal }),
  };
}

/** Below it two clocks may differ without having been set; milliseconds. */
const SET_BACK_MS = 1_000;

/**
 * The time of the last good reading, on the clock as it stands now: one that was set back meanwhile must not make a
 * picture younger, and with it open what a stale one closes (operator-ux §1.1).
 */
function datedNow({ readAt, readMs }: Course, { clock }: LiveModelDeps): string | null {
  if (readAt === null || readMs === null) return readAt;
  const atMs = clock.nowMs() - (clock.monotonicMs() - readMs);
  return Date.parse(readAt) - atMs > SET_BACK_MS ? new Date(atMs).toISOString() : readAt;
}

/** After a gap, and now and then, everything is read: changes alone cannot tell what is missing (operator-ux U7). */
function wholeIsDue(course: Course, deps: LiveModelDeps, intervalMs: number): boolean {
  if (course.wholeMs === null || course.readAt === null) return true;
  if (deps.clock.monotonicMs() - course.wholeMs > WHOLE_EVERY_MS) return true;
  return isGap(deps.clock.nowMs() - Date.parse(course.readAt), intervalMs);
}

/** The time of the last good reading; throws its problem when there is none, or a fresh one was wanted and failed. */
function readAtOf({ readAt, problem }: Course, fresh: boolean): string {
  if (readAt === null || (fresh && problem !== null)) {
    throw new FlowError(problem ?? problemOf("the state app was not read yet"));
  }
  return readAt;
}

async function readRows(
  deps: LiveModelDeps,
  course: Course,
  whole: boolean,
  signal: AbortSignal,
): Promise<readonly RunRow[] | null> {
  try {
    const rows = await (whole ? deps.reader.readAll(signal) : deps.reader.readChanges(signal));
    if (whole) course.wholeMs = deps.clock.monotonicMs();
    course.failures = 0;
    course.problem = null;
    course.origin = "read";
    course.readAt = new Date(deps.clock.nowMs()).toISOString();
    course.readMs = deps.clock.monotonicMs();
    return rows;
  } catch (cause) {
    course.failures += 1;
    course.problem = problemOf(cause);
    return null;
  }
}

/** False when the Run could not be read, or is older than known: the picture is read instead, and tells what lasts. */
async function readRun(
  deps: LiveModelDeps,
  picture: Picture,
  wanted: { readonly runId: string; readonly ended: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const row = await deps.reader.readOne(wanted.runId, wanted.signal);
    return row === null || picture.accept(row);
  } catch {
    return false;
  } finally {
    if (wanted.ended) picture.settle(wanted.runId);
  }
}

/** The problem of a reading that threw. */
export function problemOf(cause: unknown): Problem {
  if (cause instanceof FlowError) return cause.problem;
  return { code: "STATE_READ_FAILED", message: cause instanceof Error ? cause.message : String(cause) };
}
