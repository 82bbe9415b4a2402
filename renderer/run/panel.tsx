import type { ReactNode } from "react";
import { ForeignText } from "../components/text.tsx";
import styles from "./run.module.css";

interface PanelProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** What the detail beside a list tells of one subject: its name, then its parts. */
export function Panel({ title, children }: PanelProps) {
  return (
    <div className={styles.panel}>
      <h2 className={styles.panelTitle}>
        <ForeignText text={title} id />
      </h2>
      {children}
    </div>
  );
}
