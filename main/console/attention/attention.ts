import type { AttentionPicture } from "../../../shared/api/index.ts";
import { nextLeaseEnd } from "../../../shared/domain/attention-list.ts";
import type { Clock, FlowReads } from "../../store/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { LockDirectory } from "../locks/directory.ts";
import type { Notes } from "../notes/index.ts";
import { createLatest } from "./latest.ts";
import { emptyPicture, type PictureParts, pictureOf, type RequestsReading, sameNews } from "./picture.ts";
import { createRunRecords } from "./run-records.ts";
import { createSchedules } from "./schedules.ts";

export interface AttentionDeps {
  readonly live: Pick<LiveModel, "known" | "freshnessOf" | "watch" | "look">;
  readonly locks: LockDirectory;
  readonly readRunGraph: FlowReads["readRunGraph"];
  readonly profile: string;
  /** The embedded workspace has no request budget. */
  readonly embedded: boolean;
  /** How many times less may be read than usual, from 1 (operator-ux U2). */
  readonly slowdown: () => number;
  readonly schedulesFile: () => string;
  readonly requests: () => RequestsReading;
  /** When this host's children were last looked for. */
  readonly processes: () => Promise<NonNullable<PictureParts["processes"]>>;
  /** Who took which item on. */
  readonly notes: Pick<Notes, "mark" | "onMark">;
  readonly clock: Clock;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Attention {
  /** The picture after the first judgement. Rejects with the signal's reason. */
  current(signal?: AbortSignal): Promise<AttentionPicture>;
  watch(signal: AbortSignal, writable: () => Promise<void>): AsyncGenerator<AttentionPicture, void, void>;
  dispose(): Promise<void>;
}

/** This reader's name among those who look: it shows nothing, so no reading is made for its sake. */
const VIEWER = "attention";
const GAP_MS = 250;
/** Due times pass without any news; they are looked at this often. Milliseconds. */
const CLOCK_MS = 30_000;

const pace = (embedded: boolean) =>
  embedded
    ? { perRound: 50, most: 1000, refreshMs: 30_000, goOnMs: GAP_MS }
    : { perRound: 5, most: 60, refreshMs: 15 * 60_000, goOnMs: 10_000 };

/**
 * The list of what needs somebody, judged anew whenever the live picture moves, a lease passes its margin or a due time
 * comes (architecture §2, attention list). It follows the readings of others and adds only the records of Runs that
 * need them.
 */
export function createAttention(deps: AttentionDeps): Attention {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const limits = pace(deps.embedded);
  const latest = createLatest<AttentionPicture>(emptyPicture(deps.clock.nowMs()), { ...deps, gapMs: GAP_MS });
  const first = Promise.withResolvers<void>();
  const records = createRunRecords({
    readRunGraph: deps.readRunGraph,
    nowMs: () => deps.clock.nowMs(),
    perRound: () => Math.max(1, Math.floor(limits.perRound / deps.slowdown())),
    most: limits.most,
    refreshMs: limits.refreshMs,
  });
  const followed = createSchedules();
  let news = new AbortController();

  const judge = async (): Promise<number> => {
    const state = deps.live.freshnessOf("state");
    const rows = deps.live.known();
    const answering = state !== null && state.origin === "read" && state.problem === null;
    const [read, locks, schedules, processes] = await Promise.all([
      records.round(rows, signal, answering),
      deps.locks.pictures(signal),
      followed.read(deps.schedulesFile()),
      deps.processes(),
    ]);
    const now = deps.clock.nowMs();
    const requests = deps.requests();
    const jobLog = deps.live.freshnessOf("jobLog");
    const parts = { profile: deps.profile, rows, read, locks, schedules, requests, state, jobLog, processes };
    const picture = await deps.notes.mark(pictureOf(parts, now));
    if (!sameNews(latest.get(), picture)) latest.set(picture);
    if (state !== null && (state.readAt !== null || state.problem !== null)) first.resolve();
    const lease = nextLeaseEnd(locks ?? [], now);
    const goOn = read.pending > 0 && answering && read.problem === null ? limits.goOnMs : CLOCK_MS;
    return Math.min(goOn, lease === null ? CLOCK_MS : Math.max(0, lease - now));
  };
  const follow = async (): Promise<void> => {
    deps.live.look({ viewerId: VIEWER, visible: false, sources: [], runId: null });
    for await (const _ of deps.live.watch(signal, async () => undefined, VIEWER)) news.abort();
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      news = new AbortController();
      const pauseMs = await judge();
      await deps.wait(pauseMs, AbortSignal.any([signal, news.signal]));
    }
  };
  const unwatch = deps.notes.onMark(() => news.abort());
  const running = Promise.all([follow(), work()]);
  return {
    async current(asked) {
      await untilOrAborted(first.promise, asked === undefined ? signal : AbortSignal.any([signal, asked]));
      return latest.get();
    },
    watch: (asked, writable) => latest.watch(AbortSignal.any([asked, signal]), writable),
    async dispose() {
      lifetime.abort();
      unwatch();
      await running;
    },
  };
}

/** Waits for the fact or the signal, whichever is first; throws the signal's reason. */
async function untilOrAborted(fact: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([fact, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
