import { createStore } from "zustand/vanilla";
import type { Intent, LiveBatch, Operation } from "../../shared/api/index.ts";
import type { PlanSubject } from "../../shared/domain/operations/operation.ts";
import {
  type ActionDraft,
  changedIntent,
  draftKey,
  freshDraft,
  type IntentChange,
  samePlan,
} from "./action-draft.ts";
import { createFiles } from "./action-files.ts";
import { concerns } from "./action-news.ts";
import { createPlanning, EDIT_PAUSE_MS, NEWS_PAUSE_MS } from "./action-planning.ts";
import { createSending } from "./action-sending.ts";
import { phaseOf, type SentAction, unsettled } from "./action-sent.ts";
import { type ActionDeps, type ActionState, closedAction } from "./action-state.ts";

export type { ActionDeps, ActionState } from "./action-state.ts";

export interface OpenOptions {
  /** Names the subject until the plan does. */
  readonly subject?: Partial<PlanSubject>;
  readonly place?: ActionState["place"];
}

/**
 * The one action of this window: what is meant, what it would do, its confirmation, and what became of it (architecture
 * §4, "A click"; operator-ux §2.2). Nothing is decided here: main plans, checks and executes.
 */
export function createActionStore(deps: ActionDeps) {
  const store = createStore<ActionState>(() => closedAction);
  const planning = createPlanning(store, deps);
  const sending = createSending(store, deps, planning.read);
  const drafts = new Map<string, ActionDraft>();
  /** Closed before their end was known. */
  const away = new Map<string, SentAction>();
  const close = (): void => {
    const { draft, sent, filed } = store.getState();
    if (draft === null) return;
    const key = draftKey(draft.intent);
    const open = sent === null ? filed === null : phaseOf(sent) === "refused";
    if (open) drafts.set(key, draft);
    else drafts.delete(key);
    if (sent !== null && unsettled(sent)) away.set(key, sent);
    planning.stop();
    sending.forget();
    store.setState(closedAction, true);
  };
  return {
    store,
    /** Opens the form; what was filled in for the same subject before is still there (operator-ux D7, D13). */
    async open(intent: Intent, { subject = {}, place = "dialog" }: OpenOptions = {}): Promise<void> {
      close();
      const key = draftKey(intent);
      const sent = away.get(key) ?? null;
      away.delete(key);
      store.setState({
        ...closedAction,
        place,
        draft: drafts.get(key) ?? freshDraft(intent, subject),
        sent,
        planned: sent?.planned ?? null,
      });
      await (sent === null ? planning.read() : sending.ask());
    },
    close,
    /** A change of the form. A plan that would be another one is made anew, a moment later. */
    edit(change: IntentChange): void {
      const { draft } = store.getState();
      const next = draft === null ? null : changedIntent(draft.intent, change);
      if (draft === null || next === null) return;
      store.setState({ draft: { ...draft, intent: next }, sendProblem: null });
      if (!samePlan(draft.intent, next)) planning.soon(EDIT_PAUSE_MS);
    },
    /** What confirms the form rather than being part of it: identifier, consent. */
    fill(change: Partial<Pick<ActionDraft, "typed" | "account" | "consent" | "sentence">>): void {
      store.setState(({ draft }) => ({ draft: draft && { ...draft, ...change }, sendProblem: null }));
    },
    setPassphrase: (passphrase: string) => store.setState({ passphrase }),
    ...createFiles(store, drafts, deps),
    recompute: planning.read,
    touch: planning.touch,
    execute: sending.execute,
    file: sending.file,
    resend: sending.resend,
    canResend: sending.canResend,
    ask: sending.ask,
    again: sending.again,
    /** What main tells of operations: of the open one, and of those whose dialog was closed. */
    follow(operation: Operation): void {
      sending.follow(operation);
      for (const [key, sent] of away) {
        if (sent.operationId !== operation.operationId) continue;
        const next = { ...sent, operation, problem: null };
        if (unsettled(next)) away.set(key, next);
        else away.delete(key);
      }
    },
    /** News of the world: a plan they touch is made anew, and what moved is told (operator-ux D6, U5). */
    heard(batch: Pick<LiveBatch, "resync" | "runs" | "nodes">): void {
      const { draft, planned, sent, filed } = store.getState();
      if (draft === null || sent !== null || filed !== null) return;
      if (concerns(batch, draft, planned)) planning.soon(NEWS_PAUSE_MS);
    },
    reset(): void {
      planning.stop();
      sending.forget();
      drafts.clear();
      away.clear();
      store.setState(closedAction, true);
    },
  };
}
export type ActionStore = ReturnType<typeof createActionStore>;
