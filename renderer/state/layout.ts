import { z } from "zod";
import { createStore } from "zustand/vanilla";
import type { PreferenceStorage } from "./preferences.ts";

export const DENSITIES = ["compact", "comfortable"] as const;
export type Density = (typeof DENSITIES)[number];

/** Narrowest and widest a split's detail may get, in per cent of the whole (operator-ux §4, 1.4.10). */
export const SPLIT_MIN = 20;
export const SPLIT_MAX = 80;
/** Narrowest and widest column, CSS pixels. */
export const COLUMN_MIN = 48;
export const COLUMN_MAX = 960;

const name = z.string().min(1).max(60);
/** How this window was left (operator-ux §1.3, layout memory). */
const layoutSchema = z.strictObject({
  kind: z.literal("FLOWNET_LAYOUT"),
  formatVersion: z.literal(1),
  density: z.enum(DENSITIES),
  /** Address of the page that was open last, from `#` on. */
  lastView: z.string().max(2000).startsWith("#/").nullable(),
  /** Share of the detail by split, in per cent. */
  splits: z.record(name, z.number().min(SPLIT_MIN).max(SPLIT_MAX)),
  /** Widths by table and column, CSS pixels. */
  columns: z.record(name, z.record(name, z.number().min(COLUMN_MIN).max(COLUMN_MAX))),
});
export type Layout = z.infer<typeof layoutSchema>;

export const usualLayout: Layout = {
  kind: "FLOWNET_LAYOUT",
  formatVersion: 1,
  density: "compact",
  lastView: null,
  splits: {},
  columns: {},
};

const KEY = "flownet.layout";

/** The layout in a stored text; the usual one when it is none of ours. */
export function parseLayout(text: string | null): Layout {
  if (text === null) return usualLayout;
  try {
    const parsed = layoutSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : usualLayout;
  } catch {
    return usualLayout;
  }
}

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(value)));

/** The layout of this window, kept in the browser's own storage. */
export function createLayoutStore(deps: { readonly storage: PreferenceStorage }) {
  const store = createStore<Layout>(() => parseLayout(deps.storage.getItem(KEY)));
  const keep = (change: Partial<Layout>): void => {
    store.setState(change);
    deps.storage.setItem(KEY, JSON.stringify(store.getState()));
  };
  return {
    store,
    setDensity: (density: Density) => keep({ density }),
    setLastView: (lastView: string) =>
      keep({ lastView: layoutSchema.shape.lastView.catch(null).parse(lastView) }),
    setSplit: (id: string, share: number) =>
      keep({ splits: { ...store.getState().splits, [id]: within(share, SPLIT_MIN, SPLIT_MAX) } }),
    setColumn(table: string, column: string, width: number): void {
      const { columns } = store.getState();
      keep({
        columns: {
          ...columns,
          [table]: { ...columns[table], [column]: within(width, COLUMN_MIN, COLUMN_MAX) },
        },
      });
    },
    reset: () => store.setState(parseLayout(deps.storage.getItem(KEY)), true),
  };
}
export type LayoutStore = ReturnType<typeof createLayoutStore>;
