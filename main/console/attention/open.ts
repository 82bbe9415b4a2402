import { DEFAULT_SETTINGS } from "../../../shared/api/index.ts";
import type { Clock } from "../../store/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import { createLockDirectory, type LockDirectory } from "../locks/directory.ts";
import { createLocks, type Locks } from "../locks/locks.ts";
import type { Notes } from "../notes/index.ts";
import type { NetworkEntry, Workspace } from "../ports.ts";
import { slowdown } from "../request-budget.ts";
import { type Attention, type AttentionDeps, createAttention } from "./attention.ts";
import type { LockWatch } from "./lock-watch.ts";
import type { RequestsReading } from "./picture.ts";

export interface OversightDeps {
  readonly workspace: Workspace;
  readonly notes: Pick<Notes, "mark" | "onMark">;
  readonly live: LiveModel;
  /** The one whose reads the live model uses. */
  readonly watch: LockWatch;
  readonly networks: () => readonly NetworkEntry[];
  readonly requests: () => RequestsReading;
  readonly processes: AttentionDeps["processes"];
  readonly clock: Clock;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What needs somebody, and who holds which network: both out of the readings of the live model. Whoever opens disposes the attention. */
export function openOversight(deps: OversightDeps): {
  readonly attention: Attention;
  readonly locks: Locks;
  readonly directory: LockDirectory;
} {
  const { workspace, live, watch, clock } = deps;
  const { profile } = workspace;
  const { networks } = deps;
  const directory = createLockDirectory({ watch, live, profile, networks });
  const auditApp = workspace.apps.get("audit");
  const dayLimit = (): number =>
    (workspace.settings?.reading() ?? DEFAULT_SETTINGS.budget).requestsPerAppAndDay;
  const attention = createAttention({
    live,
    locks: directory,
    readRunGraph: workspace.reads.readRunGraph,
    profile,
    embedded: workspace.kind === "embedded",
    slowdown: () => (auditApp === undefined ? 1 : slowdown(workspace.requests.used(auditApp) / dayLimit())),
    schedulesFile: () => workspace.settings?.reading().schedulesPath ?? workspace.schedulesFile,
    requests: deps.requests,
    processes: deps.processes,
    notes: deps.notes,
    clock,
    wait: deps.wait,
  });
  const locks = createLocks({
    reads: watch.reads,
    live,
    directory,
    profile,
    host: workspace.host,
    evidence: workspace.lockEvidence,
    nowMs: () => clock.nowMs(),
    ownImage: process.execPath,
  });
  return { attention, locks, directory };
}
