import { LOG_LEVELS, type LogLevel } from "./line.ts";

export interface HeldLine {
  readonly level: LogLevel;
  readonly text: string;
}

/**
 * What stays of lines that wait, oldest first, when no more than `limit` may: the least important go, of those the
 * oldest (electron-desktop G2, full disk). Pure.
 */
export function mostImportant(lines: readonly HeldLine[], limit: number): readonly HeldLine[] {
  let kept = lines;
  for (const least of LOG_LEVELS) {
    let surplus = kept.length - limit;
    if (surplus <= 0) break;
    kept = kept.filter(({ level }) => {
      const goes = level === least && surplus > 0;
      if (goes) surplus -= 1;
      return !goes;
    });
  }
  return kept;
}
