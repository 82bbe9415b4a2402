import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { COLUMN_MAX, COLUMN_MIN } from "../state/layout.ts";
import styles from "./column-handle.module.css";

/** CSS pixels one arrow key moves an edge by; with Shift. */
const STEP = 8;
const BIG_STEP = 40;

interface ColumnHandleProps {
  /** Of the column. */
  readonly label: string;
  /** The one handle of the table that Tab reaches; arrow keys go on from it to the others. */
  readonly first: boolean;
  /** CSS pixels as chosen; null while the table decides. */
  readonly chosen: number | null;
  readonly onWidth: (width: number) => void;
}

const cellOf = (element: Element | null): HTMLElement | null => element?.closest("th") ?? null;

/** The right edge of a column, moved by the pointer or by keys (operator-ux §4, 2.5.7). */
export function ColumnHandle({ label, first, chosen, onWidth }: ColumnHandleProps) {
  const { t } = useTranslation();
  const dragging = useRef(false);
  const handle = useRef<HTMLHRElement>(null);
  const [measured, setMeasured] = useState(COLUMN_MIN);
  useLayoutEffect(() => {
    if (chosen === null) setMeasured(cellOf(handle.current)?.offsetWidth ?? COLUMN_MIN);
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.shiftKey ? BIG_STEP : STEP;
    const width = cellOf(event.currentTarget)?.offsetWidth ?? 0;
    switch (event.key) {
      case "ArrowLeft":
        onWidth(width - step);
        break;
      case "ArrowRight":
        onWidth(width + step);
        break;
      case "ArrowUp":
        neighbour(event.currentTarget, "previousElementSibling")?.focus();
        break;
      case "ArrowDown":
        neighbour(event.currentTarget, "nextElementSibling")?.focus();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const cell = cellOf(event.currentTarget);
    if (dragging.current && cell !== null) onWidth(event.clientX - cell.getBoundingClientRect().left);
  };
  return (
    <hr
      ref={handle}
      aria-valuenow={chosen ?? measured}
      className={styles.handle}
      aria-orientation="vertical"
      aria-label={t("frame.column.width", { column: label })}
      aria-valuemin={COLUMN_MIN}
      aria-valuemax={COLUMN_MAX}
      aria-valuetext={t("frame.column.hint")}
      tabIndex={first ? 0 : -1}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        dragging.current = false;
      }}
    />
  );
}

/** The handle of the column beside. */
function neighbour(
  handle: HTMLElement,
  side: "previousElementSibling" | "nextElementSibling",
): HTMLElement | null {
  return handle.closest("th")?.[side]?.querySelector("hr") ?? null;
}
