import { createStore } from "zustand/vanilla";
import { type ConsoleApi, type RunRow, settle } from "../../shared/api/index.ts";

/** Runs the palette offers for one text. */
const PALETTE_RUNS = 20;

export interface PaletteState {
  readonly open: boolean;
  readonly text: string;
  /** Runs found for `text`, or for the text before while the answer is on its way. */
  readonly runs: readonly RunRow[];
  readonly searching: boolean;
}

const initial: PaletteState = { open: false, text: "", runs: [], searching: false };

/** What is typed into the palette and which Runs it finds; main searches, whatever is on the page (operator-ux §1.1). */
export function createPaletteStore(deps: { readonly api: ConsoleApi }) {
  const store = createStore<PaletteState>(() => initial);
  let turn = 0;
  const find = async (text: string): Promise<readonly RunRow[]> => {
    if (text.trim() === "") return [];
    const order = await settle(deps.api.runList.order({ text: text.slice(0, 200) }));
    if (!order.ok) return [];
    const recordIds = order.value.recordIds.slice(0, PALETTE_RUNS);
    const rows = await settle(deps.api.runList.rows({ recordIds }));
    return rows.ok ? rows.value.rows : [];
  };
  return {
    store,
    open: () => store.setState({ ...initial, open: true }),
    close(): void {
      turn += 1;
      store.setState(initial);
    },
    /** An answer that was overtaken by the typing is dropped. */
    async type(text: string): Promise<void> {
      const mine = ++turn;
      store.setState({ text, searching: true });
      const runs = await find(text);
      if (mine === turn) store.setState({ runs, searching: false });
    },
    reset(): void {
      turn += 1;
      store.setState(initial, true);
    },
  };
}
export type PaletteStore = ReturnType<typeof createPaletteStore>;
