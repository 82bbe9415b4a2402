import { useTranslation } from "react-i18next";
import { routeHash } from "../app/routes.ts";
import { Tab, Tabs } from "../components/tabs.tsx";
import { RUN_TABS, type RunView } from "./run-view.ts";

/** The views of a Run. */
export function RunTabs({ runId, view }: { readonly runId: string; readonly view: RunView }) {
  const { t } = useTranslation();
  const current = view.tab ?? RUN_TABS[0];
  // The node looked at stays the node looked at.
  const { nodeId } = view;
  return (
    <Tabs label={t("run.tabs")}>
      {RUN_TABS.map((tab) => (
        <Tab
          key={tab}
          href={routeHash({ page: "run", runId, tab, ...(nodeId && { nodeId }) })}
          current={tab === current}
        >
          {t(`run.tab.${tab}`)}
        </Tab>
      ))}
    </Tabs>
  );
}
