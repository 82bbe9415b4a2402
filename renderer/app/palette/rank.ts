import { foldForSearch } from "../../../shared/api/index.ts";

/** In the order in which equally good hits are shown. */
const ENTRY_KINDS = ["page", "run", "network", "node", "guidance", "command"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export interface Entry {
  readonly id: string;
  readonly kind: EntryKind;
  readonly label: string;
  /** Said beside the label, in a quieter voice. */
  readonly detail?: string;
  /** Found by these as well: an id, the word in the other language. */
  readonly also?: readonly string[];
  /** Goes to a view or changes one; never does anything that could not be taken back by looking away. */
  readonly run: () => void;
}

/** Most entries shown for one text. */
const SHOWN_MAX = 40;

/** How well an entry answers the words, less is better; null when a word is nowhere in it. */
function scoreOf(entry: Entry, whole: string, words: readonly string[]): number | null {
  const label = foldForSearch(entry.label);
  const rest = foldForSearch([entry.detail ?? "", ...(entry.also ?? [])].join("\n"));
  if (!words.every((word) => label.includes(word) || rest.includes(word))) return null;
  if (label === whole || (entry.also ?? []).some((each) => foldForSearch(each) === whole)) return 0;
  if (label.startsWith(whole)) return 1;
  if (label.split(/[\s\-_.@:/›]+/).some((part) => words.some((word) => part.startsWith(word)))) return 2;
  return words.every((word) => label.includes(word)) ? 3 : 4;
}

/**
 * The entries a text finds, best first: width, case and kana do not count (operator-ux §5.1, search). Without a text,
 * pages and commands in their own order.
 */
export function rankEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const whole = foldForSearch(text.trim());
  if (whole === "")
    return entries.filter(({ kind }) => kind === "page" || kind === "command").slice(0, SHOWN_MAX);
  const words = whole.split(/\s+/);
  return entries
    .map((entry, place) => ({ entry, place, score: scoreOf(entry, whole, words) }))
    .filter((hit) => hit.score !== null)
    .sort(
      (left, right) =>
        (left.score ?? 0) - (right.score ?? 0) ||
        ENTRY_KINDS.indexOf(left.entry.kind) - ENTRY_KINDS.indexOf(right.entry.kind) ||
        left.place - right.place,
    )
    .slice(0, SHOWN_MAX)
    .map(({ entry }) => entry);
}
