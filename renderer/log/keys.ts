import type { KeyFacts } from "../app/shortcuts.ts";

export type LogKey =
  | "next"
  | "previous"
  | "first"
  | "last"
  | "follow"
  | "copy"
  | "up"
  | "down"
  | "pageUp"
  | "pageDown";

/**
 * What a key asks of the log (operator-ux §1.3, keyboard). Letters work wherever nothing is typed; arrow keys only in
 * the list, as everywhere. None of them changes anything.
 */
export function logKeyOf(facts: KeyFacts, inList: boolean): LogKey | null {
  if (facts.composing || facts.alt || facts.typing || facts.inDialog) return null;
  if (facts.ctrl || facts.meta) return inList && facts.key.toLowerCase() === "c" ? "copy" : null;
  return LETTERS.get(facts.key) ?? (inList ? (MOVES.get(facts.key) ?? null) : null);
}

const LETTERS: ReadonlyMap<string, LogKey> = new Map([
  ["n", "next"],
  ["N", "previous"],
  ["g", "first"],
  ["G", "last"],
  ["f", "follow"],
]);

const MOVES: ReadonlyMap<string, LogKey> = new Map([
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
  ["PageUp", "pageUp"],
  ["PageDown", "pageDown"],
  ["Home", "first"],
  ["End", "last"],
]);
