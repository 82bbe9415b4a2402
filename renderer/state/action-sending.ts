import type { StoreApi } from "zustand/vanilla";
import { type ActionExecute, type Consent, type Operation, settle } from "../../shared/api/index.ts";
import { lost, type SentAction } from "./action-sent.ts";
import type { ActionDeps, ActionState } from "./action-state.ts";
import { movedIn } from "./moved.ts";

function consentOf({ draft, planned, passphrase }: ActionState): Consent {
  if (draft === null || planned === null || !planned.friction.secondPerson) return { kind: "none" };
  if (draft.consent === "breakGlass") return { kind: "breakGlass", sentence: draft.sentence };
  return { kind: "person", account: draft.account.trim(), passphrase };
}

/** Sends the confirmed form once and follows it by its id (operator-ux D7, D8; electron-desktop I5). */
export function createSending(store: StoreApi<ActionState>, deps: ActionDeps, replan: () => Promise<void>) {
  /** As it was sent, for a second sending under the same id; with the passphrase, so it lives no longer than that. */
  let input: ActionExecute | null = null;
  let requestId: string | null = null;
  const patch = (operationId: string, change: Partial<SentAction>): void =>
    store.setState(({ sent }) =>
      sent?.operationId === operationId ? { sent: { ...sent, ...change } } : { sent },
    );
  const follow = (operation: Operation): void => {
    const { sent } = store.getState();
    if (sent?.operationId !== operation.operationId) return;
    input = null;
    patch(operation.operationId, { operation, problem: null });
  };
  /** Asks for an action whose news may have passed while the line was down. */
  const ask = async (): Promise<void> => {
    const { sent } = store.getState();
    if (sent === null) return;
    const answer = await settle(deps.api.operations.get({ operationId: sent.operationId }));
    if (answer.ok) follow(answer.value);
    else if (store.getState().sent?.operation == null) patch(sent.operationId, { problem: answer.error });
  };
  const send = async (): Promise<void> => {
    const asked = input;
    if (asked === null) return;
    patch(asked.operationId, { problem: null });
    const answer = await settle(deps.api.acting.execute(asked));
    if (store.getState().sent?.operationId !== asked.operationId) return;
    if (answer.ok) return ask();
    if (lost(answer.error)) return patch(asked.operationId, { problem: answer.error });
    input = null;
    const moved = movedIn(answer.error);
    store.setState((state) => ({
      sent: null,
      sendProblem: answer.error,
      moved: [...new Set([...state.moved, ...moved])],
    }));
    await replan();
  };
  return {
    follow,
    ask,
    /** Whatever it was called by and how often: one form is sent once. */
    async execute(): Promise<void> {
      const state = store.getState();
      const { draft, planned, sent, planning, old } = state;
      if (draft === null || planned === null || sent !== null || planning || old) return;
      const operationId = deps.operationId();
      const { seen, fingerprint } = planned.plan;
      const { intent, typed } = draft;
      input = { operationId, intent, seen, fingerprint, typed, consent: consentOf(state) };
      store.setState({
        sent: { operationId, kind: intent.kind, planned, operation: null, problem: null },
        sendProblem: null,
        passphrase: "",
      });
      await send();
    },
    /** The same action once more after its answer was lost: under its id it happens once, whatever arrived before. */
    resend: send,
    /** Whether the same action can still be sent once more. */
    canResend: () => input !== null,
    /** Back to the form after a refusal; nothing was written. */
    async again(): Promise<void> {
      input = null;
      store.setState({ sent: null, sendProblem: null });
      await replan();
    },
    /** Asks for the consent of somebody who is not here; carried out is nothing (operator-ux §2.4, frozen request). */
    async file(): Promise<void> {
      const { draft, planned, sent, planning, old, filing, filed } = store.getState();
      if (draft === null || planned === null || sent !== null || planning || old || filing || filed) return;
      const { seen, fingerprint } = planned.plan;
      const { intent, typed } = draft;
      store.setState({ filing: true, sendProblem: null });
      // Under one id it is one request, also when its answer was lost.
      requestId ??= deps.operationId();
      const answer = await settle(deps.api.approvals.file({ requestId, intent, seen, fingerprint, typed }));
      if (store.getState().draft === null) return;
      if (answer.ok) return store.setState({ filing: false, filed: answer.value });
      store.setState({ filing: false, sendProblem: answer.error });
      if (lost(answer.error)) return;
      requestId = null;
      store.setState(({ moved }) => ({ moved: [...new Set([...moved, ...movedIn(answer.error)])] }));
      await replan();
    },
    forget(): void {
      input = null;
      requestId = null;
    },
  };
}
