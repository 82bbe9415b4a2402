import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { ColumnHandle } from "./column-handle.tsx";
import { MinuteMark } from "./minute-mark.tsx";
import type { Column } from "./table.tsx";
import unseen from "./unseen.module.css";
import styles from "./virtual-table.module.css";

export interface VirtualColumn extends Column {
  /** Shown instead of the label, which then only names the column. */
  readonly head?: ReactNode;
  /** CSS width; the columns keep it whatever rows are in the document. Without one it takes what is left. */
  readonly width?: string;
  /** Present when the list can be ordered by this column. */
  readonly sort?: { readonly state: "ascending" | "descending" | "none"; readonly toggle: () => void };
}

interface TableHeadProps {
  readonly columns: readonly VirtualColumn[];
  readonly layoutId: string | undefined;
}

/** The header cells of a list; with a name for its layout, each is as wide as the operator left it. */
export function TableHead({ columns, layoutId }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column, index) =>
          layoutId === undefined ? (
            <HeadCell key={column.key} column={column} />
          ) : (
            <SizedHeadCell key={column.key} column={column} layoutId={layoutId} first={index === 0} />
          ),
        )}
      </tr>
    </thead>
  );
}

interface SizedHeadCellProps {
  readonly column: VirtualColumn;
  readonly layoutId: string;
  readonly first: boolean;
}

function SizedHeadCell({ column, layoutId, first }: SizedHeadCellProps) {
  const { layout } = useStores();
  const width = useStore(layout.store, (state) => state.columns[layoutId]?.[column.key]);
  const sized = width === undefined ? column : { ...column, width: `${width}px` };
  return (
    <HeadCell
      column={sized}
      handle={
        <ColumnHandle
          label={column.label}
          first={first}
          chosen={width ?? null}
          onWidth={(next) => layout.setColumn(layoutId, column.key, next)}
        />
      }
    />
  );
}

interface HeadCellProps {
  readonly column: VirtualColumn;
  readonly handle?: ReactNode;
}

function HeadCell({ column, handle }: HeadCellProps) {
  const { sort, label, minute, align, width, head } = column;
  return (
    <th
      scope="col"
      className={align === "right" ? styles.number : undefined}
      style={width === undefined ? undefined : { width }}
      aria-sort={sort && sort.state !== "none" ? sort.state : undefined}
    >
      {sort === undefined ? (
        <>
          <span className={head === undefined ? undefined : unseen.unseen}>{label}</span>
          {head}
        </>
      ) : (
        <button type="button" className={styles.sort} onClick={sort.toggle}>
          {label}
          {sort.state !== "none" && <SortMark ascending={sort.state === "ascending"} />}
        </button>
      )}
      {minute && <MinuteMark />}
      {handle}
    </th>
  );
}

/** Only where the list is ordered: an empty place for it would cut the label of a narrow column. */
function SortMark({ ascending }: { readonly ascending: boolean }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={ascending ? "M2 6.5L5 3.5l3 3" : "M2 3.5L5 6.5l3-3"} strokeWidth="1.5" />
    </svg>
  );
}
