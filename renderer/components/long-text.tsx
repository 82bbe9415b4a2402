import { Button } from "@fluentui/react-components";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "./text.module.css";
import { ForeignText } from "./text.tsx";

/** Characters shown at first, and how many more each step shows: a text of a megabyte must not stop the page. */
const FIRST = 4_000;
const STEP = 64_000;

/** Foreign text of any length: its beginning, and more of it when asked for (operator-ux §3.2). */
export function LongText({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(FIRST);
  const rest = text.length - shown;
  return (
    <div className={styles.long}>
      <pre className={styles.longText}>
        <ForeignText text={text.slice(0, shown)} />
      </pre>
      {rest > 0 && (
        <Button size="small" onClick={() => setShown(shown + STEP)}>
          {t("text.more", { count: rest })}
        </Button>
      )}
    </div>
  );
}
