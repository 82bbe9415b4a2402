import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ENTRY = join(import.meta.dirname, "..", "..", "..", "main", "cli", "index.ts");
/** What a child needs to run at all; nothing of the machine's own FlowNet settings reaches a test. */
const INHERITED = ["PATH", "HOME", "LANG", "TMPDIR", "TEMP", "TMP", "SystemRoot", "USERPROFILE"];

export interface ConsoleProcess {
  /** The one-time link it printed. */
  readonly link: string;
  /** Ends it as Ctrl+C would, waits for the end, and removes its data. */
  stop(): Promise<void>;
}

export interface ConsoleOptions {
  /** A data folder that is prepared already; an empty one otherwise. It is removed at the end in either case. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the real console on an empty data folder and waits for its link. */
export async function startConsole(options: ConsoleOptions = {}): Promise<ConsoleProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "flownet-console-")));
  const env = Object.fromEntries(
    INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  const child = spawn(process.execPath, [ENTRY, "start", "--no-open", "--data-dir", dataDir], {
    env: { ...env, ...options.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGINT");
      await once(child, "exit");
    }
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { link: await printedLink(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function printedLink(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the console has no output to read");
  const seen: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(line);
    const link = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(line)?.[0];
    // The output keeps flowing: a pipe nobody reads would stop the console.
    if (link !== undefined) {
      child.stdout.resume();
      return link;
    }
  }
  throw new Error(`the console ended without a link:\n${seen.join("\n")}`);
}
