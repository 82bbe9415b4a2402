import { createStore, type StoreApi } from "zustand/vanilla";
import type { Acknowledgement, AttentionEntry, AttentionPicture } from "../../shared/api/index.ts";
import { type AttentionRows, freshRows, heldRows, noRows, withMark } from "./attention-list.ts";
import type { FreezeState } from "./freeze.ts";

export interface AttentionState {
  /** As last told by main; null before the first. */
  readonly picture: AttentionPicture | null;
  readonly shown: AttentionRows;
  /** The pointer or the focus is inside the list. */
  readonly held: boolean;
  /** Ids of the rows whose evidence is open. */
  readonly open: ReadonlySet<string>;
  /** How many results nobody knows came up since the page was opened; said at once to a screen reader. */
  readonly newUnknown: number;
}

const initial: AttentionState = {
  picture: null,
  shown: noRows,
  held: false,
  open: new Set(),
  newUnknown: 0,
};

/** How many items of a kind stand in `after` that did not stand in `before`; none at the first picture. */
export function newcomers(
  before: AttentionPicture | null,
  after: AttentionPicture,
  kind?: AttentionPicture["items"][number]["kind"],
): number {
  if (before === null) return 0;
  const known = new Set(before.items.map((item) => item.id));
  return after.items.filter((item) => !known.has(item.id) && (kind === undefined || item.kind === kind))
    .length;
}

/** 要対応: the list as main tells it, held still while somebody is in it, and as a whole while the page is frozen (operator-ux U5, U10). */
export function createAttentionStore(deps: { readonly freeze: StoreApi<FreezeState> }) {
  const store = createStore<AttentionState>(() => initial);
  let unseen: AttentionPicture | null = null;
  const show = (picture: AttentionPicture): void => {
    store.setState((state) => ({
      picture,
      shown: state.held ? heldRows(state.shown, picture) : freshRows(picture.items),
      newUnknown: state.newUnknown + newcomers(state.picture, picture, "unknown"),
    }));
  };
  deps.freeze.subscribe(({ frozen }) => {
    if (frozen || unseen === null) return;
    show(unseen);
    unseen = null;
  });
  return {
    store,
    take(picture: AttentionPicture): void {
      if (deps.freeze.getState().frozen && store.getState().picture !== null) unseen = picture;
      else show(picture);
    },
    /** A mark that this window made or took back: an answer, shown also where news are held back (operator-ux D8, U10). */
    marked(itemId: string, mark: Acknowledgement | null): void {
      const one = (item: AttentionEntry): AttentionEntry =>
        item.id === itemId ? withMark(item, mark) : item;
      const told = (picture: AttentionPicture | null): AttentionPicture | null =>
        picture && { ...picture, items: picture.items.map(one) };
      unseen = told(unseen);
      store.setState(({ picture, shown }) => ({
        picture: told(picture),
        shown: { ...shown, rows: shown.rows.map((row) => ({ ...row, item: one(row.item) })) },
      }));
    },
    /** Inside the list nothing moves; outside it is as main orders it. */
    hold(held: boolean): void {
      store.setState((state) => {
        if (state.held === held) return state;
        return held || state.picture === null ? { held } : { held, shown: freshRows(state.picture.items) };
      });
    },
    /** The order of now, although the operator is inside. */
    reorder: () =>
      store.setState((state) => (state.picture === null ? state : { shown: freshRows(state.picture.items) })),
    toggle(id: string): void {
      store.setState(({ open }) => ({
        open: open.has(id) ? new Set([...open].filter((each) => each !== id)) : new Set([...open, id]),
      }));
    },
    reset: () => store.setState(initial, true),
  };
}
export type AttentionStore = ReturnType<typeof createAttentionStore>;
