import type { ReactNode } from "react";
import styles from "./panel.module.css";
import { ForeignText } from "./text.tsx";

interface PanelProps {
  /** Null while it is not known. */
  readonly title: string | null;
  readonly children: ReactNode;
}

/** What the detail beside a list tells of one subject: its name, then its parts. */
export function Panel({ title, children }: PanelProps) {
  return (
    <div className={styles.panel}>
      {title !== null && (
        <h2 className={styles.title}>
          <ForeignText text={title} id />
        </h2>
      )}
      {children}
    </div>
  );
}

/** Things that stand beside each other in a panel and go to the next line where there is no room. */
export function PanelLine({ children }: { readonly children: ReactNode }) {
  return <div className={styles.line}>{children}</div>;
}
