import type { Result } from "../../../shared/domain/problem.ts";
import type { AttemptEvidence } from "../../attempt/index.ts";
import type { JobReader } from "../../job-runner/index.ts";
import type { FlowReads } from "../../store/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { LockEvidence } from "../locks/evidence.ts";
import type { Locks } from "../locks/locks.ts";
import type { Workspace } from "../ports.ts";

/** What the page of unknown results is made from. Nothing of it writes. */
export interface UnknownDeps {
  readonly reads: FlowReads;
  readonly live: Pick<LiveModel, "rows" | "row">;
  readonly locks: Pick<Locks, "list" | "detail">;
  readonly bundles: Workspace["bundles"];
  /** What this host's journal knows of an attempt. Rejects with `JOURNAL_UNREADABLE`. */
  readonly attemptEvidence: (attemptId: string) => Promise<AttemptEvidence>;
  readonly hostEvidence: LockEvidence;
  /** The runner's own view of the business data; whoever opens disposes. */
  readonly openJobReader: () => Promise<Result<JobReader>>;
  readonly host: string;
  readonly nowMs: () => number;
}
