import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type ConsoleApi,
  type RolesFile,
  type SettingsFile,
  type SettingsView,
  settle,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";
import { type CheckState, createChecking, initialCheck } from "./settings-check.ts";

export interface SettingsState {
  readonly view: Loaded<SettingsView>;
  /** What is typed; null while it is what was read. */
  readonly draft: SettingsFile | null;
  readonly rolesDraft: RolesFile | null;
  /** A saving was asked for: from then on empty fields are told of too. */
  readonly attempted: boolean;
  readonly saving: boolean;
  readonly saveProblem: Problem | null;
  /** The token on its way, as `connection slot`. */
  readonly tokenBusy: string | null;
  readonly tokenProblem: { readonly key: string; readonly problem: Problem } | null;
  readonly check: CheckState;
}

const untouched = { draft: null, rolesDraft: null, attempted: false, saveProblem: null } as const;
const initial: SettingsState = {
  ...untouched,
  view: idle,
  saving: false,
  tokenBusy: null,
  tokenProblem: null,
  check: initialCheck,
};

export interface SettingsDeps {
  readonly api: ConsoleApi;
  /** Told what was saved, for what shows at once. */
  readonly saved: (settings: SettingsFile) => void;
}

/** What the form shows: the typed settings, else those that were read. */
export const shownSettings = ({ view, draft }: SettingsState): SettingsFile | null =>
  draft ?? view.value?.settings ?? null;
export const shownRoles = ({ view, rolesDraft }: SettingsState): RolesFile | null =>
  rolesDraft ?? view.value?.roles.file ?? null;
export const isDirty = ({ draft, rolesDraft }: SettingsState): boolean =>
  draft !== null || rolesDraft !== null;
export const tokenKey = (connectionId: string, slot: string): string => `${connectionId} ${slot}`;

/** The settings form over what main keeps: a draft is saved whole, on top of what was read, or not at all. */
export function createSettingsStore(deps: SettingsDeps) {
  const store = createStore<SettingsState>(() => initial);
  const load = async (): Promise<void> => {
    store.setState((state) => ({ view: loading(state.view) }));
    const answer = await settle(deps.api.settings.get({}));
    store.setState((state) => ({ view: answer.ok ? ready(answer.value) : failed(state.view, answer.error) }));
  };
  return {
    store,
    load,
    ...createEditing(store),
    ...createTokens(store, deps),
    ...createChecking(store, deps.api),
    save: () => save(store, deps),
    /** Drops what was typed and shows what is kept now. */
    async reload(): Promise<void> {
      store.setState(untouched);
      await load();
    },
    /** Settings or roles were saved somewhere: what is on show is read anew, what is typed stays. */
    async heard(): Promise<void> {
      const { view, saving } = store.getState();
      if (view.value !== null && !saving && !isDirty(store.getState())) await load();
    },
    reset: () => store.setState(initial, true),
  };
}
export type SettingsStore = ReturnType<typeof createSettingsStore>;

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

function createEditing(store: StoreApi<SettingsState>) {
  return {
    edit(change: (settings: SettingsFile) => SettingsFile): void {
      const state = store.getState();
      const shown = shownSettings(state);
      if (shown === null) return;
      const next = change(shown);
      // Typed back to what it was: nothing to save any more.
      store.setState({ draft: same(next, state.view.value?.settings) ? null : next, saveProblem: null });
    },
    editRoles(next: RolesFile): void {
      const { view } = store.getState();
      store.setState({ rolesDraft: same(next, view.value?.roles.file) ? null : next, saveProblem: null });
    },
    discard: () => store.setState(untouched),
    attempt: () => store.setState({ attempted: true }),
  };
}

async function save(store: StoreApi<SettingsState>, { api, saved }: SettingsDeps): Promise<boolean> {
  const { draft, rolesDraft, view, saving } = store.getState();
  if (saving || view.value === null) return false;
  store.setState({ saving: true, saveProblem: null });
  try {
    if (draft !== null) {
      const answer = await settle(api.settings.save({ revision: view.value.revision, settings: draft }));
      if (!answer.ok) return refuse(store, answer.error);
      store.setState({ view: ready(answer.value), draft: null });
      saved(answer.value.settings);
    }
    if (rolesDraft !== null) {
      // Two files: what is saved of the first stays saved, and the form shows what is left.
      const { revision } = view.value.roles;
      const answer = await settle(api.settings.saveRoles({ revision, roles: rolesDraft }));
      if (!answer.ok) return refuse(store, answer.error);
      store.setState({ view: ready(answer.value), rolesDraft: null });
    }
    store.setState({ attempted: false });
    return true;
  } finally {
    store.setState({ saving: false });
  }
}

function refuse(store: StoreApi<SettingsState>, saveProblem: Problem): false {
  store.setState({ saveProblem });
  return false;
}

/** A token goes to main and is forgotten here: nothing of it ever stands in the store. */
function createTokens(store: StoreApi<SettingsState>, { api }: SettingsDeps) {
  const settled = async (
    key: string,
    call: ReturnType<ConsoleApi["settings"]["setToken"]>,
  ): Promise<boolean> => {
    store.setState({ tokenBusy: key, tokenProblem: null });
    const answer = await settle(call);
    store.setState((state) => ({
      tokenBusy: null,
      tokenProblem: answer.ok ? null : { key, problem: answer.error },
      view: answer.ok ? ready(answer.value) : state.view,
    }));
    return answer.ok;
  };
  return {
    setToken: (connectionId: string, slot: string, token: string): Promise<boolean> =>
      settled(tokenKey(connectionId, slot), api.settings.setToken({ connectionId, slot, token })),
    removeToken: (connectionId: string, slot: string): Promise<boolean> =>
      settled(tokenKey(connectionId, slot), api.settings.removeToken({ connectionId, slot })),
  };
}
