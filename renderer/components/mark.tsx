import type { ReactNode } from "react";

interface MarkProps {
  /** Width of the line; marks that stand alone in a row are drawn a little heavier. */
  readonly weight?: number;
  /** Round ends and corners. */
  readonly round?: boolean;
  /** Paths on 16 × 16. */
  readonly children: ReactNode;
}

/** A mark beside a word, in the colour of its text; hidden from those who hear the word (operator-ux §4, 1.1.1). */
export function Mark({ weight = 1.6, round = false, children }: MarkProps) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={weight}
      strokeLinecap={round ? "round" : undefined}
      strokeLinejoin={round ? "round" : undefined}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
