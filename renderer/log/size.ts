const UNITS = ["B", "KiB", "MiB", "GiB"] as const;

/** A number of bytes in the unit that reads best. Pure. */
export function sizeParts(bytes: number): { readonly size: string; readonly unit: string } {
  let size = bytes;
  let at = 0;
  while (size >= 1024 && at < UNITS.length - 1) {
    size /= 1024;
    at++;
  }
  return {
    size: at === 0 || size >= 100 ? String(Math.round(size)) : size.toFixed(1),
    unit: UNITS[at] ?? "B",
  };
}

/** Whole percent, never 100 before the end. Pure. */
export const percentOf = (done: number, all: number): number =>
  all === 0 ? 0 : Math.min(99, Math.floor((done / all) * 100));
