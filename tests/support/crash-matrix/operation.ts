import type { CrashWorld } from "./world.ts";

/** One operation of the matrix: how the world stands before it, its command, and what must hold after a kill. */
export interface CrashOperation {
  readonly name: string;
  readonly offsetMs?: number;
  prepare(world: CrashWorld): Promise<void>;
  args(world: CrashWorld): Promise<readonly string[]>;
  after(world: CrashWorld): Promise<void>;
}
