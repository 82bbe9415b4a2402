import type { ReactNode } from "react";
import styles from "./run.module.css";

/** A list with what is open of it to the right (screens, frame); one below the other where there is no room. */
export function Split({ panel, children }: { readonly panel: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.split} data-open={Boolean(panel)}>
      <div className={styles.list}>{children}</div>
      {panel}
    </div>
  );
}
