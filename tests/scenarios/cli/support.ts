import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const ROOT = join(import.meta.dirname, "..", "..", "..");
export const EXAMPLES = join(ROOT, "examples");
const CLI = join(ROOT, "main", "cli", "index.ts");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

/** Only what a program needs to start: no variable of whoever runs the tests may reach the commands. */
const baseEnv = (): Env => {
  const names = ["PATH", "HOME", "SystemRoot", "TEMP", "TMP", "TMPDIR", "LANG"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
};

function start(args: readonly string[], env: Env): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [CLI, ...args], { cwd: ROOT, env: { ...baseEnv(), ...env } });
}

/** Runs `flownet` as a process of its own, to its end. */
export async function flownet(args: readonly string[], env: Env = {}): Promise<CliResult> {
  const child = start(args, env);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const [code] = await once(child, "close");
  return { code, stdout: stdout(), stderr: stderr() };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

/** A command that serves until it is told to stop. */
export interface Serving {
  /** The next line of its output; null when it has ended. */
  nextLine(): Promise<string | null>;
  readonly stderr: () => string;
  /** Ctrl+C, or another signal; answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `flownet` and reads what it prints line by line. */
export function serve(args: readonly string[], env: Env = {}): Serving {
  const child = start(args, env);
  const stderr = collect(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, "close");
  return {
    stderr,
    async nextLine() {
      const next = await lines.next();
      return next.done === true ? null : next.value;
    },
    async stop(signal = "SIGINT") {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** A data folder of its own, and what removes it once its server has ended. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "flownet-cli-"));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) };
}
