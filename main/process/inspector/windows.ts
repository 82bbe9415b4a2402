import type { AttemptSearch, ProcessDetails, ProcessIdentity, ProcessUsage } from "../ports.ts";
import { relativesOf } from "../tree.ts";
import { fileTimeToIso } from "../windows/file-time.ts";
import { FORCED_EXIT_CODE, membersOfNamedJob } from "../windows/job.ts";
import { lazyNative, type Native, type NativeLoad } from "../windows/native.ts";
import { ACCESS, imageOf, timesOf, withProcess } from "../windows/process-facts.ts";
import { readProcessTable, type TableRow } from "../windows/process-table.ts";
import { startParametersOf } from "../windows/start-parameters.ts";
import { ATTEMPT_TOKEN_VARIABLE, carriesAttemptId } from "./attempt-token.ts";
import { redactWords, splitCommandLine } from "./redact.ts";
import type { ProcessTree, SystemInspector } from "./types.ts";
import { livenessVerdict, type ProcessReading } from "./verdict.ts";

const RULES = { clockStepsMoveTimes: false, imageMayChange: false };
/** The kernel's own process; it and what it starts itself (smss, Registry) never carry words of ours. */
const KERNEL_PID = 4;

/**
 * Looks at processes through `kernel32` and `ntdll` (toolchain §9, decisions §3). Neither `tasklist` nor PowerShell
 * is asked, since an exit code of 0 with no output is not evidence. Without the system calls, and for a process
 * that may not be opened, every answer is "cannot tell".
 */
export function createWindowsInspector(load: () => NativeLoad = lazyNative()): SystemInspector {
  const searchByAttemptId = (attemptId: string): AttemptSearch => {
    const loaded = load();
    return loaded.kind === "loaded"
      ? search(loaded.native, attemptId)
      : { found: [], inconclusive: loaded.reason };
  };
  return {
    identify: (pid) => identityOf(pid, readingOf(load(), pid)),
    details: (pid) => detailsOf(load(), pid),
    liveness: (expected) => livenessVerdict(expected, readingOf(load(), expected.pid), RULES),
    searchByAttemptId,
    findByAttemptId: (attemptId) => searchByAttemptId(attemptId).found,
    tree: (root, token = null) => treeOf(load(), root, token),
    usage: (pid) => usageOf(load(), pid),
    end: (identity) => {
      const loaded = load();
      if (loaded.kind === "loaded") end(loaded.native, identity);
    },
  };
}

function readingOf(loaded: NativeLoad, pid: number): ProcessReading {
  if (loaded.kind !== "loaded") return { kind: "unreadable", reason: loaded.reason };
  const { native } = loaded;
  return withProcess<ProcessReading>(
    native,
    pid,
    ACCESS.queryLimited,
    (handle) => {
      const times = timesOf(native, handle);
      if (times === null)
        return { kind: "unreadable", reason: `The times of process ${pid} cannot be read.` };
      if (times.ended) return { kind: "absent" };
      return {
        kind: "found",
        identity: { pid, processStart: times.processStart, image: imageOf(native, handle) },
      };
    },
    (opened) =>
      opened.kind === "absent" ? { kind: "absent" } : { kind: "unreadable", reason: opened.reason },
  );
}

function identityOf(pid: number, reading: ProcessReading): ProcessIdentity | null {
  if (reading.kind === "absent") return null;
  return reading.kind === "found" ? reading.identity : { pid, processStart: null, image: null };
}

function detailsOf(loaded: NativeLoad, pid: number): ProcessDetails | null {
  const identity = identityOf(pid, readingOf(loaded, pid));
  if (identity === null) return null;
  if (loaded.kind !== "loaded") return { ...identity, parentPid: null, commandLine: null };
  const line = wordsOf(loaded.native, pid).commandLine;
  const row = readProcessTable(loaded.native)?.find((candidate) => candidate.pid === pid);
  return {
    ...identity,
    parentPid: row?.parentPid ?? null,
    commandLine: line === null ? null : redactWords(splitCommandLine(line)),
  };
}

/** The times are asked for anyway; what a process has in memory is another question, which nothing else needs. */
function usageOf(loaded: NativeLoad, pid: number): ProcessUsage | null {
  if (loaded.kind !== "loaded") return null;
  const { native } = loaded;
  return withProcess<ProcessUsage | null>(
    native,
    pid,
    ACCESS.queryLimited,
    (handle) => {
      const times = timesOf(native, handle);
      return times === null || times.ended ? null : { cpuMs: times.cpuMs, memoryBytes: null };
    },
    () => null,
  );
}

interface Words {
  readonly commandLine: string | null;
  readonly environment: string | null;
}

const NO_WORDS: Words = { commandLine: null, environment: null };

/** With the right to read memory where it is granted, else what can be had without. */
function wordsOf(native: Native, pid: number): Words {
  const read = (access: number, otherwise: () => Words): Words =>
    withProcess(native, pid, access, (handle) => startParametersOf(native, handle), otherwise);
  return read(ACCESS.queryLimited | ACCESS.readMemory, () => read(ACCESS.queryLimited, () => NO_WORDS));
}

function search(native: Native, attemptId: string): AttemptSearch {
  const table = readProcessTable(native);
  if (table === null) return { found: [], inconclusive: "The process table cannot be read." };
  const found: ProcessIdentity[] = [];
  let inconclusive: string | null = null;
  for (const row of table) {
    if (row.pid === process.pid || row.pid === KERNEL_PID || row.parentPid === KERNEL_PID) continue;
    const { commandLine, environment } = wordsOf(native, row.pid);
    const carries =
      carriesAttemptId(
        splitCommandLine(commandLine ?? "")
          .map(unquote)
          .join("\0"),
        attemptId,
      ) || carriesAttemptId(environment ?? "", attemptId);
    const reading = readingOf({ kind: "loaded", native }, row.pid);
    if (reading.kind === "absent") continue;
    if (carries) found.push(identityOf(row.pid, reading) ?? identityOfRow(row));
    else if (commandLine === null)
      inconclusive ??= `The command line of process ${row.pid} (${row.name}) cannot be read.`;
  }
  return { found, inconclusive };
}

const unquote = (word: string): string => word.replaceAll('"', "");

const identityOfRow = (row: TableRow): ProcessIdentity => ({
  pid: row.pid,
  processStart: fileTimeToIso(row.createdTicks),
  image: null,
});

/** The job object knows every process that was ever started inside; chain and token find them without it. */
function treeOf(loaded: NativeLoad, root: ProcessIdentity, token: string | null): ProcessTree {
  if (loaded.kind !== "loaded") return { members: [], incomplete: loaded.reason };
  const { native } = loaded;
  const table = readProcessTable(native);
  if (table === null) return { members: [], incomplete: "The process table cannot be read." };
  const inJob = membersOfNamedJob(native, root);
  const holder = table.find((row) => row.pid === root.pid);
  const reused = holder !== undefined && fileTimeToIso(holder.createdTicks) !== root.processStart;
  const byChain = reused ? [] : chainBelow(table, root, holder);
  const byToken = token === null ? [] : carriersOf(native, table, token);
  const pids = new Set([...(inJob ?? []), ...byChain, ...byToken]);
  if (!reused) pids.delete(root.pid);
  pids.delete(process.pid);
  const members = [...pids].flatMap((pid) => identityOf(pid, readingOf(loaded, pid)) ?? []);
  const seen = inJob !== null || token !== null || holder !== undefined;
  const incomplete = seen
    ? null
    : "The process has ended and no job object or token leads to what it started.";
  return { members, incomplete };
}

/** The variable and not any word: a person's editor may have the id in its command line, too. */
function carriersOf(native: Native, table: readonly TableRow[], token: string): readonly number[] {
  const wanted = `${ATTEMPT_TOKEN_VARIABLE}=${token}`;
  return table
    .map(({ pid }) => pid)
    .filter((pid) => wordsOf(native, pid).environment?.split("\0").includes(wanted) === true);
}

function chainBelow(
  table: readonly TableRow[],
  root: ProcessIdentity,
  holder: TableRow | undefined,
): readonly number[] {
  const rows = table.map((row) => ({
    pid: row.pid,
    parentPid: row.parentPid,
    groupId: -1,
    sessionId: -1,
    defunct: false,
    startTicks: comparable(row.createdTicks),
  }));
  const startTicks = holder === undefined ? null : comparable(holder.createdTicks);
  return relativesOf(rows, { pid: root.pid, startTicks }).map(({ pid }) => pid);
}

/** In units of 10 microseconds, which a number holds exactly. */
const comparable = (ticks: bigint): number => Number(ticks / 100n);

function end(native: Native, identity: ProcessIdentity): void {
  withProcess(
    native,
    identity.pid,
    ACCESS.queryLimited | ACCESS.terminate,
    (handle) => {
      // While the handle is open the number cannot be given to another process.
      if (identity.processStart === null || timesOf(native, handle)?.processStart !== identity.processStart)
        return;
      native.call.TerminateProcess(handle, FORCED_EXIT_CODE);
    },
    () => undefined,
  );
}
