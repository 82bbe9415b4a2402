import {
  type Acknowledgement,
  type AttentionEntry,
  type AttentionPicture,
  resolvedIn,
} from "../../shared/api/index.ts";

/** A row as shown; `resolved` when it is over but still stands where the operator looks. */
export interface AttentionRow {
  readonly item: AttentionEntry;
  readonly resolved: boolean;
}

export interface AttentionRows {
  readonly rows: readonly AttentionRow[];
  /** New rows and rows that are over, which a fresh order would let in and out. */
  readonly waiting: number;
}

export const noRows: AttentionRows = { rows: [], waiting: 0 };

/** The rows in the order main gives them. */
export function freshRows(items: readonly AttentionEntry[]): AttentionRows {
  return { rows: items.map((item) => ({ item, resolved: false })), waiting: 0 };
}

/** An item with this mark of 対応中, or without any. */
export function withMark(
  { acknowledged: _, ...item }: AttentionEntry,
  mark: Acknowledgement | null,
): AttentionEntry {
  return mark === null ? item : { ...item, acknowledged: mark };
}

/**
 * The rows while the operator is inside the list: each changes in place, none moves, appears or vanishes under the
 * pointer (operator-ux U5, U6); how many would is told. A row that is missing is over only where the picture can tell
 * that; else it stands as it was last told (§1.1).
 */
export function heldRows(shown: AttentionRows, picture: AttentionPicture): AttentionRows {
  const { items } = picture;
  const over = resolvedIn(picture);
  const news = new Map(items.map((item) => [item.id, item]));
  const known = new Set(shown.rows.map(({ item }) => item.id));
  const rows = shown.rows.map(({ item, resolved }) => {
    const now = news.get(item.id);
    return now === undefined
      ? { item, resolved: over?.(item.id) ?? resolved }
      : { item: now, resolved: false };
  });
  const added = items.filter((item) => !known.has(item.id)).length;
  return { rows, waiting: added + rows.filter(({ resolved }) => resolved).length };
}
