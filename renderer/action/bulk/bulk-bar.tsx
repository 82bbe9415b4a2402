import { Button } from "@fluentui/react-components";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { BULK_MAX } from "../../state/bulk.ts";
import { useStores } from "../../state/context.tsx";
import { rowAt } from "../../state/runs-list.ts";
import { mayResume } from "../run-choice.ts";
import styles from "./bulk.module.css";
import { BulkSheet } from "./bulk-sheet.tsx";

/**
 * What can be done with the chosen Runs. What is on the screen and what the filter finds are two choices, never one
 * (operator-ux §1.2, bulk actions).
 */
export function BulkBar({ inSight }: { readonly inSight: () => readonly string[] }) {
  const { t } = useTranslation();
  const { bulk, runs } = useStores();
  const chosen = useStore(bulk.store, (state) => state.chosen);
  const open = useStore(bulk.store, (state) => state.items !== null);
  const list = useStore(runs.store, (state) => state.list);
  const { order } = list;
  const known = useMemo(() => countOf(list, chosen), [list, chosen]);
  if (chosen.length === 0) return null;
  return (
    <section className={styles.bar} aria-label={t("action.bulk.label")}>
      <strong className={styles.count}>{t("action.bulk.chosen", { count: chosen.length })}</strong>
      <span className={styles.quiet}>
        {t("action.bulk.maybe", { yes: known.yes, no: known.no })}
        {known.unread > 0 && t("action.bulk.unread", { count: known.unread })}
      </span>
      <Button size="small" onClick={() => bulk.choose(inSight())}>
        {t("action.bulk.onScreen")}
      </Button>
      <Button size="small" onClick={() => bulk.choose(order)}>
        {order.length > BULK_MAX
          ? t("action.bulk.firstOfFilter", { count: BULK_MAX, all: order.length })
          : t("action.bulk.ofFilter", { count: order.length })}
      </Button>
      <Button size="small" onClick={() => bulk.choose([])}>
        {t("action.bulk.none")}
      </Button>
      <span className={styles.spacer} />
      <Button appearance="primary" size="small" onClick={() => void bulk.check()}>
        {t("action.bulk.open", { count: chosen.length })}
      </Button>
      {open && <BulkSheet />}
    </section>
  );
}

/** By what the rows on hand say; the plans say it for certain. */
function countOf(list: Parameters<typeof rowAt>[0], chosen: readonly string[]) {
  const rows = chosen.map((recordId) => rowAt(list, recordId));
  const yes = rows.filter((row) => row !== undefined && mayResume(row)).length;
  const unread = rows.filter((row) => row === undefined).length;
  return { yes, no: rows.length - yes - unread, unread };
}
