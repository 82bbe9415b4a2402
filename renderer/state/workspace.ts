import { createStore } from "zustand/vanilla";
import { type ConsoleApi, type Network, settle, type WorkspaceInfo } from "../../shared/api/index.ts";
import { failed, idle, type Loaded, loading, ready } from "./load.ts";

export interface WorkspaceState {
  readonly info: Loaded<WorkspaceInfo>;
  readonly networks: Loaded<readonly Network[]>;
}

const initial: WorkspaceState = { info: idle, networks: idle };

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
    reset: () => store.setState(initial, true),
  };
}
export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;
