import type { ProcessIdentity, ProcessInspector } from "../ports.ts";

/** The living relatives of a process that was started as leader of its own group. */
export interface ProcessTree {
  /** Descendants and members of its group or session, without the root itself. */
  readonly members: readonly ProcessIdentity[];
  /** Null when the system could be asked; otherwise why the list may be short. */
  readonly incomplete: string | null;
}

/** A {@link ProcessInspector} that also sees the tree below a process; what the manager needs to stop one. */
export interface SystemInspector extends ProcessInspector {
  tree(root: ProcessIdentity): ProcessTree;
}
