import { type KeyboardEvent, type PointerEvent, type ReactNode, type Ref, useEffect, useRef } from "react";
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
  /** The detail's share before anybody dragged the divider, in per cent. */
  readonly usualShare?: number;
  /** Tallest the detail gets before it scrolls; CSS length. Without one it is as tall as the list. */
  readonly maxHeight?: string;
  readonly onClose: () => void;
}

/**
 * A list and, to its right, the details of one subject: resizable by pointer and by keys, closed by Esc, its width
 * remembered (screens, Frame; operator-ux §4, 2.5.7). Closing gives the focus back to where it came from.
 */
export function Split({ id, children, detail, detailKey, detailLabel, onClose, ...looks }: SplitProps) {
  const { layout } = useStores();
  const { usualShare = USUAL_SHARE, maxHeight = "none" } = looks;
  const share = useStore(layout.store, (state) => state.splits[id] ?? usualShare);
  const open = detail !== null;
  const panel = useFocusOfDetail(open ? detailKey : null);
  const variables = { "--detail": `${share}%`, "--detail-height": maxHeight };
  const setShare = (next: number): void => layout.setSplit(id, next);
  return (
    <div className={styles.split} style={variables as React.CSSProperties} data-open={open}>
      <div className={styles.main}>{children}</div>
      {open && (
        <>
          <Divider share={share} usual={usualShare} onShare={setShare} label={detailLabel} />
          <Detail key={detailKey} ref={panel} label={detailLabel} onClose={onClose}>
            {detail}
          </Detail>
        </>
      )}
    </div>
  );
}

/**
 * The focus follows what is opened: to the detail when it opens or changes its subject, back to where it came from
 * when it closes. A page that comes up with a detail open moves it only when nothing else has it.
 */
function useFocusOfDetail(shown: string | null) {
  const panel = useRef<HTMLElement>(null);
  const before = useRef<string | null>(null);
  const from = useRef<Element | null>(null);
  const begun = useRef(false);
  useEffect(() => {
    const first = !begun.current;
    const focused = document.activeElement;
    const lost = focused === null || focused === document.body;
    begun.current = true;
    if (shown !== null && (first ? lost : shown !== before.current)) {
      if (before.current === null) from.current = focused;
      panel.current?.focus();
    }
    if (shown === null && before.current !== null && lost) {
      if (from.current instanceof HTMLElement && from.current.isConnected) from.current.focus();
    }
    before.current = shown;
  }, [shown]);
  return panel;
}

interface DividerProps {
  readonly share: number;
  readonly usual: number;
  readonly onShare: (share: number) => void;
  readonly label: string;
}

function Divider({ share, usual, onShare, label }: DividerProps) {
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
      onDoubleClick={() => onShare(usual)}
    />
  );
}

interface DetailProps {
  readonly ref: Ref<HTMLElement>;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Detail({ ref, label, onClose, children }: DetailProps) {
  const { t } = useTranslation();
  useEscape(onClose);
  return (
    <aside className={styles.detail} ref={ref} tabIndex={-1} aria-label={label}>
      <button type="button" className={styles.close} onClick={onClose} aria-label={t("frame.split.close")}>
        <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
          <path d="M3 3l8 8M11 3l-8 8" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
      </button>
      {children}
    </aside>
  );
}
