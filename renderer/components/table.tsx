import type { ReactNode } from "react";
import face from "./face.module.css";
import { MinuteMark } from "./minute-mark.tsx";
import styles from "./table.module.css";
import unseen from "./unseen.module.css";

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly align?: "right";
  /** The times below are kept to the minute; said once, in the header (operator-ux §1.1). */
  readonly minute?: boolean;
}

interface TableProps {
  /** Read to those who cannot see the heading above. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}

/** A table that is one: caption, header cells, rows. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <section className={styles.frame} aria-label={caption} tabIndex={-1}>
      <table className={styles.table}>
        <caption className={unseen.unseen}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={column.align === "right" ? styles.number : undefined}
              >
                {column.label}
                {column.minute && <MinuteMark />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

export const cell = {
  number: styles.number,
  mono: face.mono,
  sub: styles.sub,
  name: styles.name,
  text: styles.text,
};

/** The row whose subject is open. */
export const openedRow = styles.opened;
