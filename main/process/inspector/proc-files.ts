import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../ports.ts";
import { creationTime, type ProcessRow, parseBootSeconds, parseMemory, parseStat } from "./proc-stat.ts";

/** The files of `/proc` as facts; a file that cannot be read is a null, never an error. */
export interface ProcFiles {
  pids(): readonly number[];
  row(pid: number): ProcessRow | null;
  identityOf(row: ProcessRow): ProcessIdentity;
  memoryBytes(pid: number): number | null;
  /** The command line or the environment a process was started with, its words separated by NUL. */
  block(pid: number, name: "cmdline" | "environ"): { readonly text: string; readonly denied: boolean };
}

/** Reads the process table below `root` (`/proc` on Linux). */
export function createProcFiles(root: string): ProcFiles {
  // Read once: the boot time moves with the system clock, and one answer must stay the same on a second look.
  const bootSeconds = parseBootSeconds(readText(join(root, "stat")) ?? "");
  return {
    pids: () => numericNames(root),
    row: (pid) => {
      const text = readText(join(root, String(pid), "stat"));
      return text === null ? null : parseStat(text);
    },
    identityOf: (row) => ({
      pid: row.pid,
      processStart: bootSeconds === null ? null : creationTime(bootSeconds, row.startTicks),
      image: readLink(join(root, String(row.pid), "exe")),
    }),
    memoryBytes: (pid) => parseMemory(readText(join(root, String(pid), "status")) ?? ""),
    block: (pid, name) => readBlock(join(root, String(pid), name)),
  };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function readBlock(path: string): { readonly text: string; readonly denied: boolean } {
  try {
    return { text: readFileSync(path, "utf8"), denied: false };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return { text: "", denied: code === "EACCES" || code === "EPERM" };
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function numericNames(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
