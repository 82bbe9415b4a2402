import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import {
  DENSITIES,
  type SettingsFile,
  VIEW_LANGUAGES,
  VIEW_THEMES,
  type ViewSettings,
} from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";
import { shownSettings } from "../state/settings.ts";
import { ChoiceField, TextField } from "./fields.tsx";
import styles from "./settings.module.css";

const NAMES = { ja: "日本語", en: "English" } as const;

/** When the desktop shows no notices; the list and the number on the icon stand all the same (operator-ux §1.2). */
function QuietHours() {
  const { t } = useTranslation();
  const { settings } = useStores();
  const quiet = useStore(settings.store, (state) => shownSettings(state)?.quietHours ?? null);
  const change = (part: Partial<NonNullable<SettingsFile["quietHours"]>>): void =>
    settings.edit((before) => {
      const next = { from: quiet?.from ?? "", to: quiet?.to ?? "", ...part };
      return { ...before, quietHours: next.from === "" && next.to === "" ? null : next };
    });
  return (
    <>
      <TextField
        path="quietHours.from"
        label={t("settings.display.quietFrom")}
        hint={t("settings.display.quietHint")}
        value={quiet?.from ?? ""}
        change={(from) => change({ from })}
      />
      <TextField
        path="quietHours.to"
        label={t("settings.display.quietTo")}
        value={quiet?.to ?? ""}
        change={(to) => change({ to })}
      />
    </>
  );
}

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
      <QuietHours />
    </div>
  );
}
