import { fits } from "./item.ts";
import type { HistoryItem, HistoryStep, HistoryWalk, WalkWish } from "./ports.ts";

/** A place behind everything a source holds. */
export const ENDED = "0";

/** Some entries of a source, newest first. */
export interface SourcePage {
  readonly items: readonly HistoryItem[];
  /** Entries looked at for them. */
  readonly looked: number;
  /** Where to read on; null behind the last one. */
  readonly next: string | null;
}

/**
 * Walks a source page by page, passing over what the filter does not ask for. A place is the order of the last entry that
 * was taken or passed over, so a walk may end anywhere and go on from there. `from`: {@link ENDED} reads nothing.
 */
export function walkPages(
  { filter, most }: Pick<WalkWish, "filter" | "most">,
  from: string | null,
  readPage: (before: string | null) => Promise<SourcePage>,
): HistoryWalk {
  let items: readonly HistoryItem[] = [];
  let at = 0;
  let place = from;
  let next = from;
  let looked = 0;
  const read = async (): Promise<void> => {
    const page = await readPage(next);
    items = page.items;
    at = 0;
    looked += page.looked;
    next = page.next ?? ENDED;
    if (items.length === 0) place = next;
  };
  const take = (): void => {
    const item = items[at];
    if (item === undefined) return;
    place = item.entry.order;
    at += 1;
  };
  const peek = async (): Promise<HistoryStep> => {
    for (;;) {
      const item = items[at];
      if (item !== undefined) {
        if (fits(item.entry, filter)) return { kind: "item", item };
        take();
      } else if (next === ENDED) {
        place = ENDED;
        return { kind: "end" };
      } else if (looked >= most) return { kind: "bound" };
      else await read();
    }
  };
  return { peek, take, place: () => place, looked: () => looked };
}
