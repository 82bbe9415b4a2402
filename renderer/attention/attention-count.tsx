import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import unseen from "../components/unseen.module.css";
import { useStores } from "../state/context.tsx";
import styles from "./attention.module.css";

/** How many things need somebody, on every page, as a way to them. Says at once when a result nobody knows comes up. */
export function AttentionCount() {
  const { t } = useTranslation();
  const { attention } = useStores();
  const total = useStore(attention.store, (state) => state.picture?.total ?? null);
  const urgent = useStore(attention.store, (state) => state.picture?.items[0]?.urgency ?? "none");
  const newUnknown = useStore(attention.store, (state) => state.newUnknown);
  return (
    <>
      {total !== null && (
        <a
          className={styles.badge}
          href={routeHash({ page: "attention" })}
          data-urgency={urgent}
          data-testid="attention-count"
        >
          {t("attention.topBar", { count: total })}
        </a>
      )}
      <span className={unseen.unseen} role="alert" key={newUnknown}>
        {newUnknown > 0 ? t("attention.newUnknown") : ""}
      </span>
    </>
  );
}
