import type { ProcessIdentity, ProcessInspector, ProcessUsage } from "../ports.ts";

/** The living relatives of a process that was started as leader of its own group. */
export interface ProcessTree {
  /** Descendants, members of its group, session or job and whoever carries its token, without the root itself. */
  readonly members: readonly ProcessIdentity[];
  /** Null when the system could be asked; otherwise why the list may be short. */
  readonly incomplete: string | null;
}

/** A {@link ProcessInspector} that also sees the tree below a process and can end one; what a stop needs. */
export interface SystemInspector extends ProcessInspector {
  /** `token` is the value of `FLOWNET_ATTEMPT_ID` the tree was started with, where it has one. */
  tree(root: ProcessIdentity, token?: string | null): ProcessTree;
  /** What a process has used so far, for people to see; null when it is gone or nothing can be read. Never throws. */
  usage(pid: number): ProcessUsage | null;
  /** Ends exactly this process at once; does nothing to another that has its number by now. Never throws. */
  end(identity: ProcessIdentity): void;
}
