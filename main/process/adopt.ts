import type { SystemInspector } from "./inspector/types.ts";
import type { ProcessIdentity } from "./ports.ts";
import type { ProcessHandle } from "./process-handle.ts";

/** A survivor is nobody's child here, so its end has to be looked for; once a second is 20 microseconds a second. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Follows a process that this program did not start, where the system tells nobody of its end (POSIX). Its exit code
 * went to whoever collected it: both exit facts are null. The timer keeps the program alive while somebody waits.
 */
export function followByLooking(identity: ProcessIdentity, inspector: SystemInspector): ProcessHandle {
  let listener: ((exitCode: number | null, signal: string | null) => void) | null = null;
  const timer = setInterval(() => {
    const { kind } = inspector.liveness(identity);
    if (kind !== "gone" && kind !== "alive-another") return;
    clearInterval(timer);
    listener?.(null, null);
  }, LOOK_AGAIN_MS);
  return {
    pid: identity.pid,
    onExit: (told) => {
      listener = told;
    },
    terminate: () => inspector.liveness(identity).kind === "alive-ours" && terminate(identity.pid),
    kill: () => inspector.end(identity),
    release: () => clearInterval(timer),
    job: null,
  };
}

/** A process that has ended before anybody followed it: only what it started may live. */
export const goneHandle = (pid: number): ProcessHandle => ({
  pid,
  onExit: (told) => told(null, null),
  terminate: () => false,
  kill: () => undefined,
  release: () => undefined,
  job: null,
});

function terminate(pid: number): boolean {
  try {
    return process.kill(pid, "SIGTERM");
  } catch {
    // Gone in the moment between, or not ours to ask: the stop goes on either way.
    return false;
  }
}
