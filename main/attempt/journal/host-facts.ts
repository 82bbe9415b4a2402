import { hostname } from "node:os";
import { systemBootId } from "../../process/index.ts";

/** What makes evidence on this host comparable: a process number means something within one boot only. */
export interface HostFacts {
  readonly host: string;
  /** Changes with every boot; null where the system does not tell, and then no two boots are ever called equal. */
  readonly bootId: string | null;
}

/** Facts of the running system (decisions §3, "Orphan whose Attempt has a marker but no JOB log record"). */
export function readHostFacts(bootId: () => string | null = systemBootId): HostFacts {
  return { host: hostname(), bootId: bootId() };
}
