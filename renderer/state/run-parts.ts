import { createStore } from "zustand/vanilla";
import {
  type AttemptEvidenceFacts,
  type ConsoleApi,
  type RunDefinition,
  settle,
} from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface RunPartsState {
  readonly runId: string | null;
  readonly definition: Loaded<RunDefinition>;
  /** By attempt id; only of attempts that were looked at. */
  readonly evidence: Readonly<Record<string, Loaded<AttemptEvidenceFacts>>>;
}

const initial: RunPartsState = { runId: null, definition: idle, evidence: {} };

/** What of the open Run is read only when it is looked at (operator-ux U8): its definition, evidence of this host. */
export function createRunPartsStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<RunPartsState>(() => initial);
  const readDefinition = async (): Promise<void> => {
    const { runId } = store.getState();
    if (runId === null) return;
    store.setState((state) => ({ definition: loading(state.definition) }));
    const answer = await settle(deps.api.runParts.definition({ runId }));
    store.setState((state) => {
      if (state.runId !== runId) return state;
      return { definition: answer.ok ? ready(answer.value) : failed(state.definition, answer.error) };
    });
  };
  return {
    store,
    open(runId: string): void {
      if (store.getState().runId !== runId) store.setState({ ...initial, runId });
    },
    /** The stored definition never changes: read once, and again only when asked after a failure. */
    async wantDefinition(): Promise<void> {
      const { phase } = store.getState().definition;
      if (phase === "idle" || phase === "failed") await readDefinition();
    },
    /** What this host's journal says of an attempt, as it is now. */
    async readEvidence(attemptId: string): Promise<void> {
      const put = (value: Loaded<AttemptEvidenceFacts>): void =>
        store.setState((state) => ({ evidence: { ...state.evidence, [attemptId]: value } }));
      const known = store.getState().evidence[attemptId] ?? idle;
      put(loading(known));
      const answer = await settle(deps.api.runParts.evidence({ attemptId }));
      put(answer.ok ? ready(answer.value) : failed(known, answer.error));
    },
    close: () => store.setState(initial, true),
    reset: () => store.setState(initial, true),
  };
}
export type RunPartsStore = ReturnType<typeof createRunPartsStore>;
