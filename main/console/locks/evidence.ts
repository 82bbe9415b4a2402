import type { HostFacts, ResultReading } from "../../attempt/index.ts";
import type { ProcessIdentity, ProcessInspector } from "../../process/index.ts";

/** What this host can say of a lock's owner: its processes and its journal (decisions §3). */
export interface LockEvidence {
  readonly inspector: Pick<ProcessInspector, "identify" | "liveness" | "searchByAttemptId">;
  readonly hostFacts: HostFacts;
  /** The result file of an attempt that ran on this host (execution-contract §5.6). Never rejects. */
  readonly resultOf: (attemptId: string) => Promise<ResultReading>;
  /** Rejects with `JOURNAL_UNREADABLE`. */
  journalOwner(invocationId: string): Promise<(HostFacts & { readonly process: ProcessIdentity }) | null>;
}
