import type { AttemptSearch, Liveness, ProcessIdentity } from "../ports.ts";
import { relativesOf } from "../tree.ts";
import { carriesAttemptId } from "./attempt-token.ts";
import { createProcFiles, type ProcFiles } from "./proc-files.ts";
import { mayDifferByClockStep } from "./proc-stat.ts";
import type { ProcessTree, SystemInspector } from "./types.ts";

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
  return {
    identify: (pid) => {
      const row = proc.row(pid);
      if (row !== null) return proc.identityOf(row);
      return exists(pid) ? { pid, processStart: null, image: null } : null;
    },
    liveness: (identity) => livenessOf(identity, proc),
    searchByAttemptId: (attemptId) => search(attemptId, proc),
    findByAttemptId: (attemptId) => search(attemptId, proc).found,
    tree: (root) => treeBelow(root, proc),
  };
}

function livenessOf(identity: ProcessIdentity, proc: ProcFiles): Liveness {
  if (!exists(identity.pid)) return { kind: "gone" };
  const row = proc.row(identity.pid);
  if (row === null) return cannotTell("The process exists, but its facts cannot be read.");
  if (row.defunct) return { kind: "gone" };
  const found = proc.identityOf(row);
  if (identity.processStart === null || found.processStart === null)
    return cannotTell("The process exists, but its creation time is not known.");
  if (identity.processStart === found.processStart) return { kind: "alive-ours" };
  if (mayDifferByClockStep(identity.processStart, found.processStart))
    return cannotTell("The creation times differ by whole seconds only: the system clock may have been set.");
  return { kind: "alive-another", found };
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

function treeBelow(root: ProcessIdentity, proc: ProcFiles): ProcessTree {
  const table = proc.pids().flatMap((pid) => proc.row(pid) ?? []);
  const holder = table.find((row) => row.pid === root.pid);
  const reused =
    holder !== undefined &&
    root.processStart !== null &&
    proc.identityOf(holder).processStart !== root.processStart;
  if (reused) return { members: [], incomplete: null };
  const relatives = relativesOf(table, { pid: root.pid, startTicks: holder?.startTicks ?? null });
  const incomplete = table.length === 0 ? "The process table cannot be read." : null;
  return { members: relatives.map((row) => proc.identityOf(row)), incomplete };
}

function cannotTell(reason: string): Liveness {
  return { kind: "cannot-tell", reason };
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
