import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type ConsoleApi,
  mergeRun,
  type NodeDiff,
  type Operation,
  type RunDetail,
  type RunDiff,
  settle,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import {
  type AttemptScope,
  createAttemptsFetch,
  noAttempts,
  type OpenRun,
  withFirstPage,
} from "./run-attempts.ts";

export interface RunDetailState extends OpenRun {
  readonly detail: Loaded<RunDetail>;
}

/** What a batch of news tells that may concern the Run. */
export interface RunNews {
  readonly runs: readonly RunDiff[];
  readonly nodes: readonly NodeDiff[];
  readonly operations: readonly Pick<Operation, "runId" | "endedAt">[];
}

const initial: RunDetailState = { runId: null, detail: idle, attemptsNext: null, attempts: noAttempts };
const sameScope = (left: AttemptScope, right: AttemptScope): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/**
 * The Run that is looked at. Diffs change it at once; the records behind them are read again, one reading at a time
 * and only while the page is open (operator-ux U8, U9).
 */
export function createRunDetailStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RunDetailState>(() => initial);
  const fetchAttempts = createAttemptsFetch(store, deps.api);
  const reload = oneAtATime(async () => {
    await readOnce(store, deps.api);
    await fetchAttempts();
  });
  return {
    store,
    reload,
    async open(runId: string): Promise<void> {
      if (store.getState().runId !== runId) store.setState({ ...initial, runId });
      await reload();
    },
    /** What the open screen shows of the attempts; only that is fetched. */
    async want(runId: string, scope: AttemptScope): Promise<void> {
      const { attempts, detail, runId: open } = store.getState();
      if (open !== runId || sameScope(attempts.scope, scope)) return;
      const kept = attempts.complete && attempts.scope.kind === "all";
      store.setState({ attempts: { ...attempts, scope, complete: kept, problem: null } });
      if (detail.value !== null && !kept) await fetchAttempts();
    },
    close: () => store.setState(initial, true),
    async apply({ runs, nodes, operations }: RunNews): Promise<void> {
      const { runId, detail } = store.getState();
      if (runId === null) return;
      const own = nodes.filter((node) => node.runId === runId);
      const diff = runs.find((each) => each.id === runId);
      if (detail.value !== null) {
        store.setState({ detail: { ...detail, value: withNews(detail.value, diff, own) } });
      }
      const moved = diff !== undefined && diff.revision > (detail.value?.run.revision ?? 0);
      // What was done may have changed a record behind the Run and nothing of its row, such as a node taken up again.
      const acted = operations.some((each) => each.runId === runId && each.endedAt !== null);
      if (own.length > 0 || acted || moved || diff?.fields.status !== undefined) await reload();
    },
    reset: () => store.setState(initial, true),
  };
}
export type RunDetailStore = ReturnType<typeof createRunDetailStore>;

async function readOnce(store: StoreApi<RunDetailState>, api: ConsoleApi): Promise<void> {
  const { runId } = store.getState();
  if (runId === null) return;
  store.setState((state) => ({ detail: loading(state.detail) }));
  const answer = await settle(api.runs.detail({ runId }));
  store.setState((state) => {
    if (state.runId !== runId) return state;
    if (!answer.ok) return { detail: failed(state.detail, answer.error) };
    const { attempts, attemptsNext, attemptTotal } = answer.value;
    const list = withFirstPage(state.attempts.list, attempts, attemptTotal);
    return { detail: ready(answer.value), attemptsNext, attempts: { ...state.attempts, list } };
  });
}

function withNews(detail: RunDetail, diff: RunDiff | undefined, nodes: readonly NodeDiff[]): RunDetail {
  const run = diff === undefined ? detail.run : (mergeRun(detail.run, diff) ?? detail.run);
  return withNodes({ ...detail, run }, nodes);
}

function withNodes(detail: RunDetail, diffs: readonly NodeDiff[]): RunDetail {
  const diffOf = new Map(diffs.map((diff) => [diff.nodeId, diff]));
  const nodes = detail.nodes.map((node) => {
    const diff = diffOf.get(node.nodeId);
    if (diff === undefined) return node;
    return { ...node, status: diff.status, activeAttemptId: diff.attemptId ?? node.activeAttemptId };
  });
  return { ...detail, nodes };
}
