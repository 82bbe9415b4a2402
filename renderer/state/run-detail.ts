import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  mergeRun,
  type NodeDiff,
  type RunDetail,
  type RunDiff,
  settle,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface RunDetailState {
  readonly runId: string | null;
  readonly detail: Loaded<RunDetail>;
}

const initial: RunDetailState = { runId: null, detail: idle };

/**
 * The Run that is looked at. Diffs change it at once; the records behind them are read again, one reading at a time
 * and only while the page is open (operator-ux U8, U9).
 */
export function createRunDetailStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RunDetailState>(() => initial);
  let reading = false;
  let again = false;

  const reload = async (): Promise<void> => {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    try {
      do {
        again = false;
        await readOnce();
      } while (again);
    } finally {
      reading = false;
    }
  };
  const readOnce = async (): Promise<void> => {
    const { runId } = store.getState();
    if (runId === null) return;
    store.setState((state) => ({ detail: loading(state.detail) }));
    const answer = await settle(deps.api.runs.detail({ runId }));
    store.setState((state) => {
      if (state.runId !== runId) return state;
      return { detail: answer.ok ? ready(answer.value) : failed(state.detail, answer.error) };
    });
  };
  const change = (edit: (detail: RunDetail) => RunDetail): void => {
    store.setState((state) => {
      const { value } = state.detail;
      return value === null ? state : { detail: { ...state.detail, value: edit(value) } };
    });
  };
  return {
    store,
    reload,
    async open(runId: string): Promise<void> {
      if (store.getState().runId !== runId) store.setState({ runId, detail: idle });
      await reload();
    },
    close: () => store.setState(initial, true),
    async apply(runs: readonly RunDiff[], nodes: readonly NodeDiff[]): Promise<void> {
      const { runId, detail } = store.getState();
      if (runId === null) return;
      const mine = nodes.filter((node) => node.runId === runId);
      const diff = runs.find((each) => each.id === runId);
      if (mine.length > 0) change((value) => withNodes(value, mine));
      if (diff !== undefined) {
        change((value) => ({ ...value, run: mergeRun(value.run, diff) ?? value.run }));
      }
      const moved = diff !== undefined && diff.revision > (detail.value?.run.revision ?? 0);
      const ended = diff?.fields.status !== undefined;
      if (mine.length > 0 || moved || ended) await reload();
    },
    reset: () => store.setState(initial, true),
  };
}
export type RunDetailStore = ReturnType<typeof createRunDetailStore>;

function withNodes(detail: RunDetail, diffs: readonly NodeDiff[]): RunDetail {
  const nodes = detail.nodes.map((node) => {
    const diff = diffs.find((each) => each.nodeId === node.nodeId);
    if (diff === undefined) return node;
    return { ...node, status: diff.status, activeAttemptId: diff.attemptId ?? node.activeAttemptId };
  });
  return { ...detail, nodes };
}
