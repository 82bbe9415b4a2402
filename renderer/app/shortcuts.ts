/** What a key press is judged by. */
export interface KeyFacts {
  readonly key: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  /** An IME composes: the key belongs to it (operator-ux §5.1). */
  readonly composing: boolean;
  /** The key goes into something that takes text. */
  readonly typing: boolean;
  /** A sheet stands over the page, or the key goes into a menu. */
  readonly inDialog: boolean;
}

export type Shortcut =
  | { readonly kind: "palette" }
  | { readonly kind: "cheatSheet" }
  /** To the search field of the page. */
  | { readonly kind: "search" }
  /** To the area at this place of the navigation, from 0. */
  | { readonly kind: "area"; readonly index: number };

/**
 * What a key press asks for, or null (operator-ux §1.3, keyboard). Single keys only go to places; none of them changes
 * anything. `areas` is how many areas the navigation has.
 */
export function shortcutOf(facts: KeyFacts, areas: number): Shortcut | null {
  if (facts.composing || facts.alt) return null;
  if (facts.ctrl || facts.meta) return facts.key.toLowerCase() === "k" ? { kind: "palette" } : null;
  if (facts.typing || facts.inDialog) return null;
  if (facts.key === "?") return { kind: "cheatSheet" };
  if (facts.key === "/") return { kind: "search" };
  const index = /^[1-9]$/.test(facts.key) ? Number(facts.key) - 1 : -1;
  return index >= 0 && index < areas ? { kind: "area", index } : null;
}

/** The facts of a browser's key event. */
export function keyFacts(event: KeyboardEvent): KeyFacts {
  const target = event.target instanceof Element ? event.target : null;
  return {
    key: event.key,
    ctrl: event.ctrlKey,
    meta: event.metaKey,
    alt: event.altKey,
    // Some input methods report the key that ends a composition as 229 only.
    composing: event.isComposing || event.keyCode === 229,
    typing: target?.closest("input, textarea, select, [contenteditable=true]") != null,
    // Wherever the focus is: the page behind an open sheet is inert, for keys too.
    inDialog:
      document.querySelector("dialog[open]") !== null ||
      target?.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') != null,
  };
}
