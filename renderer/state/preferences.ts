import { createStore } from "zustand/vanilla";
import type { ViewSettings } from "../../shared/api/index.ts";
import { LANGUAGES, type Language } from "../text/i18n.ts";

export const THEMES = ["system", "light", "dark", "contrast"] as const;
export type ThemeChoice = (typeof THEMES)[number];

export interface Preferences {
  readonly language: Language;
  readonly theme: ThemeChoice;
}

/** Where view settings are kept; the browser's own storage, or nothing. */
export interface PreferenceStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const LANGUAGE_KEY = "flownet.language";
const THEME_KEY = "flownet.theme";

/** Language and colours of this window. A stored value that is no choice of ours counts as absent. */
export function createPreferencesStore(deps: {
  readonly storage: PreferenceStorage;
  /** What the system asks for, e.g. `ja-JP`. */
  readonly systemLanguage: string;
}) {
  const fallback: Preferences = {
    language: deps.systemLanguage.startsWith("ja") ? "ja" : "en",
    theme: "system",
  };
  const read = (): Preferences => ({
    language: LANGUAGES.find((each) => each === deps.storage.getItem(LANGUAGE_KEY)) ?? fallback.language,
    theme: THEMES.find((each) => each === deps.storage.getItem(THEME_KEY)) ?? fallback.theme,
  });
  const store = createStore<Preferences>(read);
  return {
    store,
    setLanguage(language: Language): void {
      deps.storage.setItem(LANGUAGE_KEY, language);
      store.setState({ language });
    },
    setTheme(theme: ThemeChoice): void {
      deps.storage.setItem(THEME_KEY, theme);
      store.setState({ theme });
    },
    /** The standard of this host, as it was just saved: it takes the place of what this window had chosen. */
    choose({ language, theme }: ViewSettings): void {
      const chosen = { language: language === "system" ? fallback.language : language, theme };
      deps.storage.setItem(LANGUAGE_KEY, chosen.language);
      deps.storage.setItem(THEME_KEY, chosen.theme);
      store.setState(chosen);
    },
    /** The standard of this host, for a window that has chosen nothing itself. */
    adopt({ language, theme }: ViewSettings): void {
      const free = (key: string): boolean => deps.storage.getItem(key) === null;
      store.setState({
        ...(free(LANGUAGE_KEY) && language !== "system" && { language }),
        ...(free(THEME_KEY) && { theme }),
      });
    },
    reset: () => store.setState(read(), true),
  };
}
export type PreferencesStore = ReturnType<typeof createPreferencesStore>;
