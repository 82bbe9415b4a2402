/** One line of the process table. Ticks count from the boot of the system. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  /** Ended, but its parent has not collected it yet: it runs nothing any more. */
  readonly defunct: boolean;
  readonly startTicks: number;
  /** Milliseconds of processor used so far, user and kernel; null when the line does not tell. */
  readonly cpuMs?: number | null;
}

/** The kernel reports times to user space in this unit on every architecture Node runs on. */
const TICKS_PER_SECOND = 100;
const MS_PER_TICK = 1000 / TICKS_PER_SECOND;

/**
 * Reads `/proc/<pid>/stat`, or null when the text is not one. The program name may hold blanks and brackets,
 * so the fields are counted from its last closing bracket.
 */
export function parseStat(text: string): ProcessRow | null {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return null;
  const pid = Number(text.slice(0, open).trim());
  const [state = "", ...numbers] = text
    .slice(close + 1)
    .trim()
    .split(/\s+/);
  const [parentPid, groupId, sessionId] = numbers.slice(0, 3).map(Number);
  const threads = Number(numbers[16] ?? Number.NaN);
  const startTicks = Number(numbers[18] ?? Number.NaN);
  if (parentPid === undefined || groupId === undefined || sessionId === undefined) return null;
  if (![pid, parentPid, groupId, sessionId, startTicks].every(Number.isSafeInteger)) return null;
  // A program whose first thread has ended is told as a zombie, too, while its other threads work on.
  const defunct = /^[ZXx]$/.test(state) && !(threads > 1);
  const cpuTicks = Number(numbers[10] ?? Number.NaN) + Number(numbers[11] ?? Number.NaN);
  const cpuMs = Number.isSafeInteger(cpuTicks) ? cpuTicks * MS_PER_TICK : null;
  return { pid, parentPid, groupId, sessionId, defunct, startTicks, cpuMs };
}

/** Bytes a process has in memory, from `/proc/<pid>/status`; null when it is not told there (a kernel thread). */
export function parseMemory(text: string): number | null {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(text);
  return match === null ? null : Number(match[1]) * 1024;
}

/** Epoch seconds of the boot from `/proc/stat`, or null when it is not told. */
export function parseBootSeconds(text: string): number | null {
  const match = /^btime (\d+)$/m.exec(text);
  return match === null ? null : Number(match[1]);
}

/** Creation time as ISO-8601 UTC, exact to the tick. */
export function creationTime(bootSeconds: number, startTicks: number): string {
  return new Date(bootSeconds * 1000 + startTicks * MS_PER_TICK).toISOString();
}
