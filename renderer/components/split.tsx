import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { SPLIT_MAX, SPLIT_MIN } from "../state/layout.ts";
import styles from "./split.module.css";
import { useEscape } from "./use-escape.ts";

/** Per cent one arrow key moves the divider by; with Shift. */
const STEP = 2;
const BIG_STEP = 10;
const USUAL_SHARE = 42;

/** The share a key asks for, or null when the key is not for the divider. The detail stands to the right. */
export function shareAfterKey(key: string, shift: boolean, share: number): number | null {
  const step = shift ? BIG_STEP : STEP;
  switch (key) {
    case "ArrowLeft":
      return Math.min(SPLIT_MAX, share + step);
    case "ArrowRight":
      return Math.max(SPLIT_MIN, share - step);
    case "Home":
      return SPLIT_MAX;
    case "End":
      return SPLIT_MIN;
    default:
      return null;
  }
}

interface SplitProps {
  /** Under which name the width is remembered. */
  readonly id: string;
  readonly children: ReactNode;
  /** Null while nothing is open. */
  readonly detail: ReactNode | null;
  /** What the detail shows; changing it moves the focus there. */
  readonly detailKey: string | null;
  /** Named for whoever cannot see the two sides. */
  readonly detailLabel: string;
  readonly onClose: () => void;
}

/**
 * A list and, to its right, the details of one subject: resizable by pointer and by keys, closed by Esc, its width
 * remembered (screens, Frame; operator-ux §4, 2.5.7). Closing gives the focus back to where it came from.
 */
export function Split({ id, children, detail, detailKey, detailLabel, onClose }: SplitProps) {
  const { layout } = useStores();
  const share = useStore(layout.store, (state) => state.splits[id] ?? USUAL_SHARE);
  const open = detail !== null;
  return (
    <div className={styles.split} style={{ "--detail": `${share}%` } as React.CSSProperties} data-open={open}>
      <div className={styles.main}>{children}</div>
      {open && (
        <>
          <Divider share={share} onShare={(next) => layout.setSplit(id, next)} label={detailLabel} />
          <Detail key={detailKey} label={detailLabel} onClose={onClose}>
            {detail}
          </Detail>
        </>
      )}
    </div>
  );
}

interface DividerProps {
  readonly share: number;
  readonly onShare: (share: number) => void;
  readonly label: string;
}

function Divider({ share, onShare, label }: DividerProps) {
  const { t } = useTranslation();
  const dragging = useRef(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = shareAfterKey(event.key, event.shiftKey, share);
    if (next === null) return;
    event.preventDefault();
    onShare(next);
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const whole = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!dragging.current || whole === undefined || whole.width === 0) return;
    onShare(((whole.right - event.clientX) / whole.width) * 100);
  };
  return (
    // The divider of a window is the one separator that takes the focus (WAI-ARIA, window splitter).
    <hr
      className={styles.divider}
      aria-orientation="vertical"
      aria-label={t("frame.split.divider", { what: label })}
      aria-valuenow={Math.round(share)}
      aria-valuemin={SPLIT_MIN}
      aria-valuemax={SPLIT_MAX}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        dragging.current = false;
      }}
      onDoubleClick={() => onShare(USUAL_SHARE)}
    />
  );
}

function Detail({
  label,
  onClose,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const from = document.activeElement;
    panel.current?.focus();
    return () => {
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, []);
  useEscape(onClose);
  return (
    <section className={styles.detail} ref={panel} tabIndex={-1} aria-label={label}>
      <button type="button" className={styles.close} onClick={onClose} aria-label={t("frame.split.close")}>
        <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
          <path d="M3 3l8 8M11 3l-8 8" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
      </button>
      {children}
    </section>
  );
}
