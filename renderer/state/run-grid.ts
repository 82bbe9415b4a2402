import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type GridRun,
  type NodeDiff,
  type RunDiff,
  type RunGrid,
  settle,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** Runs side by side; the operator may ask for more. */
export const GRID_SIZES = [20, 40, 60] as const;
export type GridSize = (typeof GRID_SIZES)[number];

export interface RunGridState {
  readonly networkId: string | null;
  readonly size: GridSize;
  readonly grid: Loaded<RunGrid>;
}

const initial: RunGridState = { networkId: null, size: GRID_SIZES[0], grid: idle };

/** Nodes of the last Runs of one network, kept true by diffs while the grid is open (operator-ux U8). */
export function createRunGridStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RunGridState>(() => initial);
  const reload = oneAtATime(async () => {
    const { networkId, size } = store.getState();
    if (networkId === null) return;
    store.setState((state) => ({ grid: loading(state.grid) }));
    const answer = await settle(deps.api.runList.grid({ networkId, runs: size }));
    store.setState((state) => {
      if (state.networkId !== networkId || state.size !== size) return state;
      return { grid: answer.ok ? ready(answer.value) : failed(state.grid, answer.error) };
    });
  });
  return {
    store,
    reload,
    async open(networkId: string): Promise<void> {
      if (store.getState().networkId !== networkId) store.setState({ networkId, grid: idle });
      await reload();
    },
    async setSize(size: GridSize): Promise<void> {
      store.setState({ size });
      await reload();
    },
    close: () => store.setState({ networkId: null, grid: idle }),
    async apply(runs: readonly RunDiff[], nodes: readonly NodeDiff[]): Promise<void> {
      const { networkId, grid } = store.getState();
      if (networkId === null || grid.value === null) return;
      const columns = withNodes(grid.value.runs, nodes);
      if (columns !== grid.value.runs) {
        store.setState({ grid: { ...grid, value: { ...grid.value, runs: columns } } });
      }
      const ids = new Set(columns.map((run) => run.runId));
      if (runs.some(({ id, fields }) => ids.has(id) || fields.networkId === networkId)) await reload();
    },
    reset: () => store.setState(initial, true),
  };
}
export type RunGridStore = ReturnType<typeof createRunGridStore>;

/** The columns after what this host's scheduler told of single nodes. */
export function withNodes(runs: readonly GridRun[], nodes: readonly NodeDiff[]): readonly GridRun[] {
  if (!nodes.some((node) => runs.some((run) => run.runId === node.runId))) return runs;
  return runs.map((run) => {
    const mine = new Map(nodes.filter((each) => each.runId === run.runId).map((each) => [each.nodeId, each]));
    if (mine.size === 0) return run;
    return {
      ...run,
      cells: run.cells.map((cell) => ({ ...cell, status: mine.get(cell.nodeId)?.status ?? cell.status })),
    };
  });
}
