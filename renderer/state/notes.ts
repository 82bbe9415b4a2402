import { createStore } from "zustand/vanilla";
import { type Acknowledgement, type ConsoleApi, type RunNote, settle } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface NotesState {
  /** The item whose mark is being written; null while none is. */
  readonly marking: string | null;
  /** The item whose mark was not taken, and why. */
  readonly markProblem: { readonly itemId: string; readonly problem: Problem } | null;
  readonly runId: string | null;
  readonly notes: Loaded<readonly RunNote[]>;
  readonly busy: boolean;
  readonly problem: Problem | null;
}

const initial: NotesState = {
  marking: null,
  markProblem: null,
  runId: null,
  notes: idle,
  busy: false,
  problem: null,
};

interface NotesDeps {
  readonly api: ConsoleApi;
  /** A fresh UUID. */
  readonly operationId: () => string;
  /** Told of each mark that main took, or took back (null): what its operator waits for (operator-ux U10). */
  readonly marked: (itemId: string, mark: Acknowledgement | null) => void;
}

/** 対応中 and notes on Runs. What main answers is what is shown (operator-ux D8). */
export function createNotesStore({ api, operationId, marked }: NotesDeps) {
  const store = createStore<NotesState>(() => initial);
  const taken = (runId: string, answer: Awaited<ReturnType<ConsoleApi["notes"]["list"]>>): void =>
    store.setState((state) => {
      if (state.runId !== runId) return state;
      return answer.ok
        ? { notes: ready(answer.value.notes), busy: false, problem: null }
        : { busy: false, problem: answer.error };
    });
  return {
    store,
    mark: (itemId: string | null) => store.setState({ marking: itemId, markProblem: null }),
    /** Answers whether main took it. */
    async acknowledge(itemId: string, name: string, note: string): Promise<boolean> {
      const answer = await settle(api.notes.acknowledge({ itemId, name, note }));
      if (answer.ok) marked(itemId, answer.value);
      store.setState(
        answer.ok ? { marking: null, markProblem: null } : { markProblem: { itemId, problem: answer.error } },
      );
      return answer.ok;
    },
    async release(itemId: string): Promise<void> {
      const answer = await settle(api.notes.release({ itemId }));
      if (answer.ok) marked(itemId, null);
      store.setState({ markProblem: answer.ok ? null : { itemId, problem: answer.error } });
    },
    async open(runId: string): Promise<void> {
      if (store.getState().runId !== runId) store.setState({ ...initial, runId });
      store.setState((state) => ({ notes: loading(state.notes) }));
      const answer = await settle(api.notes.list({ runId }));
      store.setState((state) => {
        if (state.runId !== runId) return state;
        return answer.ok
          ? { notes: ready(answer.value.notes) }
          : { notes: failed(state.notes, answer.error) };
      });
    },
    /** Answers whether it was kept: only then the field may be emptied. */
    async add(author: string, text: string): Promise<boolean> {
      const { runId, busy } = store.getState();
      if (runId === null || busy) return false;
      store.setState({ busy: true, problem: null });
      const answer = await settle(api.notes.add({ noteId: operationId(), runId, author, text }));
      taken(runId, answer);
      return answer.ok;
    },
    async remove(noteId: string): Promise<void> {
      const { runId } = store.getState();
      if (runId === null) return;
      taken(runId, await settle(api.notes.remove({ runId, noteId })));
    },
    close: () => store.setState({ runId: null, notes: idle, problem: null, busy: false }),
    reset: () => store.setState(initial, true),
  };
}
export type NotesStore = ReturnType<typeof createNotesStore>;
