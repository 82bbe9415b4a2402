import { spawn } from "node:child_process";
import { once } from "node:events";

export interface BoundedEnd {
  /** Null when ended by a signal. */
  readonly code: number | null;
  readonly timedOut: boolean;
}

/**
 * Runs this Node with the arguments to its end, its output shown. After `limitMs` it is ended together with
 * everything it started: a test runner that is stuck leaves workers behind that would spin on for ever.
 */
export async function runBounded(
  args: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string>>,
): Promise<BoundedEnd> {
  // A group of its own can be ended as a whole; Windows has no groups, and its job runs in the console's.
  const grouped = process.platform !== "win32";
  const child = spawn(process.execPath, [...args], {
    stdio: "inherit",
    env: { ...process.env, ...env },
    detached: grouped,
  });
  let timedOut = false;
  const end = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined || child.exitCode !== null) return;
    if (grouped) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end("SIGKILL");
  }, limitMs);
  const onInterrupt = (): void => {
    end("SIGINT");
    process.exitCode = 130;
  };
  process.once("SIGINT", onInterrupt);
  try {
    const [code] = await once(child, "exit");
    return { code: typeof code === "number" ? code : null, timedOut };
  } finally {
    clearTimeout(timer);
    process.off("SIGINT", onInterrupt);
  }
}
