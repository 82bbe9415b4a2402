import type { Freshness } from "../../shared/api/index.ts";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { LiveHub } from "./live-model-hub.ts";
import type { Picture } from "./live-model-picture.ts";
import type { LiveModelDeps } from "./live-model-ports.ts";
import { nextDelayMs, plannedIntervalMs, type ScheduleFacts } from "./live-model-schedule.ts";

export interface ReadingsTarget {
  readonly picture: Picture;
  readonly hub: LiveHub;
  /** Runs this console executes now. */
  readonly own: ReadonlySet<string>;
}

/** How the readings of the state app went: what freshness and back-off are told by. */
interface Course {
  failures: number;
  readAt: string | null;
  problem: Problem | null;
}

/** The readings of the state app into the picture, for the poller to time. None of them throws. */
export function createReadings(deps: LiveModelDeps, { picture, hub, own }: ReadingsTarget) {
  const first = Promise.withResolvers<void>();
  let coming = Promise.withResolvers<void>();
  const course: Course = { failures: 0, readAt: null, problem: null };
  const facts = (): ScheduleFacts => ({
    embedded: deps.embedded,
    ownLive: own.size > 0,
    anyLive: picture.anyLive(),
    watchers: hub.watchers(),
    failures: course.failures,
  });
  const freshness = (): Freshness => ({
    source: "state",
    readAt: course.readAt,
    intervalMs: plannedIntervalMs(facts()),
    problem: course.problem,
  });
  return {
    /** Resolves after the first reading, successful or not. */
    first: first.promise,
    /** Resolves after the next reading that begins from now on, successful or not. */
    next: () => coming.promise,
    freshness,
    delayMs: () => nextDelayMs(facts(), deps.random()),
    readAt: (wanted: { readonly fresh: boolean }) => readAtOf(course, wanted.fresh),
    async readAll(signal: AbortSignal): Promise<void> {
      const round = coming;
      coming = Promise.withResolvers();
      await readPicture(deps, picture, course, signal);
      first.resolve();
      round.resolve();
      hub.push((queue) => queue.freshness(freshness()));
    },
    readOne: (runId: string, signal: AbortSignal) =>
      readRun(deps, picture, { runId, ended: !own.has(runId), signal }),
  };
}

/** The time of the last good reading; throws its problem when there is none, or a fresh one was wanted and failed. */
function readAtOf({ readAt, problem }: Course, fresh: boolean): string {
  if (readAt === null || (fresh && problem !== null)) {
    throw new FlowError(problem ?? problemOf("the state app was not read yet"));
  }
  return readAt;
}

async function readPicture(
  deps: LiveModelDeps,
  picture: Picture,
  course: Course,
  signal: AbortSignal,
): Promise<void> {
  try {
    const rows = await deps.reader.readAll(signal);
    course.failures = 0;
    course.problem = null;
    course.readAt = new Date(deps.clock.nowMs()).toISOString();
    picture.acceptAll(rows);
  } catch (cause) {
    course.failures += 1;
    course.problem = problemOf(cause);
  }
}

/** False when the Run could not be read: the whole picture is read instead, and tells of the failure if it lasts. */
async function readRun(
  deps: LiveModelDeps,
  picture: Picture,
  wanted: { readonly runId: string; readonly ended: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    const row = await deps.reader.readOne(wanted.runId, wanted.signal);
    if (row !== null) picture.accept(row);
    return true;
  } catch {
    return false;
  } finally {
    if (wanted.ended) picture.settle(wanted.runId);
  }
}

function problemOf(cause: unknown): Problem {
  if (cause instanceof FlowError) return cause.problem;
  return { code: "STATE_READ_FAILED", message: cause instanceof Error ? cause.message : String(cause) };
}
