import { createStore } from "zustand/vanilla";
import {
  type AuditChain,
  type AuditDetail,
  type AuditEntry,
  type AuditFilter,
  type AuditFormat,
  type AuditPlace,
  type ConsoleApi,
  settle,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { fetchAndSave, type SaveFile } from "./saving.ts";

/** Entries asked for at once. */
const PAGE = 100;

export interface AuditState {
  readonly filter: AuditFilter;
  readonly entries: readonly AuditEntry[];
  readonly phase: "idle" | "loading" | "ready" | "failed";
  readonly problem: Problem | null;
  /** Where older entries begin; null when these are all. */
  readonly next: AuditPlace | null;
  /** Entries looked at for what is shown. */
  readonly looked: number;
  readonly readAt: string | null;
  readonly key: string | null;
  readonly detail: Loaded<AuditDetail>;
  readonly chain: Loaded<AuditChain>;
  readonly saving: "idle" | "busy" | "saved" | "cut";
  readonly saveProblem: Problem | null;
}

const initial: AuditState = {
  filter: {},
  entries: [],
  phase: "idle",
  problem: null,
  next: null,
  looked: 0,
  readAt: null,
  key: null,
  detail: idle,
  chain: idle,
  saving: "idle",
  saveProblem: null,
};

/** 監査履歴: read when the page is opened and when more of it is asked for; nothing polls (operator-ux U8). */
export function createAuditStore(deps: { readonly api: ConsoleApi; readonly saveFile: SaveFile }) {
  const { api } = deps;
  const store = createStore<AuditState>(() => initial);
  let turn = 0;
  const read = async (before: AuditPlace | null): Promise<void> => {
    const mine = ++turn;
    const { filter } = store.getState();
    store.setState({ phase: "loading", problem: null });
    const answer = await settle(api.audit.list({ filter, before, limit: PAGE }));
    if (mine !== turn) return;
    if (!answer.ok) return store.setState({ phase: "failed", problem: answer.error });
    const { entries, next, looked, readAt } = answer.value;
    store.setState((state) => ({
      phase: "ready",
      entries: before === null ? entries : [...state.entries, ...entries],
      looked: before === null ? looked : state.looked + looked,
      next,
      readAt,
    }));
  };
  const readEntry = async (): Promise<void> => {
    const { key } = store.getState();
    if (key === null) return;
    store.setState((state) => ({ detail: loading(state.detail) }));
    const answer = await settle(api.audit.entry({ key }));
    store.setState((state) => {
      if (state.key !== key) return state;
      return { detail: answer.ok ? ready(answer.value) : failed(state.detail, answer.error) };
    });
  };
  return {
    store,
    /** The page shows what a filter finds, from its newest entry on. */
    async show(filter: AuditFilter): Promise<void> {
      const same = JSON.stringify(filter) === JSON.stringify(store.getState().filter);
      if (!same) store.setState({ filter, entries: [], next: null, looked: 0, saving: "idle" });
      await read(null);
    },
    refresh: () => read(null),
    async older(): Promise<void> {
      const { next, phase } = store.getState();
      if (next !== null && phase !== "loading") await read(next);
    },
    async open(key: string | null): Promise<void> {
      if (store.getState().key !== key) store.setState({ key, detail: idle });
      await readEntry();
    },
    readEntry,
    async checkChain(): Promise<void> {
      store.setState((state) => ({ chain: loading(state.chain) }));
      const answer = await settle(api.audit.chain({}));
      store.setState((state) => ({
        chain: answer.ok ? ready(answer.value) : failed(state.chain, answer.error),
      }));
    },
    async save(format: AuditFormat): Promise<void> {
      const { filter, saving } = store.getState();
      if (saving === "busy") return;
      store.setState({ saving: "busy", saveProblem: null });
      const made = await settle(api.audit.export({ filter, format }));
      const problem = made.ok ? await fetchAndSave(api, made.value.file, deps.saveFile) : made.error;
      const saved = made.ok && made.value.complete ? "saved" : "cut";
      store.setState({ saving: problem === null ? saved : "idle", saveProblem: problem });
    },
    leave(): void {
      turn += 1;
      store.setState(initial, true);
    },
    reset(): void {
      turn += 1;
      store.setState(initial, true);
    },
  };
}
export type AuditStore = ReturnType<typeof createAuditStore>;
