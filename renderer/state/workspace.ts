import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type Mode,
  type Network,
  settle,
  type WorkspaceInfo,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface WorkspaceState {
  readonly info: Loaded<WorkspaceInfo>;
  readonly networks: Loaded<readonly Network[]>;
  /** Why the mode could not be changed, until it is tried again. */
  readonly modeProblem: Problem | null;
}

const initial: WorkspaceState = { info: idle, networks: idle, modeProblem: null };

/** Where one works, and the networks that may be started there. */
export function createWorkspaceStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<WorkspaceState>(() => initial);
  return {
    store,
    async load(): Promise<void> {
      store.setState((state) => ({ info: loading(state.info), networks: loading(state.networks) }));
      const [info, networks] = await Promise.all([
        settle(deps.api.workspace.get({})),
        settle(deps.api.networks.list({})),
      ]);
      store.setState((state) => ({
        info: info.ok ? ready(info.value) : failed(state.info, info.error),
        networks: networks.ok ? ready(networks.value.networks) : failed(state.networks, networks.error),
      }));
    },
    /** Asks main for another mode; what main answers is what holds. */
    async setMode(mode: Mode): Promise<void> {
      const answer = await settle(deps.api.workspace.setMode({ mode }));
      store.setState(
        answer.ok ? { info: ready(answer.value), modeProblem: null } : { modeProblem: answer.error },
      );
    },
    /** Another window changed the mode. */
    mode: (mode: Mode) =>
      store.setState(({ info }) =>
        info.value === null ? {} : { info: { ...info, value: { ...info.value, mode } } },
      ),
    reset: () => store.setState(initial, true),
  };
}
export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;
