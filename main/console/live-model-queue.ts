import type {
  BudgetShare,
  ClockDifference,
  Freshness,
  LiveBatch,
  Mode,
  NodeDiff,
  Operation,
  RunDiff,
  SettingsNews,
} from "../../shared/api/index.ts";

/** Entries one slow reader may hold back before it is told to read the list again. */
const QUEUE_LIMIT = 2000;

export interface LiveQueue {
  run(diff: RunDiff): void;
  node(diff: NodeDiff): void;
  operation(operation: Operation): void;
  freshness(freshness: Freshness): void;
  budget(share: BudgetShare): void;
  clock(difference: ClockDifference): void;
  settings(news: SettingsNews): void;
  mode(mode: Mode): void;
  approvals(): void;
  resync(): void;
  empty(): boolean;
  /** Everything held, as one batch; the queue is empty afterwards. */
  take(): LiveBatch;
}

/**
 * What one reader has not taken yet, at most one entry per Run, node, operation and source: later words replace
 * earlier ones, so a burst costs its number of subjects and never a final state. Past `limit` the changes are
 * dropped and the reader is told so.
 */
export function createLiveQueue(limit = QUEUE_LIMIT): LiveQueue {
  const runs = new Map<string, RunDiff>();
  const nodes = new Map<string, NodeDiff>();
  const operations = new Map<string, Operation>();
  const sources = new Map<string, Freshness>();
  const budget = new Map<string, BudgetShare>();
  let mode: Mode | null = null;
  let settings: SettingsNews | null = null;
  let clock: ClockDifference | null = null;
  let approvals = false;
  let resync = false;

  const dropChanges = (): void => {
    runs.clear();
    nodes.clear();
    resync = true;
  };
  const bounded = (): void => {
    if (runs.size + nodes.size > limit) dropChanges();
  };
  return {
    run(diff) {
      runs.set(diff.id, coalesceRun(runs.get(diff.id), diff));
      bounded();
    },
    node(diff) {
      nodes.set(`${diff.runId}\u0000${diff.nodeId}`, diff);
      bounded();
    },
    operation: (operation) => void operations.set(operation.operationId, operation),
    freshness: (freshness) => void sources.set(freshness.source, freshness),
    budget: (share) => void budget.set(share.source, share),
    clock(difference) {
      clock = difference;
    },
    settings(news) {
      settings = { view: news.view ?? settings?.view ?? null };
    },
    mode(next) {
      mode = next;
    },
    approvals() {
      approvals = true;
    },
    resync: dropChanges,
    empty: () =>
      !resync &&
      !approvals &&
      mode === null &&
      clock === null &&
      settings === null &&
      runs.size + nodes.size + operations.size + sources.size + budget.size === 0,
    take() {
      const batch: LiveBatch = {
        resync,
        runs: [...runs.values()],
        nodes: [...nodes.values()],
        operations: [...operations.values()],
        freshness: [...sources.values()],
        budget: [...budget.values()],
        clock,
        settings,
        mode,
        approvals,
      };
      for (const held of [runs, nodes, operations, sources, budget]) held.clear();
      resync = false;
      approvals = false;
      mode = null;
      clock = null;
      settings = null;
      return batch;
    },
  };
}

/** Two diffs of one Run as one; the older revision of the two loses, whatever its turn (operator-ux U4). */
export function coalesceRun(earlier: RunDiff | undefined, later: RunDiff): RunDiff {
  if (earlier === undefined) return later;
  if (later.revision < earlier.revision) return earlier;
  return { id: later.id, revision: later.revision, fields: { ...earlier.fields, ...later.fields } };
}
