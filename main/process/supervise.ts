import type { Child, ChildExit, ProcessIdentity, StopFacts } from "./ports.ts";
import type { ProcessHandle } from "./process-handle.ts";
import { type StopDeps, stopTree } from "./stop.ts";

export interface SuperviseOptions {
  /** Leader of a process group of its own that this program started itself. */
  readonly ownGroup: boolean;
  readonly token: string | null;
  /** Asks the child to end in order. False: it could not be asked. */
  readonly askPolitely: () => boolean | Promise<boolean>;
  /** Called once the child is gone and no stop is under way any more. */
  readonly onOver?: () => void;
}

/** Follows a started process to its exit and offers the stop. Requested, forced, gone and settled stay separate facts. */
export function supervise(
  handle: ProcessHandle,
  identity: ProcessIdentity,
  options: SuperviseOptions,
  deps: StopDeps,
): Child {
  let stopRequested = false;
  let forced = false;
  let gone = false;
  let stopping: Promise<StopFacts> | null = null;

  const exited = new Promise<ChildExit>((resolve) => {
    handle.onExit((exitCode, signal) => {
      gone = true;
      resolve({ exitCode, signal, forced, stopRequested });
      // A stop under way still needs what is held for the tree.
      if (stopping === null) options.onOver?.();
    });
  });
  const target = {
    identity,
    token: options.token,
    ownGroup: options.ownGroup,
    exited,
    hasExited: () => gone,
    askPolitely: async () => {
      stopRequested = true;
      return await options.askPolitely();
    },
    onForce: () => {
      forced = true;
    },
    killRoot: () => {
      handle.job?.end();
      handle.kill();
    },
  };

  return {
    identity,
    exited,
    stop: (asked) => {
      stopping ??= stopTree(target, asked, deps).finally(() => {
        stopping = null;
        if (gone) options.onOver?.();
      });
      return stopping;
    },
  };
}
