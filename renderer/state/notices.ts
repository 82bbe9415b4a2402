import { createStore } from "zustand/vanilla";
import { type AttentionEntry, type AttentionPicture, resolvedIn } from "../../shared/api/index.ts";

/** Notices that stand beside each other; more are counted in one line (operator-ux §1.2, grouped). */
const SHOWN = 3;

export interface NoticesState {
  /** Newest first. */
  readonly items: readonly AttentionEntry[];
  /** How many more came up than are shown. */
  readonly more: number;
}

const none: NoticesState = { items: [], more: 0 };

/** What came up in a picture that the one before did not hold; nothing at the first one. Pure. */
export function newItems(
  before: AttentionPicture | null,
  after: AttentionPicture,
): readonly AttentionEntry[] {
  if (before === null) return [];
  const known = new Set(before.items.map(({ id }) => id));
  return after.items.filter(({ id }) => !known.has(id));
}

/**
 * New items of 要対応 as notices on every page. They stay until they are closed, opened or resolved: nothing with a time
 * limit (operator-ux §4, 2.2.1). They are never the only channel: the list holds all of them.
 */
export function createNoticesStore() {
  const store = createStore<NoticesState>(() => none);
  return {
    store,
    take(before: AttentionPicture | null, after: AttentionPicture): void {
      const over = resolvedIn(after);
      store.setState((state) => {
        const kept = state.items.filter(({ id }) => !over?.(id));
        const standing = new Set(kept.map(({ id }) => id));
        const fresh = newItems(before, after).filter(({ id }) => !standing.has(id));
        if (fresh.length === 0 && kept.length === state.items.length) return state;
        const all = [...fresh, ...kept];
        return { items: all.slice(0, SHOWN), more: state.more + Math.max(0, all.length - SHOWN) };
      });
    },
    close: (id: string) =>
      store.setState(({ items, more }) => {
        const left = items.filter((item) => item.id !== id);
        return { items: left, more: left.length === 0 ? 0 : more };
      }),
    reset: () => store.setState(none, true),
  };
}
export type NoticesStore = ReturnType<typeof createNoticesStore>;
