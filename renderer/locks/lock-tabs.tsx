import { useTranslation } from "react-i18next";
import { type Route, routeHash } from "../app/routes.ts";
import styles from "./lock-tabs.module.css";

const TABS = [
  { name: "network", route: { page: "locks" } },
  { name: "job", route: { page: "jobLocks" } },
] as const satisfies readonly { readonly name: string; readonly route: Route }[];

/** The two kinds of locks: of networks, read by the console itself, and of jobs, which only the runner can be asked about. */
export function LockTabs({ current }: { readonly current: (typeof TABS)[number]["name"] }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.tabs} aria-label={t("jobLocks.tabs.label")}>
      {TABS.map(({ name, route }) => (
        <a
          key={name}
          className={styles.tab}
          href={routeHash(route)}
          aria-current={name === current ? "page" : undefined}
        >
          {t(`jobLocks.tabs.${name}`)}
        </a>
      ))}
    </nav>
  );
}
