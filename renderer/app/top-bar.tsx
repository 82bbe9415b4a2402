import { Button, Menu, MenuItemRadio, MenuList, MenuPopover, MenuTrigger } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useLanguage, useNow, useStaleness, useStores } from "../state/context.tsx";
import { THEMES } from "../state/preferences.ts";
import { LANGUAGES } from "../text/i18n.ts";
import { agoOf, zoneLabel } from "../text/time.ts";
import styles from "./shell.module.css";

/** Where one works, how fresh the picture is, in which zone, as whom: in the same place on every page. */
export function TopBar() {
  const { t } = useTranslation();
  const info = useStore(useStores().workspace.store, (state) => state.info.value);
  return (
    <header className={styles.bar}>
      {info && (
        <div
          className={styles.workspace}
          data-kind={info.kind}
          style={{ "--workspace": `var(--workspace-${info.kind})` } as React.CSSProperties}
          title={`${info.baseUrl} · ${info.host}`}
        >
          <span className={styles.profile}>{info.profile}</span>
          <span className={styles.kind}>{t(`topBar.kind.${info.kind}`)}</span>
        </div>
      )}
      <div className={styles.facts}>
        <FreshnessMark />
        {info && <span>{zoneLabel(info.timeZone, Date.now())}</span>}
        {info && <span className={styles.optional}>{t(`topBar.mode.${info.mode}`)}</span>}
        {info && <span className={styles.optional}>{t("topBar.who", { who: info.requestedBy })}</span>}
      </div>
      <LanguageMenu />
      <ThemeMenu />
    </header>
  );
}

function FreshnessMark() {
  const { t } = useTranslation();
  const staleness = useStaleness();
  const now = useNow();
  const readAt = useStore(useStores().live.store, (state) => state.freshness?.readAt ?? null);
  const ago = readAt === null ? null : agoOf(readAt, now);
  const age =
    ago === null
      ? t("freshness.reading")
      : ago.unit === "now"
        ? t("freshness.ago.now")
        : t(`freshness.ago.${ago.unit}`, { count: ago.count });
  return (
    <span className={styles.freshness} data-testid="freshness" data-staleness={staleness}>
      <span className={styles.dot} data-staleness={staleness} aria-hidden="true" />
      {t("freshness.source.state")} {age}
      {staleness === "lost" && ` · ${t("freshness.lost")}`}
      {staleness === "stale" && ` · ${t("freshness.stale")}`}
    </span>
  );
}

const LANGUAGE_NAMES = { ja: "日本語", en: "English" } as const;

function LanguageMenu() {
  const { t } = useTranslation();
  const { preferences } = useStores();
  const language = useLanguage();
  return (
    <Menu
      checkedValues={{ language: [language] }}
      onCheckedValueChange={(_, { checkedItems }) => {
        const chosen = LANGUAGES.find((each) => each === checkedItems[0]);
        if (chosen) preferences.setLanguage(chosen);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          appearance="subtle"
          aria-label={`${t("topBar.language")}: ${LANGUAGE_NAMES[language]}`}
        >
          {LANGUAGE_NAMES[language]}
        </Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {LANGUAGES.map((each) => (
            <MenuItemRadio key={each} name="language" value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

function ThemeMenu() {
  const { t } = useTranslation();
  const { preferences } = useStores();
  const theme = useStore(preferences.store, (state) => state.theme);
  return (
    <Menu
      checkedValues={{ theme: [theme] }}
      onCheckedValueChange={(_, { checkedItems }) => {
        const chosen = THEMES.find((each) => each === checkedItems[0]);
        if (chosen) preferences.setTheme(chosen);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          appearance="subtle"
          aria-label={`${t("topBar.theme")}: ${t(`topBar.themeName.${theme}`)}`}
          icon={
            <svg
              width="16"
              height="16"
              viewBox="0 0 16 16"
              fill="none"
              stroke="currentColor"
              aria-hidden="true"
            >
              <circle cx="8" cy="8" r="6" strokeWidth="1.4" />
              <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
            </svg>
          }
        />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {THEMES.map((each) => (
            <MenuItemRadio key={each} name="theme" value={each}>
              {t(`topBar.themeName.${each}`)}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
