import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Route, routeHash } from "../app/routes.ts";
import { ForeignText } from "../components/text.tsx";
import styles from "./run.module.css";

interface PanelProps {
  readonly title: string;
  /** Where the address leads when the panel is closed; Esc does the same. */
  readonly close: Route;
  readonly children: ReactNode;
}

/** What is open to the right of a list. Another subject begins at its top. */
export function Panel({ title, close, children }: PanelProps) {
  const { t } = useTranslation();
  return (
    <aside key={title} className={styles.panel} aria-label={title}>
      <div className={styles.panelHead}>
        <h2 className={styles.panelTitle}>
          <ForeignText text={title} />
        </h2>
        <a className={styles.close} href={routeHash(close)}>
          <span className={styles.unseen}>{t("run.panel.close")}</span>
          <svg
            width="14"
            height="14"
            viewBox="0 0 14 14"
            fill="none"
            stroke="currentColor"
            aria-hidden="true"
          >
            <path d="M3 3l8 8M11 3l-8 8" strokeWidth="1.4" />
          </svg>
        </a>
      </div>
      {children}
    </aside>
  );
}
