import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type ConsoleApi,
  type Operation,
  type PlannedAction,
  ROWS_MAX,
  type RunRow,
  settle,
} from "../../shared/api/index.ts";

/** Runs resumed by one confirmation; each costs its own readings. */
export const BULK_MAX = 50;

/** Where one of the chosen Runs stands. */
export type BulkState =
  | "unread"
  | "checking"
  | "eligible"
  | "ineligible"
  | "sending"
  | "running"
  | "done"
  | "refused"
  | "uncertain"
  | "left";

export interface BulkItem {
  readonly recordId: string;
  /** Null until its row was read. */
  readonly run: RunRow | null;
  readonly planned: PlannedAction | null;
  readonly state: BulkState;
  /** Why not, or what came of it: a code; null while there is none. */
  readonly code: string | null;
  readonly operationId: string | null;
}

export interface BulkSelection {
  /** `recordId`s, in the order of choosing. */
  readonly chosen: readonly string[];
  /** The sheet over the list; null while it is closed. */
  readonly items: readonly BulkItem[] | null;
  readonly phase: "checking" | "ready" | "running" | "ended";
  readonly reason: string;
}

const initial: BulkSelection = { chosen: [], items: null, phase: "checking", reason: "" };

interface BulkDeps {
  readonly api: ConsoleApi;
  readonly operationId: () => string;
}

/**
 * Resuming several Runs: chosen in the list, each planned by main, then resumed one after the other, each with its own
 * result; what is more dangerous than level 2 is never among them (operator-ux §1.2, bulk actions).
 */
export function createBulkStore(deps: BulkDeps) {
  const store = createStore<BulkSelection>(() => initial);
  const work = createBulkWork(store, deps);
  return {
    store,
    toggle(recordId: string): void {
      store.setState(({ chosen }) => ({
        chosen: chosen.includes(recordId)
          ? chosen.filter((each) => each !== recordId)
          : [...chosen, recordId].slice(0, BULK_MAX),
      }));
    },
    /** Chooses these, as many as may be. */
    choose: (recordIds: readonly string[]) => store.setState({ chosen: recordIds.slice(0, BULK_MAX) }),
    setReason: (reason: string) => store.setState({ reason }),
    ...work,
    reset(): void {
      work.stop();
      store.setState(initial, true);
    },
  };
}
export type BulkStore = ReturnType<typeof createBulkStore>;

const fresh = (recordId: string): BulkItem => ({
  recordId,
  run: null,
  planned: null,
  state: "unread",
  code: null,
  operationId: null,
});

function createBulkWork(store: StoreApi<BulkSelection>, deps: BulkDeps) {
  let turn = 0;
  const ends = new Map<string, () => void>();
  const put = (recordId: string, change: Partial<BulkItem>): void =>
    store.setState(({ items }) => ({
      items: items?.map((item) => (item.recordId === recordId ? { ...item, ...change } : item)) ?? null,
    }));
  const take = ({ operationId, state, problem, resultCode }: Operation): void => {
    const item = store.getState().items?.find((each) => each.operationId === operationId);
    if (item === undefined) return;
    const code = problem?.code ?? resultCode;
    const over = state === "done" || state === "refused" || state === "uncertain";
    put(item.recordId, { state: over ? state : "running", code });
    if (over) ends.get(operationId)?.();
  };
  const ask = async (): Promise<void> => {
    const open = store.getState().items?.filter(({ state }) => state === "running") ?? [];
    for (const { operationId } of open) {
      if (operationId === null) continue;
      const answer = await settle(deps.api.operations.get({ operationId }));
      if (answer.ok) take(answer.value);
    }
  };
  const resumeOne = async (item: BulkItem, reason: string): Promise<void> => {
    const { run, planned } = item;
    if (run === null || planned === null) return;
    const operationId = deps.operationId();
    put(item.recordId, { state: "sending", operationId });
    const ended = new Promise<void>((resolve) => ends.set(operationId, resolve));
    const { seen, fingerprint } = planned.plan;
    const answer = await settle(
      deps.api.acting.execute({
        operationId,
        intent: { kind: "resume", runId: run.runId, reason },
        seen,
        fingerprint,
        typed: "",
        consent: { kind: "none" },
      }),
    );
    if (answer.ok) {
      if (
        store.getState().items?.some((each) => each.operationId === operationId && each.state === "sending")
      )
        put(item.recordId, { state: "running" });
      await ask();
      await ended;
    } else {
      const unclear = answer.error.code === "CONSOLE_UNREACHABLE";
      put(item.recordId, { state: unclear ? "uncertain" : "refused", code: answer.error.code });
    }
    ends.delete(operationId);
  };
  return {
    /** Opens the sheet: reads the chosen Runs and plans each; nothing is written. */
    async check(): Promise<void> {
      const mine = ++turn;
      const { chosen } = store.getState();
      store.setState({ items: chosen.map(fresh), phase: "checking" });
      await readRows(deps.api, chosen, put);
      for (const { recordId, run } of store.getState().items ?? []) {
        if (mine !== turn) return;
        await planOne(deps.api, recordId, run, put);
      }
      if (mine === turn) store.setState({ phase: "ready" });
    },
    /** Resumes the eligible ones, one after the other. */
    async run(): Promise<void> {
      const { items, phase, reason } = store.getState();
      if (items === null || phase !== "ready") return;
      const mine = ++turn;
      store.setState({ phase: "running" });
      for (const item of items) {
        if (item.state !== "eligible") continue;
        if (mine === turn) await resumeOne(item, reason.trim());
        else put(item.recordId, { state: "left" });
      }
      store.setState({ phase: "ended" });
    },
    follow: take,
    ask,
    /** No further one is begun. The one under way goes on: it was accepted. */
    stop(): void {
      turn++;
      for (const end of ends.values()) end();
      ends.clear();
    },
    /** Closes the sheet; an accepted resume goes on regardless (operator-ux D7). */
    close(): void {
      this.stop();
      const { phase } = store.getState();
      store.setState({ items: null, ...(phase === "ended" && { chosen: [], reason: "" }) });
    },
  };
}

type Put = (recordId: string, change: Partial<BulkItem>) => void;

async function readRows(api: ConsoleApi, recordIds: readonly string[], put: Put): Promise<void> {
  for (let at = 0; at < recordIds.length; at += ROWS_MAX) {
    const answer = await settle(api.runList.rows({ recordIds: recordIds.slice(at, at + ROWS_MAX) }));
    if (!answer.ok) continue;
    for (const run of answer.value.rows) put(run.recordId, { run });
  }
}

async function planOne(api: ConsoleApi, recordId: string, run: RunRow | null, put: Put): Promise<void> {
  if (run === null) return put(recordId, { state: "ineligible", code: "RECORD_NOT_FOUND" });
  put(recordId, { state: "checking" });
  const answer = await settle(api.acting.plan({ intent: { kind: "resume", runId: run.runId, reason: "" } }));
  if (!answer.ok) return put(recordId, { state: "ineligible", code: answer.error.code });
  const { plan, friction } = answer.value;
  const [refusal] = plan.refusals;
  if (refusal !== undefined) return put(recordId, { state: "ineligible", code: refusal.code });
  // What has to be typed or consented to is confirmed one by one.
  if (friction.identifier !== null || friction.secondPerson) {
    return put(recordId, { state: "ineligible", code: "TOO_DANGEROUS_FOR_BULK" });
  }
  put(recordId, { state: "eligible", planned: answer.value });
}
