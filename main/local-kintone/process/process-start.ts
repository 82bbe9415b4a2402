import { readFileSync } from "node:fs";

/** Ticks per second that Linux reports process times in, whatever the kernel's own rate. */
const TICKS = 100;

/** When a process started, ISO UTC, where `/proc` tells it; else null. */
export function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may hold blanks and brackets; the fields begin behind its last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1];
    const ticks = Number(fields[19]);
    if (boot === undefined || !Number.isFinite(ticks)) return null;
    return new Date(Number(boot) * 1000 + (ticks * 1000) / TICKS).toISOString();
  } catch {
    return null;
  }
}
