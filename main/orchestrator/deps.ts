import type { Attempts, OrphanJudge, Runner } from "../attempt/index.ts";
import type { Clock, FlowStore, Ids } from "../store/index.ts";
import type { IoSettings } from "./csv/index.ts";

/** Waits `ms`, or until `signal` aborts; injected so that no decision hides in a timer. */
export type Delay = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Everything the orchestrator acts through. Whoever made a part disposes it. */
export interface OrchestratorDeps {
  readonly store: FlowStore;
  readonly runner: Runner;
  readonly attempts: Attempts;
  readonly orphans: OrphanJudge;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly delay: Delay;
  readonly profile: string;
  readonly host: string;
  /** `local-pid://<host>/<pid>` unless configured otherwise (wire-format section 1.1). */
  readonly ownerInstanceId: string;
  /** Absolute folder for unpacked bundles and attempt files. */
  readonly workDir: string;
  /** Where CSV files are exchanged; looked at only for a network that uses them (orchestration section 8.4). */
  readonly io: IoSettings;
  /** Written before the lock is asked for: on this host the journal later tells exactly who held it (decisions section 3). */
  readonly journalLockOwner: (invocationId: string) => Promise<void>;
}

/** ISO-8601 UTC with milliseconds, the form every time is written in (wire-format section 5). */
export const isoNow = (clock: Clock): string => new Date(clock.nowMs()).toISOString();
