import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { shownSettings } from "../state/settings.ts";
import { NumberField } from "./fields.tsx";
import styles from "./settings.module.css";

/** 予算: what this console may ask of an app in a day. */
export function BudgetSection() {
  const { t } = useTranslation();
  const { settings } = useStores();
  const shown = useStore(settings.store, shownSettings);
  if (shown === null) return null;
  return (
    <div className={styles.form}>
      <NumberField
        path="budget.requestsPerAppAndDay"
        label={t("settings.budget.requests")}
        hint={t("settings.budget.hint")}
        required
        value={shown.budget.requestsPerAppAndDay}
        change={(value) =>
          settings.edit((before) => ({ ...before, budget: { requestsPerAppAndDay: value ?? Number.NaN } }))
        }
      />
    </div>
  );
}
