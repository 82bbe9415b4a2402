import type { AttemptJournal, Survivors } from "../../attempt/index.ts";
import type { ProcessManager, SystemInspector } from "../../process/index.ts";

/** What this host can say of its children: the manager that follows them, the system, and the journal (decisions §3). */
export interface ChildEvidence {
  readonly processes: Pick<ProcessManager, "followed" | "onFollowed" | "leftovers">;
  readonly inspector: SystemInspector;
  readonly survivors: Survivors;
  readonly journal: Pick<AttemptJournal, "evidenceFor">;
  /** Folders of attempts lie below it. */
  readonly workDir: string;
  /** Milliseconds a child has to end in order before force is used. */
  readonly graceMs: number;
}
