import { useEffect } from "react";
import { useStores } from "../state/context.tsx";
import { AREAS } from "./navigation.tsx";
import { keyFacts, shortcutOf } from "./shortcuts.ts";
import { goTo } from "./use-route.ts";

const searchField = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main input[type="search"], main [role="searchbox"]');

/** The keys of the whole window; `/` goes to the first search field of the page. */
export function useShortcuts(): void {
  const { palette, frame } = useStores();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const shortcut = shortcutOf(keyFacts(event), AREAS.length);
      if (shortcut === null) return;
      event.preventDefault();
      switch (shortcut.kind) {
        case "palette":
          palette.open();
          break;
        case "cheatSheet":
          frame.showKeys();
          break;
        case "search":
          searchField()?.focus();
          break;
        case "area": {
          const area = AREAS[shortcut.index];
          if (area !== undefined) goTo(area.route);
        }
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [palette, frame]);
}
