import type { KeyboardEvent } from "react";

/**
 * The row a key moves the focus to, or null when the key is not for the list. `at` and the answer count from 0; a page
 * key moves by `page` rows.
 */
export function rowToFocus(key: string, at: number, count: number, page: number): number | null {
  const to = (index: number): number => Math.max(0, Math.min(count - 1, index));
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "PageDown":
      return to(at + page);
    case "PageUp":
      return to(at - page);
    case "Home":
      return to(0);
    case "End":
      return to(count - 1);
    default:
      return null;
  }
}

/**
 * Arrow, page, Home and End keys move between the links `a[data-row]` of the list the event's link stands in; Enter is
 * the link's own. `page` is the number of rows a page key moves by.
 */
export function moveToRow(
  event: KeyboardEvent<HTMLAnchorElement>,
  list: "table" | "tbody" | "ul",
  page: number,
): void {
  if (event.nativeEvent.isComposing) return;
  const rows = event.currentTarget.closest(list);
  const links = [...(rows?.querySelectorAll<HTMLAnchorElement>("a[data-row]") ?? [])];
  const next = rowToFocus(event.key, links.indexOf(event.currentTarget), links.length, page);
  if (next === null) return;
  event.preventDefault();
  links[next]?.focus();
}
