import type { ReactNode } from "react";
import styles from "./facts.module.css";
import { MinuteMark } from "./minute-mark.tsx";

interface FactsProps {
  /** On a page or in a dialog, with room to the sides, and not in the panel beside a list. */
  readonly roomy?: boolean;
  readonly children: ReactNode;
}

/** Facts of one subject, as many beside each other as fit. */
export function Facts({ roomy, children }: FactsProps) {
  return <dl className={roomy ? `${styles.facts} ${styles.roomy}` : styles.facts}>{children}</dl>;
}

interface FactProps {
  readonly label: string;
  /** Its time is kept to the minute (operator-ux §1.1). */
  readonly minute?: boolean;
  /** Takes a whole line in a panel, two places where there is more room. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** One of them: its name above, its value below. */
export function Fact({ label, minute, wide, children }: FactProps) {
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt>
        {label}
        {minute && <MinuteMark />}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
