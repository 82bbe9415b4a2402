import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { type ChildArguments, childArgv } from "../child/arguments.ts";
import { type ChildLine, childLineSchema, type SideFiles } from "../documents/observation-schema.ts";

export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedByController: boolean;
  readonly timedOut: boolean;
  readonly unreadableLines: number;
  readonly durationMs: number;
  /** Read directly after the process was gone, before anything else touched the database. */
  readonly sideFiles: SideFiles;
}

export interface RunningChild {
  readonly name: string;
  readonly pid: number;
  /** Resolves once this many points were reported, or the process is gone. */
  readonly reached: (points: number) => Promise<void>;
  /** Sends the byte a held child waits for. */
  readonly release: () => void;
  /** Ends the process by force, by its own PID. */
  readonly kill: (because: "time-out" | "left-over") => void;
  /** Resolves when the process is gone and everything it said was read; never rejects. */
  readonly ended: Promise<ChildEnd>;
}

export interface ChildProgramFile {
  /** The Node that runs it; never a shell. */
  readonly node: string;
  /** Path of the child program. */
  readonly program: string;
}

/** Variables Node itself needs to start; the child program reads none (retry-boundaries §3). */
const PASSED_ON = ["SystemRoot", "TEMP", "TMP", "TMPDIR"];

interface Hooks {
  /** Told before the first line. */
  readonly onStarted: (pid: number) => void;
  /** Every line the child says, as it comes. */
  readonly onLine: (line: ChildLine, pid: number) => void;
  /** What it says beside that, for the person watching; never kept in the evidence. */
  readonly onStderr: (text: string) => void;
  readonly limitMs: number;
}

/** Starts one child process. Rejects when the system could not start it. */
export async function startChild(
  file: ChildProgramFile,
  args: ChildArguments,
  hooks: Hooks,
): Promise<RunningChild> {
  const startedAt = performance.now();
  const child = spawn(file.node, [file.program, ...childArgv(args)], {
    env: ownEnvironment(),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  // A child that is already gone cannot take the byte; its end tells the story.
  child.stdin.on("error", () => undefined);
  const pid = await spawned(child);
  hooks.onStarted(pid);
  const speech = listen(child, pid, hooks);
  let because: "time-out" | "left-over" | null = null;
  const kill: RunningChild["kill"] = (reason) => {
    because ??= reason;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => kill("time-out"), hooks.limitMs);
  const ended = gone(child, args.database).then((end): ChildEnd => {
    clearTimeout(timer);
    speech.close();
    return {
      ...end,
      endedByController: because !== null,
      timedOut: because === "time-out",
      unreadableLines: speech.unreadable(),
      durationMs: Math.round(performance.now() - startedAt),
    };
  });
  const release = (): void => void child.stdin.end(".");
  return { name: args.child, pid, ended, kill, reached: speech.reached, release };
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      if (child.pid === undefined) reject(new Error("the system started a process without a PID"));
      else resolve(child.pid);
    });
  });
}

interface Speech {
  readonly reached: (points: number) => Promise<void>;
  readonly unreadable: () => number;
  readonly close: () => void;
}

/** Splits standard output into lines and wakes whoever waits for a number of points. */
function listen(child: ChildProcess, pid: number, hooks: Hooks): Speech {
  let rest = "";
  let points = 0;
  let unreadable = 0;
  let closed = false;
  const waiting: { readonly points: number; readonly wake: () => void }[] = [];
  const wake = (): void => {
    for (const one of waiting) if (closed || points >= one.points) one.wake();
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = lineOf(part);
      if (line === null) unreadable += 1;
      else {
        hooks.onLine(line, pid);
        points += 1;
      }
    }
    wake();
  });
  child.stderr?.setEncoding("utf8").on("data", hooks.onStderr);
  return {
    reached: (count) =>
      new Promise((resolve) => {
        waiting.push({ points: count, wake: resolve });
        wake();
      }),
    unreadable: () => unreadable + (rest === "" ? 0 : 1),
    close: () => {
      closed = true;
      wake();
    },
  };
}

function lineOf(text: string): ChildLine | null {
  try {
    const parsed = childLineSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function gone(
  child: ChildProcess,
  database: string,
): Promise<Pick<ChildEnd, "exitCode" | "signal" | "sideFiles">> {
  return new Promise((resolve) => {
    let sideFiles: SideFiles | null = null;
    child.once("exit", () => {
      sideFiles = sideFilesOf(database);
    });
    child.once("close", (exitCode: number | null, signal: string | null) =>
      resolve({ exitCode, signal, sideFiles: sideFiles ?? sideFilesOf(database) }),
    );
  });
}

function sideFilesOf(database: string): SideFiles {
  const size = (path: string): number | null => (existsSync(path) ? statSync(path).size : null);
  return {
    journal: size(`${database}-journal`),
    wal: size(`${database}-wal`),
    shm: size(`${database}-shm`),
  };
}
