import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type DayRuns,
  type LiveBatch,
  type Paces,
  type RunRow,
  settle,
} from "../../shared/api/index.ts";
import { type ExpectedDuration, type Pace, paceOf } from "../../shared/domain/expected-duration.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** A stretch of time that is looked at, ISO-8601 UTC. */
export interface Stretch {
  readonly from: string;
  readonly before: string;
}

export interface PaceState {
  readonly paces: Loaded<Paces>;
  /** By network and profile. */
  readonly expected: ReadonlyMap<string, ExpectedDuration>;
  /** Due instants by Run, epoch milliseconds. */
  readonly dues: ReadonlyMap<string, number>;
  readonly asked: Stretch | null;
  readonly day: Loaded<DayRuns>;
  /** By Run and node, of those that were looked at; null: too few successes to tell. */
  readonly nodes: ReadonlyMap<string, ExpectedDuration | null>;
}

const initial: PaceState = {
  paces: idle,
  expected: new Map(),
  dues: new Map(),
  asked: null,
  day: idle,
  nodes: new Map(),
};

const networkKey = ({ networkId, profile }: Pick<RunRow, "networkId" | "profile">): string =>
  JSON.stringify([profile, networkId]);
export const nodeKey = (runId: string, nodeId: string): string => JSON.stringify([runId, nodeId]);

/** What is usual for the network of a Run; null when too few succeeded to tell. */
export const expectedOf = (
  state: PaceState,
  run: Pick<RunRow, "networkId" | "profile">,
): ExpectedDuration | null => state.expected.get(networkKey(run)) ?? null;

/** Whether a Run takes longer than usual, or is late. */
export const paceOfRun = (state: PaceState, run: RunRow, nowMs: number): Pace =>
  paceOf(run, expectedOf(state, run), state.dues.get(run.runId) ?? null, nowMs);

/** How long things usually take, and the Runs of the day that is looked at (operator-ux §1.1); all from main's own picture. */
export function createPaceStore({ api }: { readonly api: ConsoleApi }) {
  const store = createStore<PaceState>(() => initial);
  const load = oneAtATime(async () => {
    store.setState((state) => ({ paces: loading(state.paces) }));
    const answer = await settle(api.pace.read({}));
    store.setState((state) => {
      if (!answer.ok) return { paces: failed(state.paces, answer.error) };
      const { networks, dues } = answer.value;
      return {
        paces: ready(answer.value),
        expected: new Map(networks.map((each) => [networkKey(each), each])),
        dues: new Map(dues.map(({ runId, dueAt }) => [runId, Date.parse(dueAt)])),
      };
    });
  });
  const loadDay = oneAtATime(async () => {
    const { asked } = store.getState();
    if (asked === null) return;
    store.setState((state) => ({ day: loading(state.day) }));
    const answer = await settle(api.pace.day(asked));
    store.setState((state) => {
      if (state.asked !== asked) return state;
      return { day: answer.ok ? ready(answer.value) : failed(state.day, answer.error) };
    });
  });
  return {
    store,
    /** Once is enough to begin with; news bring it up to date. */
    want: async (): Promise<void> => {
      if (store.getState().paces.phase !== "ready") await load();
    },
    async openDay(asked: Stretch): Promise<void> {
      const same = JSON.stringify(store.getState().asked) === JSON.stringify(asked);
      if (!same) store.setState({ asked, day: idle });
      await loadDay();
    },
    closeDay: () => store.setState({ asked: null, day: idle }),
    reloadDay: loadDay,
    async wantNode(runId: string, nodeId: string): Promise<void> {
      const key = nodeKey(runId, nodeId);
      if (store.getState().nodes.has(key)) return;
      const answer = await settle(api.pace.node({ runId, nodeId }));
      // What cannot be told is not shown; the panel says everything else.
      const known = answer.ok ? answer.value : null;
      store.setState(({ nodes }) => ({ nodes: new Map([...nodes, [key, known]]) }));
    },
    /** A Run began, ended or came: what is usual and what the day shows may be others. */
    async apply({ resync, runs }: Pick<LiveBatch, "resync" | "runs">): Promise<void> {
      const { paces, asked } = store.getState();
      const moved =
        resync || runs.some(({ fields }) => fields.status !== undefined || fields.finishedAt !== undefined);
      if (!moved) return;
      if (paces.phase !== "idle") await load();
      if (asked !== null) await loadDay();
    },
    reset: () => store.setState(initial, true),
  };
}
export type PaceStore = ReturnType<typeof createPaceStore>;
