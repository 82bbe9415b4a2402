import { hostname } from "node:os";

/** What makes evidence on this host comparable: a process number means something within one boot only. */
export interface HostFacts {
  readonly host: string;
  /** Changes with every boot; null where the system does not tell, and then no two boots are ever called equal. */
  readonly bootId: string | null;
}

/**
 * Facts of the running system (decisions §3, "Orphan whose Attempt has a marker but no JOB log record"). `bootId` asks
 * the system which boot this is.
 */
export function readHostFacts(bootId: () => string | null): HostFacts {
  return { host: hostname(), bootId: bootId() };
}
