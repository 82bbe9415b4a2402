import { Button } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FiledRequest } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import { useLanguage, useStores, useTimeZone } from "../state/context.tsx";
import { minuteText } from "../text/time.ts";
import styles from "./action.module.css";

interface FiledProps {
  readonly request: FiledRequest;
  readonly onClose: () => void;
}

/** Consent was asked for: nothing is done yet, until when it may be, and where it waits (operator-ux §2.4). */
export function Filed({ request, onClose }: FiledProps) {
  const { t } = useTranslation();
  const { action } = useStores();
  const heading = useRef<HTMLHeadingElement>(null);
  const time = minuteText(request.expiresAt, useTimeZone(), useLanguage());
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <section className={styles.body} data-testid="filed">
        <h3 className={styles.heading} ref={heading} tabIndex={-1}>
          {t("action.filed.title")}
        </h3>
        <p className={styles.line}>{t("action.filed.lead")}</p>
        <p className={styles.line}>{t("action.filed.until", { time })}</p>
        <div className={styles.buttons}>
          <Button
            size="small"
            onClick={() => {
              action.close();
              goTo({ page: "settings", section: "approvers" });
            }}
          >
            {t("action.filed.open")}
          </Button>
        </div>
      </section>
      <div className={styles.bar}>
        <p className={styles.waiting} />
        <div className={styles.buttons}>
          <Button onClick={onClose}>{t("action.close")}</Button>
        </div>
      </div>
    </>
  );
}
