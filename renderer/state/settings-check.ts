import type { StoreApi } from "zustand/vanilla";
import { type CheckEvent, type CheckItem, type ConsoleApi, unreachable } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";

export interface CheckState {
  readonly connectionId: string | null;
  readonly phase: "idle" | "running" | "ended" | "stopped" | "failed";
  readonly total: number;
  /** In the order in which they were looked at; the last may still be running. */
  readonly items: readonly CheckItem[];
  readonly endedAt: string | null;
  readonly problem: Problem | null;
}

export const initialCheck: CheckState = {
  connectionId: null,
  phase: "idle",
  total: 0,
  items: [],
  endedAt: null,
  problem: null,
};

/** A check after one more event; an item replaces what was told of it before. */
export function applyCheckEvent(check: CheckState, event: CheckEvent): CheckState {
  switch (event.kind) {
    case "planned":
      return { ...check, total: event.total };
    case "item": {
      const rest = check.items.filter(({ id }) => id !== event.item.id);
      return { ...check, items: [...rest, event.item] };
    }
    case "ended":
      return { ...check, phase: "ended", endedAt: event.at };
    case "refused":
      return { ...check, phase: "failed", problem: { code: event.code, message: event.message } };
  }
}

/** What was being looked at when a check stopped was not looked at. */
const cut = (check: CheckState, phase: "stopped" | "failed"): CheckState => ({
  ...check,
  phase,
  items: check.items.filter(({ result }) => result !== null),
});

/** Runs one check at a time; another, or a stop, ends it in main too. */
export function createChecking(store: StoreApi<{ readonly check: CheckState }>, api: ConsoleApi) {
  let running: AbortController | null = null;
  const update = (change: (check: CheckState) => CheckState): void =>
    store.setState((state) => ({ check: change(state.check) }));
  const stopCheck = (): void => {
    if (running === null) return;
    running.abort();
    running = null;
    update((check) => cut(check, "stopped"));
  };
  return {
    stopCheck,
    async startCheck(connectionId: string): Promise<void> {
      stopCheck();
      const mine = new AbortController();
      running = mine;
      update(() => ({ ...initialCheck, connectionId, phase: "running" }));
      try {
        const events = await api.settings.check({ connectionId }, { signal: mine.signal });
        for await (const event of events) {
          if (mine.signal.aborted) return;
          update((check) => applyCheckEvent(check, event));
        }
        if (!mine.signal.aborted)
          update((check) => (check.phase === "running" ? cut(check, "stopped") : check));
      } catch (cause) {
        if (mine.signal.aborted) return;
        update((check) => ({ ...cut(check, "failed"), problem: unreachable(cause) }));
      } finally {
        if (running === mine) running = null;
      }
    },
  };
}
