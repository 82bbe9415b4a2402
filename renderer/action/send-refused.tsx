import { useEffect, useRef } from "react";
import type { Problem } from "../../shared/domain/problem.ts";
import { ProblemPanel } from "../components/problem.tsx";
import styles from "./action.module.css";

interface SendRefusedProps {
  readonly problem: Problem;
  /** That it was refused, and what did not happen because of it. */
  readonly line: string;
}

/**
 * Why nothing was done. It takes the focus from the button that is gone, and with it comes into sight: the form stands at
 * its beginning again, and this at its end (operator-ux D7). Sending again removes it, so a second refusal does the same.
 */
export function SendRefused({ problem, line }: SendRefusedProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} data-testid="send-refused">
      <p className={styles.refusedLine}>{line}</p>
      <ProblemPanel problem={problem} />
    </div>
  );
}
