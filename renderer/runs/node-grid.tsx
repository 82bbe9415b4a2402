import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { routeHash } from "../app/routes.ts";
import { NodeStatusMark, RunStatusMark } from "../components/status.tsx";
import { ForeignText } from "../components/text.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./grid.module.css";
import { type GridCell, type GridModel, type GridPlace, placeToFocus, shortKey } from "./grid-model.ts";

const ROW = 32;
const COLUMN = 44;
const NAMES = 220;
const HEAD = 132;

/**
 * The grid itself, of which only what is in sight is in the document (operator-ux §3.2). One tab stop; the arrow keys
 * walk the cells, Enter opens the node's attempts. Hovering costs a style, not a render.
 */
export function NodeGrid({ model }: { readonly model: GridModel }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  // The first stop is the newest Run's column.
  const [place, setPlace] = useState<GridPlace>({ row: 0, column: Math.max(0, model.runs.length - 1) });
  const rows = useVirtualizer({
    count: model.nodeIds.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 4,
    useFlushSync: false,
    scrollPaddingEnd: HEAD,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: model.runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => COLUMN,
    overscan: 4,
    useFlushSync: false,
    scrollPaddingEnd: NAMES,
  });
  const onKeyDown = useGridKeys({ frame, model, place, setPlace, rows, columns });
  const across = columns.getVirtualItems();
  const down = rows.getVirtualItems();
  const left = across.at(0)?.start ?? 0;
  const right = columns.getTotalSize() - (across.at(-1)?.end ?? 0);
  const width = NAMES + columns.getTotalSize();
  return (
    <section ref={frame} className={styles.frame} aria-label={t("runs.grid.caption")} tabIndex={-1}>
      <table
        className={styles.grid}
        aria-rowcount={model.nodeIds.length + 1}
        aria-colcount={model.runs.length + 1}
        style={{ width }}
      >
        <caption className={styles.caption}>{t("runs.grid.caption")}</caption>
        <colgroup>
          <col style={{ width: NAMES }} />
          <col style={{ width: left }} />
          {across.map(({ key }) => (
            <col key={key} style={{ width: COLUMN }} />
          ))}
          <col style={{ width: right }} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1} style={{ height: HEAD }}>
            <th scope="col" aria-colindex={1} className={styles.corner}>
              {t("runs.grid.node")}
            </th>
            <td aria-hidden="true" />
            {across.map(({ index, key }) => (
              <RunHead key={key} model={model} column={index} />
            ))}
            <td aria-hidden="true" />
          </tr>
        </thead>
        <Gap height={down.at(0)?.start ?? 0} />
        <tbody onKeyDown={onKeyDown}>
          {down.map(({ index }) => {
            const nodeId = model.nodeIds[index] ?? "";
            return (
              <tr key={nodeId} aria-rowindex={index + 2} className={styles.row} style={{ height: ROW }}>
                <th scope="row" aria-colindex={1} className={styles.name} title={markedText(nodeId, true)}>
                  <ForeignText text={nodeId} id />
                </th>
                <td aria-hidden="true" />
                {across.map((column) => (
                  <Cell
                    key={column.key}
                    nodeId={nodeId}
                    runId={model.runs[column.index]?.runId ?? ""}
                    cell={model.cell(nodeId, column.index)}
                    row={index}
                    column={column.index}
                    active={place.row === index && place.column === column.index}
                  />
                ))}
                <td aria-hidden="true" />
              </tr>
            );
          })}
        </tbody>
        <Gap height={rows.getTotalSize() - (down.at(-1)?.end ?? 0)} />
      </table>
    </section>
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

interface KeysInput {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly model: GridModel;
  readonly place: GridPlace;
  readonly setPlace: (place: GridPlace) => void;
  readonly rows: { scrollToIndex(index: number): void };
  readonly columns: { scrollToIndex(index: number): void };
}

/** Moves the one tab stop with the keys; the focus follows once the cell is in the document. */
function useGridKeys({ frame, model, place, setPlace, rows, columns }: KeysInput) {
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
      rows: model.nodeIds.length,
      columns: model.runs.length,
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

const RunHead = memo(function RunHead({
  model,
  column,
}: {
  readonly model: GridModel;
  readonly column: number;
}) {
  const { t } = useTranslation();
  const run = model.runs[column];
  if (run === undefined) return <td />;
  return (
    <th scope="col" aria-colindex={column + 2} className={styles.run}>
      <a
        href={routeHash({ page: "run", runId: run.runId })}
        tabIndex={-1}
        className={styles.runKey}
        title={markedText(run.businessKey, true)}
        aria-label={`${markedText(run.businessKey, true)} ${t(`status.run.${run.status}`)}`}
      >
        <span className={styles.turned}>
          <ForeignText text={shortKey(run.businessKey, model.networkId)} id />
        </span>
        <RunStatusMark status={run.status} />
      </a>
    </th>
  );
});

interface CellProps {
  readonly nodeId: string;
  readonly runId: string;
  readonly cell: GridCell | undefined;
  readonly row: number;
  readonly column: number;
  readonly active: boolean;
}

const Cell = memo(function Cell({ nodeId, runId, cell, row, column, active }: CellProps) {
  const { t } = useTranslation();
  const stop = { "data-place": `${row} ${column}`, tabIndex: active ? 0 : -1 } as const;
  if (cell === undefined) {
    const text = t("runs.grid.noNode");
    return (
      <td aria-colindex={column + 2} title={text} className={styles.none} {...stop}>
        <span className={styles.caption}>{text}</span>
      </td>
    );
  }
  const text = t("runs.grid.cell", { status: t(`status.node.${cell.status}`), count: cell.attemptNo });
  return (
    <td aria-colindex={column + 2}>
      <a
        className={styles.mark}
        href={routeHash({ page: "run", runId, tab: "attempts", nodeId })}
        aria-label={text}
        title={`${markedText(nodeId, true)}: ${text}`}
        {...stop}
      >
        <NodeStatusMark status={cell.status} />
      </a>
    </td>
  );
});
