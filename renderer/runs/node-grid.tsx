import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { GridCell, RunGrid } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { RunStatusMark } from "../components/status.tsx";
import { ForeignText } from "../components/text.tsx";
import unseen from "../components/unseen.module.css";
import { markedText } from "../text/marks.ts";
import styles from "./grid.module.css";
import { cellAt, type GridPlace, placeToFocus, shortKey } from "./grid-model.ts";
import { COLUMN, GridRow, NAMES, ROW } from "./grid-row.tsx";

const HEAD = 132;
const OVERSCAN = 2;

/**
 * The grid itself, of which only what is in sight is in the document (operator-ux §3.2). One tab stop; the arrow keys
 * walk the cells, Enter opens the node's attempts. Hovering costs a style, not a render.
 */
export function NodeGrid({ grid }: { readonly grid: RunGrid }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  // The first stop is the newest Run's column.
  const [place, setPlace] = useState<GridPlace>({ row: 0, column: Math.max(0, grid.runs.length - 1) });
  const rows = useVirtualizer({
    count: grid.nodeIds.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    useFlushSync: false,
    scrollPaddingEnd: HEAD,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: grid.runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => COLUMN,
    overscan: OVERSCAN,
    useFlushSync: false,
    scrollPaddingEnd: NAMES,
  });
  const nameOf = useCellNames();
  const onKeyDown = useGridKeys({ frame, grid, place, setPlace, rows, columns });
  const across = columns.getVirtualItems();
  const down = rows.getVirtualItems();
  const from = across.at(0)?.index ?? 0;
  const before = (across.at(-1)?.index ?? -1) + 1;
  const onPointerOver = (event: PointerEvent): void => nameOnHover(event, grid, nameOf);
  return (
    <section ref={frame} className={styles.frame} aria-label={t("runs.grid.caption")} tabIndex={-1}>
      <table
        className={styles.grid}
        aria-rowcount={grid.nodeIds.length + 1}
        aria-colcount={grid.runs.length + 1}
        style={{ width: NAMES + columns.getTotalSize() }}
      >
        <caption className={unseen.unseen}>{t("runs.grid.caption")}</caption>
        <Head grid={grid} across={across} from={from} before={before} />
        <Gap height={down.at(0)?.start ?? 0} />
        <tbody onKeyDown={onKeyDown} onPointerOver={onPointerOver}>
          {down.map(({ index }) => (
            <GridRow
              key={grid.nodeIds[index]}
              grid={grid}
              row={index}
              from={from}
              before={before}
              active={place.row === index ? place.column : null}
              nameOf={nameOf}
            />
          ))}
        </tbody>
        <Gap height={rows.getTotalSize() - (down.at(-1)?.end ?? 0)} />
      </table>
    </section>
  );
}

interface HeadProps {
  readonly grid: RunGrid;
  readonly across: readonly VirtualItem[];
  readonly from: number;
  readonly before: number;
}

function Head({ grid, across, from, before }: HeadProps) {
  const { t } = useTranslation();
  return (
    <>
      <colgroup>
        <col style={{ width: NAMES }} />
        <col style={{ width: from * COLUMN }} />
        {across.map(({ key }) => (
          <col key={key} style={{ width: COLUMN }} />
        ))}
        <col style={{ width: (grid.runs.length - before) * COLUMN }} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1} style={{ height: HEAD }}>
          <th scope="col" aria-colindex={1} className={styles.corner}>
            {t("runs.grid.node")}
          </th>
          <td aria-hidden="true" />
          {across.map(({ index, key }) => (
            <RunHead key={key} grid={grid} column={index} />
          ))}
          <td aria-hidden="true" />
        </tr>
      </thead>
    </>
  );
}

function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr>
        <td style={{ height }} />
      </tr>
    </tbody>
  );
}

/** Names of cells, each made once: a screen of cells has a handful of different ones. */
function useCellNames(): (cell: GridCell) => string {
  const { t } = useTranslation();
  return useMemo(() => {
    const made = new Map<string, string>();
    return ({ status, attemptNo }) => {
      const key = `${status} ${attemptNo}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      const name = t("runs.grid.cell", { status: t(`status.node.${status}`), count: attemptNo });
      made.set(key, name);
      return name;
    };
  }, [t]);
}

/** The tooltip of a cell is written when the pointer comes to it, for all of them by one listener. */
function nameOnHover(event: PointerEvent, grid: RunGrid, nameOf: (cell: GridCell) => string): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-place]") : null;
  if (target === null) return;
  const [row = 0, column = 0] = (target.dataset.place ?? "").split(" ").map(Number);
  const cell = cellAt(grid, row, column);
  const name = cell === null ? target.textContent : nameOf(cell);
  target.title = `${markedText(grid.nodeIds[row] ?? "", true)}: ${name}`;
}

interface KeysInput {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly grid: RunGrid;
  readonly place: GridPlace;
  readonly setPlace: (place: GridPlace) => void;
  readonly rows: { scrollToIndex(index: number): void };
  readonly columns: { scrollToIndex(index: number): void };
}

/** Moves the one tab stop with the keys; the focus follows once the cell is in the document. */
function useGridKeys({ frame, grid, place, setPlace, rows, columns }: KeysInput) {
  const wanted = useRef(false);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const cell = frame.current?.querySelector<HTMLElement>(`[data-place="${place.row} ${place.column}"]`);
    if (cell === null || cell === undefined) return;
    wanted.current = false;
    cell.focus({ preventScroll: true });
  });
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const size = {
      rows: grid.nodeIds.length,
      columns: grid.runs.length,
      page: Math.max(1, Math.floor(((frame.current?.clientHeight ?? 0) - HEAD) / ROW) - 1),
    };
    const next = placeToFocus(event.key, place, size);
    if (next === null) return;
    event.preventDefault();
    wanted.current = true;
    rows.scrollToIndex(next.row);
    columns.scrollToIndex(next.column);
    setPlace(next);
  };
}

const RunHead = memo(function RunHead({ grid, column }: { readonly grid: RunGrid; readonly column: number }) {
  const { t } = useTranslation();
  const run = grid.runs[column];
  if (run === undefined) return <td />;
  return (
    <th scope="col" aria-colindex={column + 2}>
      <a
        href={routeHash({ page: "run", runId: run.runId })}
        tabIndex={-1}
        className={styles.runKey}
        title={markedText(run.businessKey, true)}
        aria-label={`${markedText(run.businessKey, true)} ${t(`status.run.${run.status}`)}`}
      >
        <span className={styles.turned}>
          <ForeignText text={shortKey(run.businessKey, grid.networkId)} id />
        </span>
        <RunStatusMark status={run.status} />
      </a>
    </th>
  );
});
