import { useTranslation } from "react-i18next";
import { type Route, routeHash } from "../app/routes.ts";
import { Tab, Tabs } from "../components/tabs.tsx";

const TABS = [
  { name: "network", route: { page: "locks" } },
  { name: "job", route: { page: "jobLocks" } },
] as const satisfies readonly { readonly name: string; readonly route: Route }[];

/** The two kinds of locks: of networks, read by the console itself, and of jobs, which only the runner can be asked about. */
export function LockTabs({ current }: { readonly current: (typeof TABS)[number]["name"] }) {
  const { t } = useTranslation();
  return (
    <Tabs label={t("jobLocks.tabs.label")}>
      {TABS.map(({ name, route }) => (
        <Tab key={name} href={routeHash(route)} current={name === current}>
          {t(`jobLocks.tabs.${name}`)}
        </Tab>
      ))}
    </Tabs>
  );
}
