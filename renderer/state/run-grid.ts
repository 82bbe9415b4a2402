import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type NodeDiff,
  packCell,
  type RunDiff,
  type RunGrid,
  settle,
  unpackCell,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** Runs side by side; the operator may ask for more. */
export const GRID_SIZES = [20, 40, 60] as const;
export type GridSize = (typeof GRID_SIZES)[number];

export interface RunGridState {
  /** The network whose grid is open. */
  readonly networkId: string | null;
  readonly size: GridSize;
  /** The last one stays when it is left: a return shows it at once, and what changed meanwhile as soon as it was read. */
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
      const { grid } = store.getState();
      store.setState({ networkId, grid: grid.value?.networkId === networkId ? grid : idle });
      await reload();
    },
    async setSize(size: GridSize): Promise<void> {
      store.setState({ size });
      await reload();
    },
    close: () => store.setState({ networkId: null }),
    async apply(runs: readonly RunDiff[], nodes: readonly NodeDiff[]): Promise<void> {
      const { networkId, grid } = store.getState();
      if (grid.value === null) return;
      const value = withNodes(grid.value, nodes);
      if (value !== grid.value) store.setState({ grid: { ...grid, value } });
      if (networkId === null) return;
      const ids = new Set(value.runs.map((run) => run.runId));
      if (runs.some(({ id, fields }) => ids.has(id) || fields.networkId === networkId)) await reload();
    },
    reset: () => store.setState(initial, true),
  };
}
export type RunGridStore = ReturnType<typeof createRunGridStore>;

/** The grid after what this host's scheduler told of single nodes. */
export function withNodes(grid: RunGrid, nodes: readonly NodeDiff[]): RunGrid {
  const shown = new Set(grid.runs.map((run) => run.runId));
  const news = nodes.filter((node) => shown.has(node.runId));
  if (news.length === 0) return grid;
  const places = new Map(grid.nodeIds.map((nodeId, at) => [nodeId, at]));
  const runs = grid.runs.map((run) => {
    const mine = news.filter((node) => node.runId === run.runId);
    if (mine.length === 0) return run;
    const cells = [...run.cells];
    for (const { nodeId, status } of mine) {
      const at = places.get(nodeId);
      const known = at === undefined ? null : unpackCell(cells[at]);
      if (at !== undefined && known !== null) cells[at] = packCell({ ...known, status });
    }
    return { ...run, cells };
  });
  return { ...grid, runs };
}
