import { useTranslation } from "react-i18next";
import type { Urgency } from "../../shared/domain/attention.ts";
import styles from "./attention.module.css";

const LEVEL: Readonly<Record<Urgency, number>> = { critical: 4, high: 3, medium: 2, low: 1 };
const TONE: Readonly<Record<Urgency, string>> = {
  critical: "failed",
  high: "suspect",
  medium: "blocked",
  low: "waiting",
};
const BARS = [1, 2, 3, 4] as const;

/** How urgent: as many filled bars as it has steps, its word and its tone, so that no one of them has to be seen. */
export function UrgencyMark({ urgency }: { readonly urgency: Urgency }) {
  const { t } = useTranslation();
  const style = { "--tone": `var(--tone-${TONE[urgency]})` } as React.CSSProperties;
  return (
    <span className={styles.urgency} style={style} data-urgency={urgency}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor">
        {BARS.map((bar) => (
          <rect
            key={bar}
            x={bar * 4 - 3.5}
            y={14 - bar * 3}
            width="3"
            height={bar * 3}
            strokeWidth="1"
            fill={bar <= LEVEL[urgency] ? "currentColor" : "none"}
          />
        ))}
      </svg>
      {t(`attention.urgency.${urgency}`)}
    </span>
  );
}
