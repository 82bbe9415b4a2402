import type { ReactNode } from "react";
import styles from "./tabs.module.css";

interface TabsProps {
  /** Named for whoever cannot see what they stand above. */
  readonly label: string;
  readonly children: ReactNode;
}

/** The parts of one page, each with an address of its own. */
export function Tabs({ label, children }: TabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

interface TabProps {
  readonly href: string;
  readonly current: boolean;
  readonly children: ReactNode;
}

export function Tab({ href, current, children }: TabProps) {
  return (
    <a className={styles.tab} href={href} aria-current={current ? "page" : undefined}>
      {children}
    </a>
  );
}
