import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./locks.module.css";

interface FactProps {
  readonly label: string;
  readonly minute?: boolean;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** One fact of a holder, inside a list of them. */
export function Fact({ label, minute, wide, children }: FactProps) {
  const { t } = useTranslation();
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt>
        {label}
        {minute && (
          <span className={styles.hint} title={t("time.minutePrecisionHint")}>
            {t("time.minutePrecision")}
          </span>
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
