import type { AttemptSearch, Liveness, ProcessDetails, ProcessIdentity, ProcessUsage } from "../ports.ts";
import { relativesOf } from "../tree.ts";
import { ATTEMPT_TOKEN_VARIABLE, carriesAttemptId } from "./attempt-token.ts";
import { createProcFiles, type ProcFiles } from "./proc-files.ts";
import type { ProcessRow } from "./proc-stat.ts";
import { redactWords } from "./redact.ts";
import type { ProcessTree, SystemInspector } from "./types.ts";
import { livenessVerdict, type ProcessReading } from "./verdict.ts";

const RULES = { clockStepsMoveTimes: true, imageMayChange: true };

export interface PosixInspectorDeps {
  /** Where the process table is; `/proc` on Linux. A system without it gives identities without facts. */
  readonly procRoot?: string;
}

/**
 * Looks at processes through `/proc` (decisions §3, electron-desktop §4 C3). A fact that cannot be read is a
 * null field or "cannot-tell", never "stopped".
 */
export function createPosixInspector(deps: PosixInspectorDeps = {}): SystemInspector {
  const proc = createProcFiles(deps.procRoot ?? "/proc");
  const liveness = (expected: ProcessIdentity): Liveness =>
    livenessVerdict(expected, readingOf(expected.pid, proc), RULES);
  return {
    identify: (pid) => identify(pid, proc),
    details: (pid) => detailsOf(pid, proc),
    liveness,
    searchByAttemptId: (attemptId) => search(attemptId, proc),
    findByAttemptId: (attemptId) => search(attemptId, proc).found,
    tree: (root, token = null) => treeBelow(root, token, proc),
    usage: (pid) => usageOf(pid, proc),
    end: (identity) => {
      if (liveness(identity).kind === "alive-ours") kill(identity.pid);
    },
  };
}

function identify(pid: number, proc: ProcFiles): ProcessIdentity | null {
  const row = proc.row(pid);
  if (row !== null) return proc.identityOf(row);
  return exists(pid) ? { pid, processStart: null, image: null } : null;
}

function detailsOf(pid: number, proc: ProcFiles): ProcessDetails | null {
  const identity = identify(pid, proc);
  if (identity === null) return null;
  const words = proc.block(pid, "cmdline").text.split("\0").slice(0, -1);
  const commandLine = words.length === 0 ? null : redactWords(words);
  return { ...identity, parentPid: proc.row(pid)?.parentPid ?? null, commandLine };
}

function usageOf(pid: number, proc: ProcFiles): ProcessUsage | null {
  const cpuMs = proc.row(pid)?.cpuMs ?? null;
  const memoryBytes = proc.memoryBytes(pid);
  return cpuMs === null && memoryBytes === null ? null : { cpuMs, memoryBytes };
}

function readingOf(pid: number, proc: ProcFiles): ProcessReading {
  if (!exists(pid)) return { kind: "absent" };
  const row = proc.row(pid);
  if (row === null)
    return { kind: "unreadable", reason: "The process exists, but its facts cannot be read." };
  return row.defunct ? { kind: "absent" } : { kind: "found", identity: proc.identityOf(row) };
}

function search(attemptId: string, proc: ProcFiles): AttemptSearch {
  const found: ProcessIdentity[] = [];
  // Process 1 always exists; not seeing it means that the table hides the processes of other accounts.
  let inconclusive = proc.row(1) === null ? "The process table is not visible to this account." : null;
  for (const pid of proc.pids()) {
    if (pid === process.pid) continue;
    const commandLine = proc.block(pid, "cmdline");
    if (commandLine.denied) inconclusive ??= `The command line of process ${pid} cannot be read.`;
    const blocks = [commandLine, proc.block(pid, "environ")];
    if (!blocks.some(({ text }) => carriesAttemptId(text, attemptId))) continue;
    const row = proc.row(pid);
    if (row !== null && !row.defunct) found.push(proc.identityOf(row));
  }
  return { found, inconclusive };
}

/**
 * Group, session and parent chain; and whoever carries the token in its environment, which also finds a descendant
 * that made a session of its own after its parent had ended.
 */
function treeBelow(root: ProcessIdentity, token: string | null, proc: ProcFiles): ProcessTree {
  const table = proc.pids().flatMap((pid) => proc.row(pid) ?? []);
  const holder = table.find((row) => row.pid === root.pid);
  const reused =
    holder !== undefined &&
    root.processStart !== null &&
    proc.identityOf(holder).processStart !== root.processStart;
  const relatives = reused
    ? []
    : relativesOf(table, { pid: root.pid, startTicks: holder?.startTicks ?? null });
  const carriers = token === null ? [] : table.filter((row) => carriesToken(row, token, proc));
  const members = new Map([...relatives, ...carriers].map((row) => [row.pid, row]));
  if (!reused) members.delete(root.pid);
  members.delete(process.pid);
  const incomplete = table.length === 0 ? "The process table cannot be read." : null;
  return { members: [...members.values()].map((row) => proc.identityOf(row)), incomplete };
}

/** The variable and not any word: a person's editor may have the id in its command line, too. */
function carriesToken({ pid, defunct }: ProcessRow, token: string, proc: ProcFiles): boolean {
  if (defunct) return false;
  const { text } = proc.block(pid, "environ");
  return carriesAttemptId(text, token) && text.split("\0").includes(`${ATTEMPT_TOKEN_VARIABLE}=${token}`);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already or not ours to end: what is left is found by the next look, not by this answer.
  }
}

/** Only ESRCH proves absence: EPERM is a living process of another account (execution-contract W13). */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
