import { useTranslation } from "react-i18next";
import styles from "./minute-mark.module.css";

/** Beside a time that is kept to the minute: nothing else is said of its seconds (operator-ux §1.1). */
export function MinuteMark() {
  const { t } = useTranslation();
  return (
    <span className={styles.minute} title={t("time.minutePrecisionHint")}>
      {t("time.minutePrecision")}
    </span>
  );
}
