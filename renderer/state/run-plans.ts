import { createStore } from "zustand/vanilla";
import { type ConsoleApi, type PlannedAction, type RunDiff, settle } from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

/** Actions of the open Run whose plan is read to name its button or to say why it is not possible. */
export const PLANNED_KINDS = ["resume", "stop", "release", "close"] as const;
export type PlannedKind = (typeof PLANNED_KINDS)[number];
type Plans = Readonly<Record<PlannedKind, Loaded<PlannedAction>>>;

export interface RunPlansState {
  readonly runId: string | null;
  readonly plans: Plans;
}

const none: Plans = { resume: idle, stop: idle, release: idle, close: idle };
const initial: RunPlansState = { runId: null, plans: none };
/**
 * What could be done to the open Run. Each plan is read once, when something on the screen needs it, and again after the
 * Run changed; nothing is read on a clock (operator-ux U8).
 */
export function createRunPlansStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RunPlansState>(() => initial);
  let turn = 0;
  const put = (kind: PlannedKind, change: (before: Loaded<PlannedAction>) => Loaded<PlannedAction>): void =>
    store.setState(({ plans }) => ({ plans: { ...plans, [kind]: change(plans[kind]) } }));
  const read = async (kind: PlannedKind): Promise<void> => {
    const { runId } = store.getState();
    if (runId === null) return;
    const mine = turn;
    put(kind, loading);
    const answer = await settle(deps.api.acting.plan({ intent: { kind, runId, reason: "" } }));
    if (mine !== turn) return;
    put(kind, (before) => (answer.ok ? ready(answer.value) : failed(before, answer.error)));
  };
  return {
    store,
    open(runId: string): void {
      if (store.getState().runId === runId) return;
      turn++;
      store.setState({ runId, plans: none });
    },
    /** Something shows these; what was not read since the last change is read. */
    async want(kinds: readonly PlannedKind[]): Promise<void> {
      const { plans } = store.getState();
      const unread = kinds.filter((kind) => plans[kind].phase === "idle" || plans[kind].phase === "failed");
      await Promise.all(unread.map(read));
    },
    close(): void {
      turn++;
      store.setState(initial, true);
    },
    /** The Run changed: what was read counts no more. The count stays on show until it is read anew. */
    changed(): void {
      turn++;
      store.setState(({ plans }) => ({ plans: { ...none, resume: { ...plans.resume, phase: "idle" } } }));
    },
    apply(runs: readonly RunDiff[]): void {
      const { runId, plans } = store.getState();
      const diff = runs.find(({ id }) => id === runId);
      if (diff === undefined || Object.values(plans).every(({ phase }) => phase === "idle")) return;
      const seen = Object.values(plans).map(({ value }) => value?.plan.seen.run?.revision ?? 0);
      const { status, activity, lifecycle } = diff.fields;
      const news = status !== undefined || activity !== undefined || lifecycle !== undefined;
      if (news || diff.revision > Math.max(...seen)) this.changed();
    },
    reset(): void {
      turn++;
      store.setState(initial, true);
    },
  };
}
export type RunPlansStore = ReturnType<typeof createRunPlansStore>;
