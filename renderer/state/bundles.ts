import { createStore } from "zustand/vanilla";
import { type ConsoleApi, settle } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { fetchAndSave, type SaveFile } from "./saving.ts";

export interface BundleState {
  /** Which one is or was made last: a Run's, or `diagnosis`. */
  readonly about: string | null;
  readonly phase: "idle" | "busy" | "saved";
  readonly files: number;
  readonly gaps: number;
  readonly bytes: number;
  readonly problem: Problem | null;
}

const initial: BundleState = { about: null, phase: "idle", files: 0, gaps: 0, bytes: 0, problem: null };
export const DIAGNOSIS = "diagnosis";

/** 証跡を保存 and 診断一式を保存: made by main, fetched whole, handed to the window's own way of saving. */
export function createBundlesStore(deps: { readonly api: ConsoleApi; readonly saveFile: SaveFile }) {
  const { api } = deps;
  const store = createStore<BundleState>(() => initial);
  const save = async (about: string, make: () => ReturnType<ConsoleApi["bundle"]["diagnosis"]>) => {
    if (store.getState().phase === "busy") return;
    store.setState({ ...initial, about, phase: "busy" });
    const made = await settle(make());
    const problem = made.ok ? await fetchAndSave(api, made.value.file, deps.saveFile) : made.error;
    if (!made.ok || problem !== null) {
      store.setState({ phase: "idle", problem });
      return;
    }
    const { files, gaps, file } = made.value;
    store.setState({ phase: "saved", files, gaps, bytes: file.bytes });
  };
  return {
    store,
    run: (runId: string) => save(runId, () => api.bundle.run({ runId })),
    diagnosis: () => save(DIAGNOSIS, () => api.bundle.diagnosis({})),
    reset: () => store.setState(initial, true),
  };
}
export type BundlesStore = ReturnType<typeof createBundlesStore>;
