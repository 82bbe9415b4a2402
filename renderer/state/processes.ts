import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type ProcessesPicture,
  processId,
  type StopPlan,
  type StopProgress,
  settle,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { lost } from "./action-sent.ts";
import { reconnectPauseMs } from "./live-loop.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

/** A stop that is being decided or followed. */
export interface StopForm {
  readonly pid: number;
  readonly processStart: string | null;
  readonly plan: Loaded<StopPlan>;
  readonly reason: string;
  readonly typed: string;
  /** Under which id it was sent; null before, and again after a refusal. */
  readonly operationId: string | null;
  /** It is on its way to main. */
  readonly sending: boolean;
  /** Why main did not accept it, or did not answer. */
  readonly problem: Problem | null;
}

export interface ProcessesState {
  readonly picture: ProcessesPicture | null;
  readonly problem: Problem | null;
  readonly stop: StopForm | null;
}

const initial: ProcessesState = { picture: null, problem: null, stop: null };

export interface ProcessesDeps {
  readonly api: ConsoleApi;
  readonly operationId: () => string;
  /** Calls back once, later; returns what takes it back. Milliseconds. */
  readonly later: (work: () => void, ms: number) => () => void;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * 子プロセス: followed while its page is there, and not at all otherwise (operator-ux U3, U8). What a stop would end is
 * read when its form opens and when the operator asks; what became of it comes with the picture.
 */
export function createProcessesStore(deps: ProcessesDeps) {
  const { api } = deps;
  const store = createStore<ProcessesState>(() => initial);
  let watching: AbortController | null = null;

  const follow = async (signal: AbortSignal): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        for await (const picture of await api.processes.watch({}, { signal })) {
          failures = 0;
          store.setState({ picture, problem: null });
        }
      } catch {
        // Whatever ended the stream, the answer is the same: come back.
      }
      if (signal.aborted) return;
      failures += 1;
      await pause(reconnectPauseMs(failures, deps.random()), signal, deps.later);
    }
  };
  const change = (form: Partial<StopForm>): void =>
    store.setState(({ stop }) => ({ stop: stop && { ...stop, ...form } }));
  const plan = async (): Promise<void> => {
    const { stop } = store.getState();
    if (stop === null) return;
    const { pid, processStart } = stop;
    change({ plan: loading(stop.plan) });
    const answer = await settle(api.processes.plan({ pid, processStart }));
    const now = store.getState().stop;
    if (now === null || now.pid !== pid || now.processStart !== processStart) return;
    change({ plan: answer.ok ? ready(answer.value) : failed(now.plan, answer.error) });
  };
  return {
    store,
    /** The page is there: its picture is followed from now on. */
    enter(): void {
      watching?.abort();
      watching = new AbortController();
      void follow(watching.signal);
    },
    leave(): void {
      watching?.abort();
      watching = null;
    },
    /** Opens the form of a stop; opening it asks nobody to do anything (operator-ux D13). */
    async openStop(pid: number, processStart: string | null): Promise<void> {
      const known = store.getState().picture?.stops.find((each) => isUnderWay(each, pid, processStart));
      store.setState({
        stop: {
          pid,
          processStart,
          plan: idle,
          reason: "",
          typed: "",
          operationId: known?.operationId ?? null,
          sending: false,
          problem: null,
        },
      });
      if (known === undefined) await plan();
    },
    closeStop: () => store.setState({ stop: null }),
    plan,
    /** Takes a refusal away; that an answer is missing stays true whatever is typed. */
    fill(form: Partial<Pick<StopForm, "reason" | "typed">>): void {
      const problem = store.getState().stop?.problem ?? null;
      change({ ...form, problem: problem !== null && lost(problem) ? problem : null });
    },
    /** Sends the stop once; the same order keeps its id, so that a lost answer never stops twice. */
    async confirm(): Promise<void> {
      const { stop } = store.getState();
      if (stop === null || stop.sending || stop.plan.value === null) return;
      const operationId = stop.operationId ?? deps.operationId();
      change({ operationId, sending: true, problem: null });
      const { pid, processStart, reason, typed } = stop;
      const { fingerprint } = stop.plan.value;
      const answer = await settle(
        api.processes.stop({ operationId, pid, processStart, fingerprint, typed, reason }),
      );
      if (answer.ok) return change({ sending: false });
      // It may be under way: it keeps its id, under which the picture tells of it and a second sending changes nothing.
      if (lost(answer.error)) return change({ sending: false, problem: answer.error });
      // Refused before anything was done: the form is there again, under another id.
      change({ sending: false, problem: answer.error, operationId: null });
      await plan();
    },
    reset(): void {
      watching?.abort();
      watching = null;
      store.setState(initial, true);
    },
  };
}
export type ProcessesStore = ReturnType<typeof createProcessesStore>;

const isUnderWay = (stop: StopProgress, pid: number, processStart: string | null): boolean =>
  processId(stop.pid, stop.processStart) === processId(pid, processStart) && stop.endedAt === null;

function pause(ms: number, signal: AbortSignal, later: ProcessesDeps["later"]): Promise<void> {
  return new Promise((resolve) => {
    const takeBack = later(resolve, ms);
    signal.addEventListener("abort", () => {
      takeBack();
      resolve();
    });
  });
}
