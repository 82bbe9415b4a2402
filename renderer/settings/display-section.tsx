import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { DENSITIES, VIEW_LANGUAGES, VIEW_THEMES, type ViewSettings } from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";
import { shownSettings } from "../state/settings.ts";
import { ChoiceField, TextField } from "./fields.tsx";
import styles from "./settings.module.css";

const NAMES = { ja: "日本語", en: "English" } as const;

/** 表示: the standard of this host's windows. */
export function DisplaySection() {
  const { t } = useTranslation();
  const { settings } = useStores();
  const view = useStore(settings.store, (state) => shownSettings(state)?.view ?? null);
  if (view === null) return null;
  const set = (change: Partial<ViewSettings>): void =>
    settings.edit((before) => ({ ...before, view: { ...before.view, ...change } }));
  return (
    <div className={styles.form}>
      <p className={styles.hint}>{t("settings.display.hint")}</p>
      <ChoiceField
        path="view.language"
        label={t("settings.display.language")}
        value={view.language}
        choices={VIEW_LANGUAGES.map((value) => ({
          value,
          label: value === "system" ? t("settings.display.system") : NAMES[value],
        }))}
        change={(language) => set({ language })}
      />
      <ChoiceField
        path="view.theme"
        label={t("settings.display.theme")}
        value={view.theme}
        choices={VIEW_THEMES.map((value) => ({ value, label: t(`topBar.themeName.${value}`) }))}
        change={(theme) => set({ theme })}
      />
      <TextField
        path="view.timeZone"
        label={t("settings.display.timeZone")}
        hint={t("settings.display.timeZoneHint")}
        required
        value={view.timeZone}
        change={(timeZone) => set({ timeZone })}
      />
      <ChoiceField
        path="view.density"
        label={t("settings.display.density")}
        value={view.density}
        choices={DENSITIES.map((value) => ({ value, label: t(`settings.display.${value}`) }))}
        change={(density) => set({ density })}
      />
    </div>
  );
}
