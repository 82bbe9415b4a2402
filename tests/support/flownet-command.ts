import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const CLI = path.resolve(import.meta.dirname, "..", "..", "main", "cli", "index.ts");

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandEnd>;
}

/** Variables of this machine's own FlowNet set-up must not reach a test. */
function cleanEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^(KSQL_|FLOWNET_)/.test(name));
  return { ...Object.fromEntries(entries), ...extra };
}

/** Starts the real command line as a process of its own. */
export function startFlownet(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): StartedCommand {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: cleanEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const collect = async (stream: NodeJS.ReadableStream | null): Promise<string> => {
    const chunks: Buffer[] = [];
    if (stream !== null) for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString("utf8");
  };
  const ended = (async (): Promise<CommandEnd> => {
    // `exit`, not `close`: a surviving grandchild may hold the pipes open for ever.
    const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    const texts = Promise.all([collect(child.stdout), collect(child.stderr)]);
    const [exitCode, signal] = await exited;
    const [stdout, stderr] = signal === null ? await texts : ["", ""];
    return { exitCode, signal, stdout, stderr };
  })();
  return { child, ended };
}

/** Runs the real command line to its end. */
export function flownet(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  return startFlownet(args, env).ended;
}
