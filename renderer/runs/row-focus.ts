/** Rows a page key moves by. */
const PAGE = 10;

/** The row a key moves the focus to, or null when the key is not for the list. `at` and the answer count from 0. */
export function rowToFocus(key: string, at: number, count: number): number | null {
  const to = (index: number): number => Math.max(0, Math.min(count - 1, index));
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at - 1);
    case "PageDown":
      return to(at + PAGE);
    case "PageUp":
      return to(at - PAGE);
    case "Home":
      return to(0);
    case "End":
      return to(count - 1);
    default:
      return null;
  }
}
