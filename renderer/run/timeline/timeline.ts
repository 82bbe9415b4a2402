import type { AttemptFacts } from "../../../shared/api/index.ts";

const MINUTE = 60_000;

/** A stretch of time in epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A bar of the timeline. Record times are kept to the minute (wire-format §5): `whole` is when it can have been at most,
 * `certain` when it must have been; nothing between them is invented. `certain` is null within one minute.
 */
export interface Bar {
  readonly attemptId: string;
  readonly nodeId: string;
  readonly attemptNo: number;
  readonly status: AttemptFacts["status"];
  readonly latest: boolean;
  readonly whole: Span;
  readonly certain: Span | null;
  readonly running: boolean;
  /** Measured by the runner, seconds with fractions; null when it was not. */
  readonly durationSec: number | null;
}

/** The bar of an attempt; null without a start marker, which is to say nothing ever ran. `now` in epoch ms. Pure. */
export function barOf(attempt: AttemptFacts, latest: boolean, now: number): Bar | null {
  const start = attempt.executionStartedAt === null ? Number.NaN : Date.parse(attempt.executionStartedAt);
  if (Number.isNaN(start)) return null;
  const running = attempt.status === "RUNNING";
  const finished = attempt.finishedAt === null ? Number.NaN : Date.parse(attempt.finishedAt);
  // A marker of the minute that is still going on must not reach into the future.
  const end = running ? Math.max(now, start) : Number.isNaN(finished) ? start : Math.max(finished, start);
  const whole = { from: start, to: running ? end : end + MINUTE };
  const sure = { from: start + MINUTE, to: end };
  return {
    attemptId: attempt.attemptId,
    nodeId: attempt.nodeId,
    attemptNo: attempt.attemptNo,
    status: attempt.status,
    latest,
    whole,
    certain: sure.to > sure.from ? sure : null,
    running,
    durationSec: attempt.durationSec,
  };
}

/**
 * Every attempt's bar, nodes in the order they were first tried, attempts of a node one below the other; the order is
 * that of the records and attempt numbers, not of the times. Pure.
 */
export function barsOf(attempts: readonly AttemptFacts[], now: number): readonly Bar[] {
  const ordered = [...attempts].sort((left, right) => Number(left.recordId) - Number(right.recordId));
  const byNode = new Map<string, AttemptFacts[]>();
  for (const attempt of ordered) {
    const own = byNode.get(attempt.nodeId);
    if (own === undefined) byNode.set(attempt.nodeId, [attempt]);
    else own.push(attempt);
  }
  const bars: Bar[] = [];
  for (const own of byNode.values()) {
    own.sort((left, right) => left.attemptNo - right.attemptNo);
    for (const attempt of own) {
      const bar = barOf(attempt, attempt === own.at(-1), now);
      if (bar !== null) bars.push(bar);
    }
  }
  return bars;
}

/** A stretch in which something ran, and where it lies on the collapsed axis, in milliseconds from its beginning. */
export interface Stretch extends Span {
  readonly offset: number;
}
export interface Axis {
  readonly stretches: readonly Stretch[];
  /** Length of the whole axis; collapsed idle time counts with {@link GAP_SHARE} of what is busy. */
  readonly length: number;
  readonly gap: number;
}

/** Idle time longer than this is collapsed. */
export const IDLE_MS = 5 * MINUTE;
/** Width of one collapsed stretch, as a share of all busy time. */
const GAP_SHARE = 0.03;

/** The axis under the bars: busy stretches at scale, long idle ones as narrow breaks. Pure. */
export function axisOf(bars: readonly Bar[], collapse: boolean): Axis {
  const spans = bars.map((bar) => bar.whole).sort((left, right) => left.from - right.from);
  const merged: { from: number; to: number }[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    const apart = last === undefined || span.from - last.to > (collapse ? IDLE_MS : Number.POSITIVE_INFINITY);
    if (apart) merged.push({ ...span });
    else last.to = Math.max(last.to, span.to);
  }
  const busy = merged.reduce((sum, { from, to }) => sum + to - from, 0);
  const gap = busy * GAP_SHARE;
  let offset = 0;
  const stretches = merged.map((span) => {
    const stretch = { ...span, offset };
    offset += span.to - span.from + gap;
    return stretch;
  });
  return { stretches, length: Math.max(1, offset - gap), gap };
}

/** Where an instant lies on the axis, from 0 to 1. An instant within collapsed idle time lies at its break. Pure. */
export function positionOf(axis: Axis, instant: number): number {
  let at = 0;
  for (const { from, to, offset } of axis.stretches) {
    if (instant < from) break;
    at = offset + Math.min(instant, to) - from;
  }
  return Math.max(0, Math.min(1, at / axis.length));
}

export interface Tick {
  readonly at: number;
  readonly position: number;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1440, 10_080, 43_200].map(
  (minutes) => minutes * MINUTE,
);

/** Marks of the axis: whole steps, about `wanted` of them, the beginning of every stretch among them. Pure. */
export function ticksOf(axis: Axis, wanted: number): readonly Tick[] {
  const step = STEPS.find((each) => axis.length / each <= wanted) ?? STEPS.at(-1) ?? MINUTE;
  const room = axis.length / (wanted * 1.6);
  const ticks: Tick[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { from, to, offset } of axis.stretches) {
    for (let at = from; at <= to; at = Math.floor(at / step) * step + step) {
      const place = offset + at - from;
      // The beginning of a stretch takes the place of a whole step too near before it.
      if (place - last < room && at !== from) continue;
      if (place - last < room) ticks.pop();
      last = place;
      ticks.push({ at, position: place / axis.length });
    }
  }
  return ticks;
}
