import type { ControlPipe } from "./control-pipe.ts";
import type { SystemInspector } from "./inspector/types.ts";
import type { OutputLimit } from "./output-limit.ts";
import { watchOutputs } from "./output-watch.ts";
import type { Child } from "./ports.ts";
import type { Started } from "./start-child.ts";
import { supervise } from "./supervise.ts";

/** Raises Ctrl+Break in the process group of a child with a hidden console; false when it could not be raised. */
export type Breaker = (pid: number) => Promise<boolean>;

export interface FollowOptions {
  readonly token: string | null;
  readonly outputPaths: readonly string[];
  readonly pipe: ControlPipe | null;
  readonly breaker: Breaker | null;
}

export interface FollowedDeps {
  readonly inspector: SystemInspector;
  readonly monotonicMs: () => number;
  readonly limit: OutputLimit;
}

export interface Followed {
  follow(started: Pick<Started, "handle" | "identity" | "ownGroup">, options: FollowOptions): Child;
  /** Lets go of every child: pipes close, files are no longer kept short, the children run on. */
  dispose(): void;
}

/** The children that outlive this program, and what is held for each while it is followed. */
export function createFollowed({ limit, ...deps }: FollowedDeps): Followed {
  const letGo = new Set<() => void>();
  return {
    follow: ({ handle, identity, ownGroup }, { token, outputPaths, pipe, breaker }) => {
      const outputs = watchOutputs(outputPaths, deps.monotonicMs, limit);
      const release = (): void => {
        if (!letGo.delete(release)) return;
        outputs.cancel();
        pipe?.dispose();
        handle.release();
      };
      letGo.add(release);
      const askPolitely = (): boolean | Promise<boolean> => {
        if (pipe === null) return breaker === null ? handle.terminate() : breaker(identity.pid);
        pipe.cancel();
        return true;
      };
      const onOver = (): void => {
        release();
        void outputs.finish();
      };
      return supervise(handle, identity, { ownGroup, token, askPolitely, onOver }, deps);
    },
    dispose: () => {
      for (const release of [...letGo]) release();
    },
  };
}
