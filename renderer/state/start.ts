import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type ConsoleApi,
  type Operation,
  type StartPreview,
  type StartTarget,
  settle,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { scheduledForOf } from "../text/time.ts";

export interface StartForm {
  readonly networkId: string;
  readonly naming: "scheduled" | "explicit";
  /** As typed, in the window's zone. */
  readonly date: string;
  readonly time: string;
  readonly businessKey: string;
  readonly reason: string;
}

export interface StartState {
  readonly form: StartForm;
  readonly preview: StartPreview | null;
  readonly previewing: boolean;
  readonly previewProblem: Problem | null;
  /** The operation on its way, from the moment of sending. */
  readonly sent: { readonly operationId: string; readonly operation: Operation | null } | null;
  readonly sendProblem: Problem | null;
}

const emptyForm: StartForm = {
  networkId: "",
  naming: "scheduled",
  date: "",
  time: "00:00",
  businessKey: "",
  reason: "",
};
const initial: StartState = {
  form: emptyForm,
  preview: null,
  previewing: false,
  previewProblem: null,
  sent: null,
  sendProblem: null,
};

/** What a form asks for, or null while it names no target yet. */
export function targetOf(form: StartForm, timeZone: string): StartTarget | null {
  if (form.networkId === "") return null;
  if (form.naming === "explicit") {
    return form.businessKey === "" ? null : { networkId: form.networkId, businessKey: form.businessKey };
  }
  const scheduledFor = scheduledForOf(form.date, form.time, timeZone);
  return scheduledFor === null ? null : { networkId: form.networkId, scheduledFor };
}

export interface StartDeps {
  readonly api: ConsoleApi;
  /** A new operation id. */
  readonly operationId: () => string;
  readonly timeZone: () => string;
}

const TARGET_FIELDS: readonly string[] = ["networkId", "naming", "date", "time", "businessKey"];

/** The start form: its preview follows the typing, its operation is followed to the end (operator-ux D6, D8). */
export function createStartStore(deps: StartDeps) {
  const store = createStore<StartState>(() => initial);
  const preview = createPreviewing(store, deps);
  const sending = createSending(store, deps, preview);
  return {
    store,
    preview,
    ...sending,
    async edit(change: Partial<StartForm>): Promise<void> {
      store.setState((state) => ({ form: { ...state.form, ...change }, sendProblem: null }));
      if (Object.keys(change).some((key) => TARGET_FIELDS.includes(key))) await preview();
    },
    /** Back to an editable form; an accepted operation goes on regardless (operator-ux D7). */
    again: (keep: Partial<StartForm>) =>
      store.setState({ ...initial, form: { ...emptyForm, ...keep } }, true),
    /** The page is left. What has no Run to show for it yet is shown again at the return; all else is in the list. */
    leave(): void {
      const state = store.getState().sent?.operation?.state;
      if (state !== undefined && state !== "accepted") store.setState(initial, true);
    },
    reset: () => store.setState(initial, true),
  };
}
export type StartStore = ReturnType<typeof createStartStore>;

/** Reads the preview of what the form asks for now; an answer that was overtaken by the typing is dropped. */
function createPreviewing(store: StoreApi<StartState>, deps: StartDeps): () => Promise<void> {
  let turn = 0;
  return async () => {
    const mine = ++turn;
    const target = targetOf(store.getState().form, deps.timeZone());
    if (target === null) {
      store.setState({ preview: null, previewing: false, previewProblem: null });
      return;
    }
    store.setState({ previewing: true });
    const answer = await settle(deps.api.start.preview(target));
    if (mine !== turn) return;
    store.setState({
      previewing: false,
      preview: answer.ok ? answer.value : null,
      previewProblem: answer.ok ? null : answer.error,
    });
  };
}

function createSending(store: StoreApi<StartState>, deps: StartDeps, preview: () => Promise<void>) {
  const follow = (operation: Operation): void => {
    store.setState((state) =>
      state.sent?.operationId === operation.operationId ? { sent: { ...state.sent, operation } } : state,
    );
  };
  /** Asks for an operation whose news may have passed while the line was down. */
  const ask = async (): Promise<void> => {
    const { sent } = store.getState();
    if (sent === null) return;
    const answer = await settle(deps.api.operations.get({ operationId: sent.operationId }));
    if (answer.ok) follow(answer.value);
    store.setState({ sendProblem: answer.ok ? null : answer.error });
  };
  const confirm = async (): Promise<void> => {
    const { form, preview: seen, sent } = store.getState();
    const target = targetOf(form, deps.timeZone());
    if (target === null || seen === null || sent !== null) return;
    const operationId = deps.operationId();
    const { fingerprint } = seen;
    store.setState({ sent: { operationId, operation: null }, sendProblem: null });
    const reason = form.reason.trim();
    const answer = await settle(deps.api.start.execute({ ...target, operationId, fingerprint, reason }));
    if (answer.ok) return ask();
    // A refusal leaves nothing behind; an answer that got lost may, so its operation is still followed.
    if (answer.error.code === "CONSOLE_UNREACHABLE") return store.setState({ sendProblem: answer.error });
    store.setState({ sent: null, sendProblem: answer.error });
    await preview();
  };
  return { follow, ask, confirm };
}
