/**
 * Rows one stretch of a list holds: browsers cap the height of an element at some ten million pixels, so a longer log
 * is walked stretch by stretch.
 */
export const STRETCH_LINES = 500_000;

/** The lines of a log that one list shows. */
export interface Stretch {
  readonly first: number;
  readonly count: number;
  readonly number: number;
  readonly of: number;
}

/** The stretch with a line in it. Pure. */
export function stretchOf(line: number, total: number): Stretch {
  const of = Math.max(1, Math.ceil(total / STRETCH_LINES));
  const number = Math.min(of - 1, Math.max(0, Math.floor(line / STRETCH_LINES)));
  const first = number * STRETCH_LINES;
  return { first, count: Math.min(STRETCH_LINES, total - first), number, of };
}

/** The line in sight, and where a selection that reaches to it began. */
export interface Selection {
  readonly line: number;
  readonly anchor: number;
}

/** Lines from an anchor to a line, in order. Pure. */
export const between = (anchor: number, line: number): readonly [number, number] =>
  anchor < line ? [anchor, line] : [line, anchor];
