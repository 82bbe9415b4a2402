import { createStore } from "zustand/vanilla";
import type { LiveBatch, NodeDiff, RunDiff } from "../../shared/api/index.ts";

/** Changes held back before it is cheaper to read everything again. */
export const HELD_MAX = 2000;

export interface FreezeState {
  readonly frozen: boolean;
  /** Runs and nodes that changed since, each counted once. */
  readonly held: number;
  /** There were more than are kept: {@link held} is the least there are, and everything is read anew afterwards. */
  readonly more: boolean;
}

export interface FreezeDeps {
  readonly apply: (batch: LiveBatch) => void;
  /** News were missed while the page stands still: asks for what would have passed of them. */
  readonly ask: () => void;
}

const usual: FreezeState = { frozen: false, held: 0, more: false };

/** Two batches as one: later words replace earlier ones, an older revision never replaces a newer (operator-ux U4). */
export function mergeBatches(earlier: LiveBatch, later: LiveBatch): LiveBatch {
  const runs = new Map(earlier.runs.map((diff) => [diff.id, diff]));
  for (const diff of later.runs) runs.set(diff.id, mergeDiffs(runs.get(diff.id), diff));
  const node = ({ runId, nodeId }: NodeDiff): string => JSON.stringify([runId, nodeId]);
  const nodes = new Map([...earlier.nodes, ...later.nodes].map((diff) => [node(diff), diff]));
  const dropped = runs.size + nodes.size > HELD_MAX;
  const last = <T>(items: readonly T[], key: (item: T) => string): readonly T[] => [
    ...new Map(items.map((item) => [key(item), item])).values(),
  ];
  return {
    resync: earlier.resync || later.resync || dropped,
    runs: dropped ? [] : [...runs.values()],
    nodes: dropped ? [] : [...nodes.values()],
    operations: last([...earlier.operations, ...later.operations], (each) => each.operationId),
    freshness: last([...earlier.freshness, ...later.freshness], (each) => each.source),
    budget: last([...earlier.budget, ...later.budget], (each) => each.source),
    clock: later.clock ?? earlier.clock,
    settings: null,
    mode: later.mode ?? earlier.mode,
    approvals: earlier.approvals || later.approvals,
  };
}

function mergeDiffs(earlier: RunDiff | undefined, later: RunDiff): RunDiff {
  if (earlier === undefined || later.revision < earlier.revision) return earlier ?? later;
  return { ...later, fields: { ...earlier.fields, ...later.fields } };
}

/**
 * 一時停止: holds back what would change the page, so that it can be read or photographed (operator-ux U10). What somebody
 * waits for passes: what the operator's own operations come to, that a consent is asked for, the mode, and what was saved
 * of the settings. The picture ages meanwhile like any other, and with its age the actions close.
 */
export function createFreezeStore(deps: FreezeDeps) {
  const store = createStore<FreezeState>(() => usual);
  let held: LiveBatch | null = null;
  return {
    store,
    /** Takes one batch of news: to the page, or among what is held back. */
    offer(batch: LiveBatch): void {
      if (!store.getState().frozen) {
        deps.apply(batch);
        return;
      }
      const { operations, mode, settings, approvals } = batch;
      if (operations.length > 0 || mode !== null || settings !== null || approvals) {
        deps.apply({ ...NO_NEWS, operations, mode, settings, approvals });
      }
      if (batch.resync) deps.ask();
      const rest = { ...batch, operations: [], mode: null, settings: null, approvals: false };
      held = held === null ? rest : mergeBatches(held, rest);
      const more = held.resync;
      const count = held.runs.length + held.nodes.length;
      store.setState({ held: more ? Math.max(HELD_MAX, store.getState().held, count) : count, more });
    },
    toggle(): void {
      const { frozen } = store.getState();
      const news = held;
      held = null;
      store.setState({ ...usual, frozen: !frozen });
      if (frozen && news !== null) deps.apply(news);
    },
    reset(): void {
      held = null;
      store.setState(usual, true);
    },
  };
}
export type FreezeStore = ReturnType<typeof createFreezeStore>;

/** A batch that tells nothing new. */
export const NO_NEWS: LiveBatch = {
  resync: false,
  runs: [],
  nodes: [],
  operations: [],
  freshness: [],
  budget: [],
  clock: null,
  settings: null,
  mode: null,
  approvals: false,
};
