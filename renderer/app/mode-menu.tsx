import {
  Button,
  Menu,
  MenuGroup,
  MenuGroupHeader,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { MODES } from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";
import styles from "./top-bar.module.css";

/** Whether this console may change anything: asked of main, which holds it whatever a page shows (decisions §5). */
export function ModeMenu() {
  const { t } = useTranslation();
  const { workspace } = useStores();
  const info = useStore(workspace.store, (state) => state.info.value);
  if (info === null) return null;
  const { mode, modes, requestedBy } = info;
  return (
    <Menu
      checkedValues={{ mode: [mode] }}
      onCheckedValueChange={(_, { checkedItems }) => {
        const chosen = MODES.find((each) => each === checkedItems[0]);
        if (chosen) void workspace.setMode(chosen);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          appearance="subtle"
          className={styles.mode}
          data-testid="mode"
          data-mode={mode}
          aria-label={t("frame.mode.button", { mode: t(`topBar.mode.${mode}`) })}
        >
          {t(`topBar.mode.${mode}`)}
        </Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          <MenuGroup>
            <MenuGroupHeader>{t("topBar.who", { who: requestedBy })}</MenuGroupHeader>
            {modes.map((each) => (
              <MenuItemRadio key={each} name="mode" value={each}>
                {t(`topBar.mode.${each}`)}
              </MenuItemRadio>
            ))}
          </MenuGroup>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
