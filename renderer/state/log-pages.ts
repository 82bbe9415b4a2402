import type { LogLine } from "../../shared/api/index.ts";

/** Lines fetched together. */
export const PAGE_LINES = 200;
/** Lines kept at hand; those furthest from the newest page go first. */
const KEPT_LINES = 6_000;

/** Pages with a line of the stretch that is not at hand, within the lines that exist. Pure. */
export function pagesToRead(
  lines: ReadonlyMap<number, LogLine>,
  first: number,
  last: number,
  total: number,
): readonly number[] {
  const pages = new Set<number>();
  for (let line = Math.max(0, first); line <= Math.min(last, total - 1); line++) {
    if (!lines.has(line)) pages.add(Math.floor(line / PAGE_LINES));
  }
  return [...pages];
}

/** The lines at hand with those that came, and without the ones far from them once there are many. Pure. */
export function linesWith(
  known: ReadonlyMap<number, LogLine>,
  first: number,
  came: readonly LogLine[],
): ReadonlyMap<number, LogLine> {
  const lines = new Map(known);
  for (const [at, line] of came.entries()) lines.set(first + at, line);
  if (lines.size <= KEPT_LINES) return lines;
  const near = [...lines].filter(([at]) => Math.abs(at - first) <= KEPT_LINES / 2);
  return new Map(near);
}
