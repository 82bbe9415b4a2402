import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../../state/context.tsx";
import { DENSITIES } from "../../state/layout.ts";
import { THEMES } from "../../state/preferences.ts";
import { LANGUAGES } from "../../text/i18n.ts";
import { LANGUAGE_NAMES } from "../display-menu.tsx";
import type { Entry } from "./rank.ts";

/** What can be done from the palette: only what changes the view, never a record (operator-ux §1.3). */
export function useCommands(): readonly Entry[] {
  const { t } = useTranslation();
  const stores = useStores();
  const frozen = useStore(stores.freeze.store, (state) => state.frozen);
  const modes = useStore(stores.workspace.store, (state) => state.info.value?.modes);
  return useMemo(() => {
    const { bundles, runs, freeze, frame, announcer, preferences, layout, workspace } = stores;
    const command = (id: string, label: string, run: () => void, ...also: readonly string[]): Entry => ({
      id: `command ${id}`,
      kind: "command",
      label,
      also,
      run,
    });
    const copyLink = async (): Promise<void> => {
      await navigator.clipboard.writeText(window.location.href);
      announcer.say(t("copy.done"));
    };
    return [
      command("refresh", t("frame.command.refresh"), () => void runs.refresh(), "refresh"),
      command(
        "freeze",
        t(frozen ? "frame.freeze.resume" : "frame.freeze.pause"),
        freeze.toggle,
        "freeze pause",
      ),
      command("link", t("frame.command.copyLink"), () => void copyLink(), "copy link url"),
      command("diagnosis", t("bundle.diagnosis"), () => void bundles.diagnosis(), "diagnosis support zip"),
      command("keys", t("frame.keys.title"), frame.showKeys, "help keyboard ?"),
      ...(modes ?? []).map((mode) =>
        command(`mode ${mode}`, t(`topBar.mode.${mode}`), () => void workspace.setMode(mode), `mode ${mode}`),
      ),
      ...THEMES.map((theme) =>
        command(
          `theme ${theme}`,
          `${t("topBar.theme")}: ${t(`topBar.themeName.${theme}`)}`,
          () => preferences.setTheme(theme),
          `theme ${theme}`,
        ),
      ),
      ...DENSITIES.map((density) =>
        command(
          `density ${density}`,
          `${t("frame.density.label")}: ${t(`frame.density.${density}`)}`,
          () => layout.setDensity(density),
          `density ${density}`,
        ),
      ),
      ...LANGUAGES.map((language) =>
        command(
          `language ${language}`,
          `${t("topBar.language")}: ${LANGUAGE_NAMES[language]}`,
          () => preferences.setLanguage(language),
          `language ${language}`,
        ),
      ),
    ];
  }, [t, stores, frozen, modes]);
}
