import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type ConsoleApi,
  type Operation,
  type PlannedAction,
  ROWS_MAX,
  type RunRow,
  settle,
} from "../../shared/api/index.ts";
import { lost } from "./action-sent.ts";

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
      work.close();
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
  /** Which sheet is open: what comes in late for an earlier one changes nothing in it. */
  let sheet = 0;
  const ends = new Map<string, () => void>();
  const putIn =
    (mine: number): Put =>
    (recordId, change) => {
      if (mine !== sheet) return;
      store.setState(({ items }) => ({
        items: items?.map((item) => (item.recordId === recordId ? { ...item, ...change } : item)) ?? null,
      }));
    };
  const take = ({ operationId, state, problem, resultCode }: Operation): void => {
    const item = store.getState().items?.find((each) => each.operationId === operationId);
    if (item === undefined) return;
    const code = problem?.code ?? resultCode;
    const over = state === "done" || state === "refused" || state === "uncertain";
    putIn(sheet)(item.recordId, { state: over ? state : "running", code });
    if (over) ends.get(operationId)?.();
  };
  /** Asks for what may have come to its end while the line was down, also for those whose answer was lost. */
  const ask = async (): Promise<void> => {
    for (const { operationId, state } of store.getState().items ?? []) {
      if (operationId === null || (state !== "running" && state !== "uncertain")) continue;
      const answer = await settle(deps.api.operations.get({ operationId }));
      if (answer.ok) take(answer.value);
    }
  };
  /** Answers whether the line still stands. */
  const resumeOne = async (item: BulkItem, reason: string, put: Put): Promise<boolean> => {
    const { run, planned } = item;
    if (run === null || planned === null) return true;
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
      put(item.recordId, {
        state: lost(answer.error) ? "uncertain" : "refused",
        code: answer.error.code,
      });
    }
    ends.delete(operationId);
    return answer.ok || !lost(answer.error);
  };
  return {
    /** Opens the sheet: reads the chosen Runs and plans each; nothing is written. */
    async check(): Promise<void> {
      const mine = ++turn;
      const put = putIn(++sheet);
      const { chosen } = store.getState();
      store.setState({ items: chosen.map(fresh), phase: "checking" });
      await readRows(deps.api, chosen, put);
      for (const { recordId, run, state } of store.getState().items ?? []) {
        if (mine !== turn) return;
        if (state === "unread") await planOne(deps.api, recordId, run, put);
      }
      if (mine === turn) store.setState({ phase: "ready" });
    },
    /** Resumes the eligible ones, one after the other; over a line that broke no further one is begun. */
    async run(): Promise<void> {
      const { items, phase, reason } = store.getState();
      if (items === null || phase !== "ready") return;
      const mine = ++turn;
      const opened = sheet;
      const put = putIn(opened);
      let line = true;
      store.setState({ phase: "running" });
      for (const item of items) {
        if (item.state !== "eligible") continue;
        if (line && mine === turn) line = await resumeOne(item, reason.trim(), put);
        else put(item.recordId, { state: "left" });
      }
      if (opened === sheet) store.setState({ phase: "ended" });
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
      sheet++;
      const { phase } = store.getState();
      store.setState({ items: null, ...(phase === "ended" && { chosen: [], reason: "" }) });
    },
  };
}

type Put = (recordId: string, change: Partial<BulkItem>) => void;

async function readRows(api: ConsoleApi, recordIds: readonly string[], put: Put): Promise<void> {
  for (let at = 0; at < recordIds.length; at += ROWS_MAX) {
    const part = recordIds.slice(at, at + ROWS_MAX);
    const answer = await settle(api.runList.rows({ recordIds: part }));
    if (answer.ok) for (const run of answer.value.rows) put(run.recordId, { run });
    else for (const recordId of part) put(recordId, { state: "ineligible", code: answer.error.code });
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
