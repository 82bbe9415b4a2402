import { type KeyboardEvent, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import styles from "./top-bar.module.css";

/** Says that this host's clock stands too far off the kintone's, and what to do; nothing while it is right (electron-desktop L13). */
export function ClockMark() {
  const { t } = useTranslation();
  const clock = useStore(useStores().live.store, (state) => state.clock);
  const id = useId();
  const surface = useRef<HTMLDivElement>(null);
  if (clock === null || clock.verdict === "fine") return null;
  const { verdict, skewMs } = clock;
  /** Closes the text, not the page behind it. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || surface.current?.matches(":popover-open") !== true) return;
    event.preventDefault();
    surface.current.hidePopover();
  };
  const seconds = Math.round(Math.abs(skewMs) / 1_000).toLocaleString("en");
  return (
    <div className={styles.clockPlace}>
      <button
        type="button"
        className={styles.clock}
        popoverTarget={id}
        data-verdict={verdict}
        data-testid="clock"
        onKeyDown={onKeyDown}
      >
        <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
          <circle cx="7" cy="7" r="5.2" strokeWidth="1.4" />
          <path d="M7 4v3.2L9 8.6" strokeWidth="1.4" strokeLinecap="round" />
        </svg>
        {t(`frame.clock.mark.${skewMs > 0 ? "behind" : "ahead"}`, { seconds })}
      </button>
      <div id={id} ref={surface} className={`${styles.popover} ${styles.clockText}`} popover="auto">
        <h2 className={styles.popoverTitle}>{t("frame.clock.title")}</h2>
        <p className={styles.popoverLine}>{t(`frame.clock.effect.${verdict}`)}</p>
        <p className={styles.popoverLine}>{t("frame.clock.next")}</p>
      </div>
    </div>
  );
}
