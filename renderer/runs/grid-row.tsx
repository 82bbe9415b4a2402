import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { GridCell, RunGrid } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { Shapes } from "../components/status.tsx";
import { type Look, NODE_LOOK } from "../components/status-model.ts";
import { ForeignText } from "../components/text.tsx";
import unseen from "../components/unseen.module.css";
import { markedText } from "../text/marks.ts";
import styles from "./grid.module.css";
import { cellAt } from "./grid-model.ts";

/** CSS pixels. */
export const ROW = 32;
export const COLUMN = 44;
export const NAMES = 220;
const MARK = 16;

interface GridRowProps {
  readonly grid: RunGrid;
  readonly row: number;
  /** Columns in the document, by place: from, and before. */
  readonly from: number;
  readonly before: number;
  /** The column of the tab stop when it is in this row. */
  readonly active: number | null;
  readonly nameOf: (cell: GridCell) => string;
}

/**
 * One node's row. A cell is a link and nothing else; the marks of all its cells are one drawing behind them, a path a
 * status, or a screen of the grid would be four thousand elements (operator-ux §3.2).
 */
export const GridRow = memo(function GridRow({ grid, row, from, before, active, nameOf }: GridRowProps) {
  const { t } = useTranslation();
  const nodeId = grid.nodeIds[row] ?? "";
  const columns = Array.from({ length: before - from }, (_, at) => from + at);
  return (
    <tr aria-rowindex={row + 2} className={styles.row} style={{ height: ROW }}>
      <th scope="row" aria-colindex={1} className={styles.name} title={markedText(nodeId, true)}>
        <ForeignText text={nodeId} id />
      </th>
      <td aria-hidden="true">
        <RowMarks grid={grid} row={row} from={from} before={before} />
      </td>
      {columns.map((column) => {
        const cell = cellAt(grid, row, column);
        const stop = { "data-place": `${row} ${column}`, tabIndex: column === active ? 0 : -1 } as const;
        if (cell === null) {
          return (
            <td key={column} aria-colindex={column + 2} className={styles.none} {...stop}>
              <span className={unseen.unseen}>{t("runs.grid.noNode")}</span>
            </td>
          );
        }
        const runId = grid.runs[column]?.runId ?? "";
        return (
          <td key={column} aria-colindex={column + 2}>
            <a
              className={styles.mark}
              href={routeHash({ page: "run", runId, tab: "attempts", nodeId })}
              aria-label={nameOf(cell)}
              {...stop}
            />
          </td>
        );
      })}
      <td aria-hidden="true" />
    </tr>
  );
});

type Places = readonly (readonly [x: number, y: number])[];

/** The marks of the cells, drawn together. */
function RowMarks({ grid, row, from, before }: Pick<GridRowProps, "grid" | "row" | "from" | "before">) {
  const byLook = new Map<Look, [number, number][]>();
  for (let column = from; column < before; column++) {
    const cell = cellAt(grid, row, column);
    if (cell === null) continue;
    const look = NODE_LOOK[cell.status];
    const places = byLook.get(look) ?? [];
    places.push([(column - from) * COLUMN + (COLUMN - MARK) / 2, (ROW - MARK) / 2]);
    byLook.set(look, places);
  }
  return (
    <svg
      className={styles.marks}
      style={{ left: NAMES + from * COLUMN }}
      width={(before - from) * COLUMN}
      height={ROW}
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {[...byLook].map(([look, places]) => (
        <LookMarks key={look.glyph + look.tone} look={look} places={places} />
      ))}
    </svg>
  );
}

function LookMarks({ look, places }: { readonly look: Look; readonly places: Places }) {
  return (
    <g color={`var(--tone-${look.tone})`}>
      <Shapes glyph={look.glyph} places={places} />
    </g>
  );
}
