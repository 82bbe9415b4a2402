import type { ReactNode } from "react";
import { Mark } from "./mark.tsx";
import styles from "./toned.module.css";

/** How a state looks beside its word: one of the tones of the base sheet and a shape of its own. */
export interface Look {
  readonly tone: string;
  readonly shape: ReactNode;
}

interface TonedProps {
  readonly look: Look;
  /** At the head of its own panel. */
  readonly large?: boolean;
  /** No state yet: a word among others. */
  readonly plain?: boolean;
  readonly children: ReactNode;
}

/** A word with its shape, both in its tone; no one of them stands alone (operator-ux §4, 1.4.1). */
export function Toned({ look: { tone, shape }, large, plain, children }: TonedProps) {
  const style = { "--tone": `var(--tone-${tone})` } as React.CSSProperties;
  return (
    <span className={styles.toned} style={style} data-large={large} data-plain={plain}>
      <Mark>{shape}</Mark>
      {children}
    </span>
  );
}
