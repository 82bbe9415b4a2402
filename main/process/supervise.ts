import type { ChildProcess } from "node:child_process";
import type { Child, ChildExit, ProcessIdentity } from "./ports.ts";
import { type StopDeps, stopTree } from "./stop.ts";

export interface SuperviseDeps extends StopDeps {
  readonly platform: NodeJS.Platform;
}

/**
 * Follows a started process to its exit and offers the stop. Requested, forced and gone stay three facts.
 * `askPolitely` replaces the signal where the child listens on a control pipe.
 */
export function supervise(
  handle: ChildProcess,
  identity: ProcessIdentity,
  options: { readonly ownGroup: boolean; readonly askPolitely: (() => void) | null },
  deps: SuperviseDeps,
): Child {
  let stopRequested = false;
  let forced = false;
  let gone = false;
  let stopping: Promise<void> | null = null;

  const exited = new Promise<ChildExit>((resolve) => {
    handle.once("exit", (exitCode, signal) => {
      gone = true;
      resolve({ exitCode, signal, forced, stopRequested });
    });
  });
  // Windows has no signal a program can catch from us: SIGTERM would be the forced end already (toolchain §9).
  const signalPolitely = (): void => {
    if (deps.platform !== "win32") handle.kill("SIGTERM");
  };

  const stop = (graceMs: number): Promise<void> =>
    stopTree(
      {
        identity,
        ownGroup: options.ownGroup && deps.platform !== "win32",
        exited,
        hasExited: () => gone,
        askPolitely: () => {
          stopRequested = true;
          (options.askPolitely ?? signalPolitely)();
        },
        onForce: () => {
          forced = true;
        },
        killRoot: () => {
          handle.kill("SIGKILL");
        },
      },
      graceMs,
      deps,
    );

  return {
    identity,
    exited,
    stop: ({ graceMs }) => {
      stopping ??= stop(graceMs);
      return stopping;
    },
  };
}
