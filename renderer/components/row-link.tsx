import type { ReactNode } from "react";
import link from "./link.module.css";
import { moveToRow } from "./row-focus.ts";

/** Rows a page key moves by. */
const PAGE = 10;

interface RowLinkProps {
  readonly href: string;
  /** Its subject is the one that is open. */
  readonly shown?: boolean;
  readonly children: ReactNode;
}

/** What opens the subject of a row; the arrow keys move between those of the table. */
export function RowLink({ href, shown, children }: RowLinkProps) {
  return (
    <a
      className={link.open}
      href={href}
      aria-current={shown ? "true" : undefined}
      data-row
      onKeyDown={(event) => moveToRow(event, "table", PAGE)}
    >
      {children}
    </a>
  );
}
