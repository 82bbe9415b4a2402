import type { AttentionPicture } from "./attention.ts";

/**
 * Which items are over, or null when that cannot be told: only a list that was read to its end says that an item is not
 * in it (operator-ux §1.1). Pure.
 */
export function resolvedIn(picture: AttentionPicture): ((itemId: string) => boolean) | null {
  const read = picture.sources.every(
    ({ readAt, problem, pending, absent }) =>
      absent || (readAt !== null && problem === null && pending === 0),
  );
  if (!read || picture.total > picture.items.length) return null;
  const open = new Set(picture.items.map(({ id }) => id));
  return (itemId) => !open.has(itemId);
}
