import type { ControlPipe } from "./control-pipe.ts";
import type { SystemInspector } from "./inspector/types.ts";
import type { OutputLimit } from "./output-limit.ts";
import { watchOutputs } from "./output-watch.ts";
import type { Child, FollowedChild } from "./ports.ts";
import type { Started } from "./start-child.ts";
import { supervise } from "./supervise.ts";

/** Raises Ctrl+Break in the process group of a child with a hidden console; false when it could not be raised. */
export type Breaker = (pid: number) => Promise<boolean>;

export interface FollowOptions {
  readonly token: string | null;
  readonly outputPaths: readonly string[];
  readonly pipe: ControlPipe | null;
  readonly breaker: Breaker | null;
  readonly origin: FollowedChild["origin"];
}

export interface FollowedDeps {
  readonly inspector: SystemInspector;
  readonly monotonicMs: () => number;
  readonly limit: OutputLimit;
}

export interface Followed {
  follow(started: Pick<Started, "handle" | "identity" | "ownGroup">, options: FollowOptions): Child;
  list(): readonly FollowedChild[];
  /** Told when the list has changed. Returns what takes it back. */
  onChange(listener: () => void): () => void;
  /** Lets go of every child: pipes close, files are no longer kept short, the children run on. */
  dispose(): void;
}

/** The children that outlive this program, and what is held for each while it is followed. */
export function createFollowed({ limit, ...deps }: FollowedDeps): Followed {
  const letGo = new Map<() => void, FollowedChild>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    list: () => [...letGo.values()],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow: ({ handle, identity, ownGroup }, { token, outputPaths, pipe, breaker, origin }) => {
      const outputs = watchOutputs(outputPaths, deps.monotonicMs, limit);
      const release = (): void => {
        if (!letGo.delete(release)) return;
        outputs.cancel();
        pipe?.dispose();
        handle.release();
        changed();
      };
      const askPolitely = (): boolean | Promise<boolean> => {
        if (pipe === null) return breaker === null ? handle.terminate() : breaker(identity.pid);
        pipe.cancel();
        return true;
      };
      const onOver = (): void => {
        release();
        void outputs.finish();
      };
      const child = supervise(handle, identity, { ownGroup, token, askPolitely, onOver }, deps);
      const controlPipe = pipe !== null;
      letGo.set(release, { child, origin, attemptId: token, outputPaths, controlPipe });
      changed();
      return child;
    },
    dispose: () => {
      for (const release of [...letGo.keys()]) release();
    },
  };
}
