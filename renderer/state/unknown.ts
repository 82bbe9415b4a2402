import { createStore } from "zustand/vanilla";
import {
  type BusinessReading,
  type ConsoleApi,
  DOUBTS_MAX,
  DOUBTS_SHOWN,
  type DoubtList,
  type LiveBatch,
  settle,
  type UnknownDetail,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { oneAtATime } from "./one-at-a-time.ts";

export interface DoubtfulNode {
  readonly runId: string;
  readonly nodeId: string;
}

/** What an operator asks the business data, beside what is asked by itself. */
export interface TypedQuestion {
  /** Null: every app the job writes to. */
  readonly appId: number | null;
  readonly condition: string;
}
export const NO_QUESTION: TypedQuestion = { appId: null, condition: "" };

export interface UnknownState {
  readonly list: Loaded<DoubtList>;
  readonly node: DoubtfulNode | null;
  readonly detail: Loaded<UnknownDetail>;
  readonly business: Loaded<BusinessReading>;
  /** What is typed, kept until the window closes, by node. */
  readonly questions: Readonly<Record<string, TypedQuestion>>;
}

const initial: UnknownState = { list: idle, node: null, detail: idle, business: idle, questions: {} };

export const nodeKey = ({ runId, nodeId }: DoubtfulNode): string => `${runId} ${nodeId}`;
const same = (left: DoubtfulNode | null, right: DoubtfulNode): boolean =>
  left !== null && nodeKey(left) === nodeKey(right);

/**
 * 結果不明: the list while its page is there, and one node with its evidence. Opening reads once; the business data is
 * asked only when the operator says so (operator-ux U8).
 */
export function createUnknownStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<UnknownState>(() => initial);
  let watched = false;
  /** Entries asked for; a reading anew tells as many again. */
  let most = DOUBTS_SHOWN;
  const load = oneAtATime(async () => {
    store.setState((state) => ({ list: loading(state.list) }));
    const answer = await settle(deps.api.unknown.list({ most }));
    store.setState((state) => ({
      list: answer.ok ? ready(answer.value) : failed(state.list, answer.error),
    }));
  });
  const read = oneAtATime(async () => {
    const { node } = store.getState();
    if (node === null) return;
    store.setState((state) => ({ detail: loading(state.detail) }));
    const answer = await settle(deps.api.unknown.detail(node));
    store.setState((state) => {
      if (!same(state.node, node)) return state;
      return { detail: answer.ok ? ready(answer.value) : failed(state.detail, answer.error) };
    });
  });
  const ask = async (question: TypedQuestion): Promise<void> => {
    const { node } = store.getState();
    if (node === null) return;
    store.setState((state) => ({ business: loading(state.business) }));
    const { appId, condition } = question;
    const typed = condition.trim() === "" ? {} : { condition };
    const answer = await settle(
      deps.api.unknown.query({ ...node, ...typed, ...(appId === null ? {} : { appId }) }),
    );
    store.setState((state) => {
      if (!same(state.node, node)) return state;
      return { business: answer.ok ? ready(answer.value) : failed(state.business, answer.error) };
    });
  };
  return {
    store,
    load,
    read,
    ask,
    async enter(): Promise<void> {
      watched = true;
      await load();
    },
    leave(): void {
      watched = false;
    },
    /** The next of them, beside those that are shown. */
    async more(): Promise<void> {
      most = Math.min(DOUBTS_MAX, most + DOUBTS_SHOWN);
      await load();
    },
    async open(node: DoubtfulNode): Promise<void> {
      if (!same(store.getState().node, node)) store.setState({ node, detail: idle, business: idle });
      await read();
    },
    /** Has the evidence of a node at hand, without reading it anew when it is there. */
    async want(node: DoubtfulNode): Promise<void> {
      const { node: shown, detail } = store.getState();
      if (!same(shown, node) || detail.phase === "idle") await this.open(node);
    },
    /** Where an attempt stands; null when its end is in doubt nowhere. */
    async locate(attemptId: string): Promise<DoubtfulNode | null> {
      const answer = await settle(deps.api.unknown.locate({ attemptId }));
      return answer.ok ? answer.value : null;
    },
    close: () => store.setState({ node: null, detail: idle, business: idle }),
    type(node: DoubtfulNode, change: Partial<TypedQuestion>): void {
      const key = nodeKey(node);
      store.setState(({ questions }) => ({
        questions: { ...questions, [key]: { ...NO_QUESTION, ...questions[key], ...change } },
      }));
    },
    /** What changed in the records is read anew, and nothing else (operator-ux U9). */
    async apply(batch: Pick<LiveBatch, "resync" | "runs" | "operations">): Promise<void> {
      const { node } = store.getState();
      const touched = (runId: string): boolean =>
        batch.resync ||
        batch.runs.some((run) => run.id === runId && changesNodes(run.fields)) ||
        batch.operations.some((each) => each.runId === runId && each.endedAt !== null);
      const any = batch.resync || batch.runs.some(({ fields }) => changesNodes(fields));
      await Promise.all([
        ...(watched && any ? [load()] : []),
        ...(node !== null && touched(node.runId) ? [read()] : []),
      ]);
    },
    reset(): void {
      most = DOUBTS_SHOWN;
      store.setState(initial, true);
    },
  };
}
export type UnknownStore = ReturnType<typeof createUnknownStore>;

/** A Run that was only judged anew is the same Run. */
const changesNodes = (fields: LiveBatch["runs"][number]["fields"]): boolean =>
  fields.status !== undefined || fields.activity !== undefined || fields.updatedAt !== undefined;
