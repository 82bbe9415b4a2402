import { useTranslation } from "react-i18next";
import { routeHash } from "../app/routes.ts";
import styles from "./run.module.css";
import { RUN_TABS, type RunView } from "./run-view.ts";

/** The views of a Run. */
export function RunTabs({ runId, view }: { readonly runId: string; readonly view: RunView }) {
  const { t } = useTranslation();
  const current = view.tab ?? RUN_TABS[0];
  // The node looked at stays the node looked at.
  const { nodeId } = view;
  return (
    <nav className={styles.tabs} aria-label={t("run.tabs")}>
      {RUN_TABS.map((tab) => (
        <a
          key={tab}
          className={styles.tab}
          href={routeHash({ page: "run", runId, tab, ...(nodeId && { nodeId }) })}
          aria-current={tab === current ? "page" : undefined}
        >
          {t(`run.tab.${tab}`)}
        </a>
      ))}
    </nav>
  );
}
