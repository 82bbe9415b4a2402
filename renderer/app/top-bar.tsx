import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { AttentionCount } from "../attention/attention-count.tsx";
import { useOffline, useStores } from "../state/context.tsx";
import { zoneLabel } from "../text/time.ts";
import { ClockMark } from "./clock-mark.tsx";
import { DisplayMenu, LanguageMenu } from "./display-menu.tsx";
import { BudgetMark, FreshnessMenu } from "./freshness-menu.tsx";
import { ModeMenu } from "./mode-menu.tsx";
import styles from "./top-bar.module.css";

/** Where one works, what it costs, how fresh it is, in which zone and mode: in the same place on every page. */
export function TopBar() {
  const info = useStore(useStores().workspace.store, (state) => state.info.value);
  return (
    <header className={styles.bar}>
      <WorkspaceMark />
      <AttentionCount />
      <PaletteButton />
      <div className={styles.facts}>
        <FreshnessMenu />
        <BudgetMark />
        <ClockMark />
        {info && <span className={styles.zone}>{zoneLabel(info.timeZone, Date.now())}</span>}
      </div>
      <ModeMenu />
      <FreezeButton />
      <LanguageMenu />
      <DisplayMenu />
    </header>
  );
}

/** The workspace in a colour, a word and an edge of its own: no two kinds look alike (screens, Frame). */
function WorkspaceMark() {
  const { t } = useTranslation();
  const info = useStore(useStores().workspace.store, (state) => state.info.value);
  const offline = useOffline();
  if (info === null) return null;
  const look = offline ? "offline" : info.purpose;
  return (
    <div
      className={styles.workspace}
      data-look={look}
      data-testid="workspace"
      style={{ "--workspace": `var(--workspace-${look})` } as React.CSSProperties}
      title={`${info.baseUrl} · ${info.host}`}
    >
      <span className={styles.profile}>{info.profile}</span>
      <span className={styles.kind}>{t(`topBar.purpose.${look}`)}</span>
    </div>
  );
}

function PaletteButton() {
  const { t } = useTranslation();
  const { palette } = useStores();
  return (
    <button type="button" className={styles.search} onClick={palette.open} aria-keyshortcuts="Control+K">
      <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
        <circle cx="6" cy="6" r="4" strokeWidth="1.4" />
        <path d="M9.2 9.2L12.5 12.5" strokeWidth="1.4" strokeLinecap="round" />
      </svg>
      <span className={styles.searchWord}>{t("frame.palette.open")}</span>
      <kbd>Ctrl+K</kbd>
    </button>
  );
}

/** 一時停止: the page stands still, a counter tells what is held back (operator-ux U10). */
function FreezeButton() {
  const { t } = useTranslation();
  const { freeze } = useStores();
  const { frozen, held, more } = useStore(freeze.store);
  return (
    <Button
      size="small"
      appearance={frozen ? "primary" : "subtle"}
      aria-pressed={frozen}
      aria-label={
        frozen
          ? t(more ? "frame.freeze.heldMore" : "frame.freeze.held", { count: held })
          : t("frame.freeze.pause")
      }
      title={t(frozen ? "frame.freeze.resume" : "frame.freeze.pause")}
      data-testid="freeze"
      onClick={freeze.toggle}
      icon={
        <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
          {frozen ? (
            <path d="M5 3l7.5 5L5 13z" fill="currentColor" strokeLinejoin="round" />
          ) : (
            <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2" strokeLinecap="round" />
          )}
        </svg>
      }
    >
      {frozen ? `${held.toLocaleString("en")}${more ? "+" : ""}` : null}
    </Button>
  );
}
