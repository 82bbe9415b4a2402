/** Share of one processor in per cent, with one decimal below ten. Pure. */
export function percentText(share: number): string {
  const percent = share * 100;
  return percent < 10 ? percent.toFixed(1) : String(Math.round(percent));
}

/** Processor time in seconds, with one decimal below a hundred. Pure. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 100 ? seconds.toFixed(1) : String(Math.round(seconds));
}

/** The last part of a path of either system: what a program is called. Pure. */
export const baseName = (path: string | null): string | null => path?.split(/[/\\]/).at(-1) ?? null;
