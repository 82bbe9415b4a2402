import {
  Button,
  Menu,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useLanguage, useStores } from "../state/context.tsx";
import { DENSITIES } from "../state/layout.ts";
import { THEMES } from "../state/preferences.ts";
import { LANGUAGES } from "../text/i18n.ts";

/** Each in its own language, so that whoever reads only that one finds it. */
export const LANGUAGE_NAMES = { ja: "日本語", en: "English" } as const;

export function LanguageMenu() {
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

/** Colours and row height of this window. */
export function DisplayMenu() {
  const { t } = useTranslation();
  const { preferences, layout } = useStores();
  const theme = useStore(preferences.store, (state) => state.theme);
  const density = useStore(layout.store, (state) => state.density);
  return (
    <Menu
      checkedValues={{ theme: [theme], density: [density] }}
      onCheckedValueChange={(_, { checkedItems: [chosen] }) => {
        const nextTheme = THEMES.find((each) => each === chosen);
        const nextDensity = DENSITIES.find((each) => each === chosen);
        if (nextTheme) preferences.setTheme(nextTheme);
        if (nextDensity) layout.setDensity(nextDensity);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          appearance="subtle"
          aria-label={`${t("topBar.theme")}: ${t(`topBar.themeName.${theme}`)}`}
          icon={<HalfCircle />}
        />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          <MenuGroup>
            <MenuGroupHeader>{t("topBar.theme")}</MenuGroupHeader>
            {THEMES.map((each) => (
              <MenuItemRadio key={each} name="theme" value={each}>
                {t(`topBar.themeName.${each}`)}
              </MenuItemRadio>
            ))}
          </MenuGroup>
          <MenuDivider />
          <MenuGroup>
            <MenuGroupHeader>{t("frame.density.label")}</MenuGroupHeader>
            {DENSITIES.map((each) => (
              <MenuItemRadio key={each} name="density" value={each}>
                {t(`frame.density.${each}`)}
              </MenuItemRadio>
            ))}
          </MenuGroup>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

function HalfCircle() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
      <circle cx="8" cy="8" r="6" strokeWidth="1.4" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </svg>
  );
}
