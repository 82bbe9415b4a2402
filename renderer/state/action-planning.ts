import type { StoreApi } from "zustand/vanilla";
import { type ConsoleApi, settle } from "../../shared/api/index.ts";
import type { ActionState } from "./action-state.ts";
import { movedBetween } from "./moved.ts";

/** Milliseconds after which a plan no longer counts (operator-ux D6). */
export const PLAN_OLD_MS = 30_000;
/** Between the last key of a form and its plan; between news of the subject and its plan. */
export const EDIT_PAUSE_MS = 400;
export const NEWS_PAUSE_MS = 800;

export interface PlanningDeps {
  readonly api: ConsoleApi;
  readonly later: (work: () => void, ms: number) => () => void;
  readonly nowMs: () => number;
}

/**
 * Keeps the plan of the open form. An answer that was overtaken is dropped. A plan of 30 seconds is made anew while
 * somebody works in the dialog; with nobody there it only turns old, and is made anew at the next touch: a dialog left
 * open over lunch asks kintone nothing (operator-ux U8).
 */
export function createPlanning(store: StoreApi<ActionState>, deps: PlanningDeps) {
  let turn = 0;
  let touched = false;
  let cancelPause: (() => void) | null = null;
  let cancelAge: (() => void) | null = null;
  const stopTimers = (): void => {
    cancelPause?.();
    cancelAge?.();
    cancelPause = null;
    cancelAge = null;
  };
  const grownOld = (): void => {
    cancelAge = null;
    if (touched) void read();
    else store.setState({ old: true });
  };
  const read = async (): Promise<void> => {
    const { draft, sent, filed } = store.getState();
    stopTimers();
    const mine = ++turn;
    if (draft === null || sent !== null || filed !== null) return;
    touched = false;
    store.setState({ planning: true });
    const answer = await settle(deps.api.acting.plan({ intent: draft.intent }));
    if (mine !== turn) return;
    if (!answer.ok) return store.setState({ planning: false, old: true, planProblem: answer.error });
    store.setState(({ planned, moved }) => ({
      planning: false,
      old: false,
      planProblem: null,
      planned: answer.value,
      plannedAtMs: deps.nowMs(),
      moved: [
        ...new Set([...moved, ...(planned === null ? [] : changesOf(planned.plan, answer.value.plan))]),
      ],
    }));
    cancelAge = deps.later(grownOld, PLAN_OLD_MS);
  };
  const soon = (ms: number): void => {
    cancelPause?.();
    cancelPause = deps.later(() => void read(), ms);
  };
  return {
    read,
    soon,
    /** Somebody is at the dialog. */
    touch(): void {
      touched = true;
      if (store.getState().old && !store.getState().planning && store.getState().planProblem === null) {
        void read();
      }
    },
    /** Answers on their way are dropped from now on. */
    stop(): void {
      turn++;
      touched = false;
      stopTimers();
    },
  };
}

function changesOf(before: Planned, after: Planned): readonly string[] {
  // A form that asks for another node looks at other records: nothing moved there.
  if (JSON.stringify(before.subject) !== JSON.stringify(after.subject)) return [];
  return movedBetween(before.seen, after.seen);
}
type Planned = NonNullable<ActionState["planned"]>["plan"];
