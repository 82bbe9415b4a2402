import type { HostFacts } from "../../attempt/index.ts";
import type { ProcessIdentity, ProcessInspector } from "../../process/index.ts";

/** What this host can say of a lock's owner: its processes and its journal (decisions §3). */
export interface LockEvidence {
  readonly inspector: Pick<ProcessInspector, "identify" | "liveness" | "searchByAttemptId">;
  readonly hostFacts: HostFacts;
  /** Rejects with `JOURNAL_UNREADABLE`. */
  journalOwner(invocationId: string): Promise<(HostFacts & { readonly process: ProcessIdentity }) | null>;
}
