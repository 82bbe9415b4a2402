import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type ComponentType,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { rowToFocus } from "./row-focus.ts";
import unseen from "./unseen.module.css";
import { useRowHeight } from "./use-row-height.ts";
import styles from "./virtual-table.module.css";
import { TableHead, type VirtualColumn } from "./virtual-table-head.tsx";

export type { VirtualColumn } from "./virtual-table-head.tsx";

/** Spread on the one control of a row that takes the focus when an arrow key reaches the row. */
export interface RowTarget {
  readonly tabIndex: 0 | -1;
  readonly "data-row-target": true;
  readonly "aria-current": "true" | undefined;
}

export interface RowProps {
  readonly rowKey: string;
  readonly index: number;
  readonly target: RowTarget;
}

export interface VirtualTableProps {
  /** Read to those who cannot see the heading above. */
  readonly caption: string;
  readonly columns: readonly VirtualColumn[];
  readonly keys: readonly string[];
  /** The cells of a row: as many `td` as columns. Stable across renders. */
  readonly Cells: ComponentType<RowProps>;
  /** Under which name the widths of the columns are remembered; without one they stay as they are. */
  readonly layoutId?: string;
  /** CSS pixels; every row is as high. Without one the operator's choice counts. */
  readonly rowHeight?: number;
  /** Key of the row that takes the focus; kept by whoever owns the list when it must survive a visit. */
  readonly active?: string | null;
  readonly onActive?: (key: string) => void;
  /** Key of the row whose subject is open beside the list. */
  readonly open?: string | null | undefined;
  /** Told which rows are in sight, to fetch them. */
  readonly onRange?: (first: number, last: number) => void;
  readonly scrollTop?: number;
  readonly onLeave?: (scrollTop: number) => void;
  /** What the rows are an answer to; with another one the list starts at its top again. */
  readonly question?: string;
  /** Marks each row in the document, for its own kind of list. */
  readonly rowAttribute?: string;
  /** Tallest the list gets before it scrolls; CSS length. */
  readonly maxHeight?: string;
}

const HEADER_HEIGHT = 32;
const OVERSCAN = 6;

/**
 * The one list of any length: a real table of which only the rows in sight, a few beside them and the one with the
 * focus are in the document (operator-ux §3.2). Arrow, page, Home and End keys move between the rows.
 */
export function VirtualTable(props: VirtualTableProps) {
  const { caption, columns, keys, onRange, maxHeight } = props;
  const usual = useRowHeight();
  const rowHeight = props.rowHeight ?? usual;
  const frame = useRef<HTMLElement>(null);
  const { activeKey, activeIndex, move } = useActiveRow(props);
  const rows = useRows({ frame, count: keys.length, rowHeight, activeIndex, scrollTop: props.scrollTop });
  const items = rows.getVirtualItems();
  const { startIndex, endIndex } = rows.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => {
    onRange?.(startIndex, endIndex);
  }, [onRange, startIndex, endIndex]);
  useLeave(frame, props.onLeave);
  useTopOnChange(props.question, rows.scrollToOffset);
  const body = useFocusOnMove({ frame, activeKey, move, scrollTo: rows.scrollToIndex, keys, rowHeight });
  return (
    <section
      className={styles.frame}
      ref={frame}
      aria-label={caption}
      tabIndex={-1}
      style={maxHeight === undefined ? undefined : { maxHeight }}
    >
      <table className={styles.table} aria-rowcount={keys.length + 1} aria-colcount={columns.length}>
        <caption className={unseen.unseen}>{caption}</caption>
        <TableHead columns={columns} layoutId={props.layoutId} />
        <Gap height={items.at(0)?.start ?? 0} />
        <tbody onKeyDown={body.onKeyDown}>
          {items.map(({ index, start }, at) => {
            const key = keys[index];
            if (key === undefined) return null;
            const before = items[at - 1];
            // A row kept for its focus stands apart from those in sight: it, or the first of them, reaches over the gap.
            const gap = before === undefined ? 0 : start - before.end;
            return (
              <PlacedRow
                key={key}
                rowKey={key}
                index={index}
                height={gap + rowHeight}
                active={index === activeIndex}
                open={key === props.open}
                Cells={props.Cells}
                attribute={props.rowAttribute}
              />
            );
          })}
        </tbody>
        <Gap height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} />
      </table>
    </section>
  );
}

interface RowsInput {
  readonly frame: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  readonly activeIndex: number;
  readonly scrollTop: number | undefined;
}

function useRows({ frame, count, rowHeight, activeIndex, scrollTop }: RowsInput) {
  const rangeExtractor = useCallback(
    (range: Range) => {
      const inSight = defaultRangeExtractor(range);
      if (activeIndex >= range.count || inSight.includes(activeIndex)) return inSight;
      return [...inSight, activeIndex].sort((left, right) => left - right);
    },
    [activeIndex],
  );
  return useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    // A scroll may come from an effect, where React refuses to render at once.
    useFlushSync: false,
    rangeExtractor,
    initialOffset: scrollTop ?? 0,
    // The header stays above the rows and takes its height from what is in sight.
    scrollPaddingEnd: HEADER_HEIGHT,
  });
}

/** Which row has the tab stop: by key, so that it survives whatever happens to the order. */
function useActiveRow({ keys, active, onActive }: VirtualTableProps) {
  const [own, setOwn] = useState<string | null>(null);
  const indexOf = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  const wanted = active === undefined ? own : active;
  const found = wanted === null ? undefined : indexOf.get(wanted);
  const activeIndex = found ?? 0;
  const move = useRef((_: string): void => undefined);
  move.current = (key) => {
    setOwn(key);
    onActive?.(key);
  };
  return { activeKey: keys[activeIndex] ?? null, activeIndex, move };
}

interface FocusInput {
  readonly frame: RefObject<HTMLElement | null>;
  readonly activeKey: string | null;
  readonly move: RefObject<(key: string) => void>;
  readonly scrollTo: (index: number) => void;
  readonly keys: readonly string[];
  readonly rowHeight: number;
}

/** Moves the focus with the keys: scrolls first, focuses once the row is in the document. */
function useFocusOnMove({ frame, activeKey, move, scrollTo, keys, rowHeight }: FocusInput) {
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null || wanted.current !== activeKey) return;
    wanted.current = null;
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>("[data-row-key]") ?? [])];
    const row = rows.find((each) => each.dataset.rowKey === activeKey);
    row?.querySelector<HTMLElement>("[data-row-target]")?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row-key]");
    const at = keys.indexOf(row?.dataset.rowKey ?? "");
    if (at < 0) return;
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = rowToFocus(event.key, at, keys.length, page);
    const key = next === null ? undefined : keys[next];
    if (next === null || key === undefined) return;
    event.preventDefault();
    wanted.current = key;
    scrollTo(next);
    move.current(key);
  };
  return { onKeyDown };
}

function useTopOnChange(question: string | undefined, scrollTo: (offset: number) => void): void {
  const shown = useRef(question);
  useEffect(() => {
    if (shown.current !== question) scrollTo(0);
    shown.current = question;
  }, [question, scrollTo]);
}

/** Tells where the list was left. */
function useLeave(
  frame: RefObject<HTMLElement | null>,
  onLeave: ((scrollTop: number) => void) | undefined,
): void {
  const leave = useRef(onLeave);
  leave.current = onLeave;
  useLayoutEffect(() => {
    const element = frame.current;
    return () => leave.current?.(element?.scrollTop ?? 0);
  }, [frame]);
}

/** Room for the rows that are not in the document. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true" className={styles.gap}>
      <tr>
        <td style={{ height }} />
      </tr>
    </tbody>
  );
}

interface PlacedRowProps {
  readonly rowKey: string;
  readonly index: number;
  readonly height: number;
  readonly active: boolean;
  readonly open: boolean;
  readonly Cells: ComponentType<RowProps>;
  readonly attribute: string | undefined;
}

const PlacedRow = memo(function PlacedRow(props: PlacedRowProps): ReactNode {
  const { rowKey, index, active, Cells, attribute } = props;
  const target: RowTarget = {
    tabIndex: active ? 0 : -1,
    "data-row-target": true,
    "aria-current": active ? "true" : undefined,
  };
  return (
    <tr
      className={styles.row}
      aria-rowindex={index + 2}
      data-row-key={rowKey}
      data-open={props.open || undefined}
      style={{ height: props.height }}
      {...(attribute && { [attribute]: rowKey })}
    >
      <Cells rowKey={rowKey} index={index} target={target} />
    </tr>
  );
});
