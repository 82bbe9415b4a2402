import type { JournalMode, SuiteName } from "../cases/model.ts";
import type { ChildProgramFile } from "./running-child.ts";

export interface RunOptions {
  /** Absolute path of a folder that does not exist; its parent does. */
  readonly output: string;
  readonly suite: SuiteName;
  readonly journalMode: JournalMode;
  readonly applicationVersion: string;
  /** Aborting ends the children and leaves a stopped run. */
  readonly signal: AbortSignal;
  /** What children say on standard error, for the person watching. */
  readonly onStderr: (text: string) => void;
  readonly now: () => Date;
  readonly file: ChildProgramFile;
  readonly limits: { readonly childMs: number; readonly runMs: number };
}
