import { type RefObject, useEffect } from "react";

/**
 * Spread on the frame of controls that take each other's place, such as a button and the form it opens: whoever used one
 * of them stands at the first that is there now, or at the frame itself where none is left.
 */
export const HEIRS = { "data-heirs": true } as const;

/** Parts of a page that have a name to be read when the focus comes to them. */
const PARTS = "section, article, aside, fieldset, form, dialog, main";
const HEADINGS = "h1, h2, h3, h4";
const REACHED_BY_TAB = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/**
 * Keeps the focus within `root`: a control that is taken away hands it to its heir (see HEIRS), or else to the heading of
 * the part of the page that it stood in. On the body the focus would be lost: the next Tab would begin at the top, and
 * what is typed on would be taken for shortcuts (operator-ux U5; WCAG 2.4.3). Whatever a component itself gives the focus
 * to stays. Returns the end of it.
 */
export function keepFocus(root: HTMLElement): () => void {
  const page = root.ownerDocument;
  // What has the focus, and everything it stands in: what of this is still there tells where the focus was lost.
  let path: readonly Element[] = [];
  const entered = ({ target }: FocusEvent): void => {
    path = target instanceof Element && root.contains(target) ? pathOf(target, root) : [];
  };
  const left = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null) return;
    // A browser may tell of a control being taken away as of one being left; only afterwards they can be told apart.
    queueMicrotask(() => {
      const held = path[0];
      if (held === target && held?.isConnected && page.activeElement !== held) path = [];
    });
  };
  const changed = (): void => {
    if (path[0]?.isConnected !== false) return;
    const place = path.find((each) => each.isConnected) ?? root;
    path = [];
    const focused = page.activeElement;
    if (focused === null || focused === page.body) handOn(place, root);
  };
  const watcher = new MutationObserver(changed);
  watcher.observe(root, { childList: true, subtree: true });
  page.addEventListener("focusin", entered);
  page.addEventListener("focusout", left);
  return () => {
    watcher.disconnect();
    page.removeEventListener("focusin", entered);
    page.removeEventListener("focusout", left);
  };
}

/** The same for as long as the frame of the page is there. */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => (root.current === null ? undefined : keepFocus(root.current)), [root]);
}

/** The element and what it stands in, up to `root`. */
function pathOf(element: Element, root: Element): readonly Element[] {
  const path: Element[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    path.push(each);
    if (each === root) break;
  }
  return path;
}

/** Gives the focus to the heir of what stood in `place`. */
function handOn(place: Element, root: HTMLElement): void {
  for (const each of pathOf(place, root)) {
    if (!(each instanceof HTMLElement)) continue;
    const heirs = each.dataset.heirs !== undefined;
    const heir = heirs ? firstIn(each) : nameOf(each);
    if (heir === null) continue;
    // A heading may be far above what was in hand: it is read, and the page stays where it is.
    focusOn(heir, { preventScroll: !heirs });
    return;
  }
  const main = root.querySelector<HTMLElement>("main");
  if (main !== null) focusOn(nameOf(main) ?? main, { preventScroll: true });
}

const firstIn = (frame: HTMLElement): HTMLElement =>
  [...frame.querySelectorAll<HTMLElement>(REACHED_BY_TAB)].find((each) => !each.matches(":disabled")) ??
  frame;

/** What names a part of the page: its heading, or itself where it is named without one; null for anything else. */
function nameOf(part: HTMLElement): HTMLElement | null {
  if (!part.matches(PARTS)) return null;
  const labelled = part.ownerDocument.getElementById(part.getAttribute("aria-labelledby") ?? "");
  return (
    labelled ?? part.querySelector<HTMLElement>(HEADINGS) ?? (part.hasAttribute("aria-label") ? part : null)
  );
}

/** Also on what takes no focus otherwise, for as long as it has it. */
function focusOn(element: HTMLElement, options: FocusOptions): void {
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus(options);
}
