import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";

export type Env = Readonly<Record<string, string>>;

export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
  /** All of stdout, once it is closed. */
  readonly bytes: Promise<Buffer>;
}

/** A command line that tests start as processes of their own. */
export interface Program {
  readonly name: "ours" | "peer";
  start(args: readonly string[], env?: Env): StartedProgram;
  run(args: readonly string[], env?: Env): Promise<ProgramEnd>;
}

/** Only what a program needs to start: no variable of whoever runs the tests may reach it. */
export function bareEnvironment(): Env {
  const names = ["PATH", "HOME", "SystemRoot", "TEMP", "TMP", "TMPDIR", "LANG"];
  const passed = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return { ...Object.fromEntries(passed), NODE_COMPILE_CACHE };
}

/** Scores of processes are started: half of a start's work is compiling what another one has compiled before. */
const NODE_COMPILE_CACHE = path.join(os.tmpdir(), "flownet-compile-cache");

async function collect(stream: NodeJS.ReadableStream | null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (stream !== null) for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Starts a script with the Node of this process and exactly these variables. */
export function startScript(file: string, args: readonly string[], env: Env): StartedProgram {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const bytes = collect(child.stdout);
  const texts = Promise.all([bytes, collect(child.stderr)]);
  const ended = (async (): Promise<ProgramEnd> => {
    // `exit`, not `close`: a surviving grandchild may hold the pipes open for ever.
    await once(child, "exit");
    const { exitCode, signalCode: signal } = child;
    const [stdout, stderr] = signal === null ? (await texts).map(String) : [];
    return { exitCode, signal, stdout: stdout ?? "", stderr: stderr ?? "" };
  })();
  return { child, ended, bytes };
}

/** A program whose every start has the same leading variables. */
export function createProgram(options: {
  readonly name: Program["name"];
  readonly file: string;
  readonly env: Env;
  /** Arguments after the caller's own. */
  readonly lastArgs?: readonly string[];
}): Program {
  const start = (args: readonly string[], env: Env = {}): StartedProgram =>
    startScript(options.file, [...args, ...(options.lastArgs ?? [])], {
      ...bareEnvironment(),
      ...options.env,
      ...env,
    });
  return { name: options.name, start, run: (args, env) => start(args, env).ended };
}

/** The last line of a program's output, as JSON; an error that shows all it said when there is none. */
export function jsonOf(end: ProgramEnd): Readonly<Record<string, unknown>> {
  const text = end.stdout.trim();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // Told below, with everything the program said.
  }
  throw new Error(`no JSON object on stdout (exit ${end.exitCode}):\n${text}\n${end.stderr}`);
}
