import { useTranslation } from "react-i18next";
import { RunStatusBadge } from "../../components/status.tsx";
import { ForeignText } from "../../components/text.tsx";
import type { BulkItem } from "../../state/bulk.ts";
import { useLanguage } from "../../state/context.tsx";
import { refusalText } from "../refusals.tsx";
import styles from "./bulk.module.css";

/** Each chosen Run with what would run, or why it is left out, and later with what came of it. */
export function BulkItems({ items }: { readonly items: readonly BulkItem[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.items} aria-label={t("action.bulk.label")}>
      {items.map((item) => (
        <li key={item.recordId} data-bulk={item.state}>
          <span className={styles.name}>
            <ForeignText text={item.run?.businessKey ?? item.recordId} id />
          </span>
          {item.run !== null && <RunStatusBadge status={item.run.status} />}
          <span className={styles.state}>{t(`action.bulk.state.${item.state}`)}</span>
          <ItemDetail item={item} />
        </li>
      ))}
    </ul>
  );
}

function ItemDetail({ item }: { readonly item: BulkItem }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state, code, planned } = item;
  if (state === "eligible" && planned !== null) {
    const { run, keep } = planned.plan.counts;
    return <span className={styles.detail}>{t("action.bulk.counts", { run, keep })}</span>;
  }
  if (code === null) return null;
  if (code === "TOO_DANGEROUS_FOR_BULK") {
    return <span className={styles.detail}>{t("action.bulk.tooDangerous")}</span>;
  }
  const told = state === "done" ? null : refusalText({ code, message: "" }, t, language).cause;
  return (
    <span className={styles.detail}>
      {told} ({code})
    </span>
  );
}
