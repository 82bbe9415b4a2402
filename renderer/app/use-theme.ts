import { useEffect, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import type { ThemeName } from "./theme.ts";

function mediaQuery(query: string) {
  const media = window.matchMedia(query);
  return {
    subscribe(listener: () => void): () => void {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    matches: () => media.matches,
  };
}
const dark = mediaQuery("(prefers-color-scheme: dark)");
const forced = mediaQuery("(forced-colors: active)");

/** The theme to show: the operator's choice, else what the system asks for. Marks the document with it. */
export function useTheme(): ThemeName {
  const choice = useStore(useStores().preferences.store, (state) => state.theme);
  const systemDark = useSyncExternalStore(dark.subscribe, dark.matches);
  const systemForced = useSyncExternalStore(forced.subscribe, forced.matches);
  const system: ThemeName = systemForced ? "contrast" : systemDark ? "dark" : "light";
  const theme = choice === "system" ? system : choice;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}
