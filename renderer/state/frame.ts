import { createStore } from "zustand/vanilla";

export interface FrameState {
  /** The sheet of keys is open. */
  readonly keys: boolean;
}

/** What of the frame itself is open. */
export function createFrameStore() {
  const store = createStore<FrameState>(() => ({ keys: false }));
  return {
    store,
    showKeys: () => store.setState({ keys: true }),
    hideKeys: () => store.setState({ keys: false }),
    reset: () => store.setState({ keys: false }, true),
  };
}
export type FrameStore = ReturnType<typeof createFrameStore>;
