import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Mark } from "../components/mark.tsx";
import { type Route, routeHash } from "./routes.ts";
import styles from "./shell.module.css";

interface Area {
  readonly name:
    | "attention"
    | "runs"
    | "locks"
    | "unknown"
    | "requests"
    | "processes"
    | "audit"
    | "start"
    | "settings"
    | "guidance";
  readonly route: Route;
  readonly pages: readonly Route["page"][];
  readonly icon: ReactNode;
}

/** The areas that exist. An area is added here when its page is, never before. */
export const AREAS: readonly Area[] = [
  {
    name: "attention",
    route: { page: "attention" },
    pages: ["attention"],
    icon: <path d="M8 2l6.2 11H1.8zM8 6.4v3.2M8 11.4v.1" />,
  },
  {
    name: "runs",
    route: { page: "runs", filter: {} },
    pages: ["runs", "run", "timeline"],
    icon: <path d="M2.5 3.5h11M2.5 8h11M2.5 12.5h7" />,
  },
  {
    name: "locks",
    route: { page: "locks" },
    pages: ["locks", "jobLocks"],
    icon: <path d="M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5" />,
  },
  {
    name: "unknown",
    route: { page: "unknowns" },
    pages: ["unknowns", "recovery"],
    icon: <path d="M8 1.5L14.5 8 8 14.5 1.5 8zM6.4 6.6a1.6 1.6 0 1 1 2.4 1.4c-.5.3-.8.6-.8 1.1M8 11v.1" />,
  },
  {
    name: "requests",
    route: { page: "requests" },
    pages: ["requests"],
    icon: <path d="M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2zM5 6h6M5 8h4" />,
  },
  {
    name: "processes",
    route: { page: "processes" },
    pages: ["processes"],
    icon: <path d="M2.5 2.5h4v3h-4zM9.5 6.5h4v3h-4zM9.5 11h4v3h-4zM4.5 5.5v7h5M4.5 8h5" />,
  },
  {
    name: "audit",
    route: { page: "audit", filter: {} },
    pages: ["audit"],
    icon: <path d="M4 2.5h6l2.5 2.5v8.5H4zM6 7h4.5M6 9.5h4.5M6 12h2.5" />,
  },
  { name: "start", route: { page: "start" }, pages: ["start"], icon: <path d="M4.5 2.8l8 5.2-8 5.2z" /> },
  {
    name: "settings",
    route: { page: "settings", section: "connections" },
    pages: ["settings"],
    icon: <path d="M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3" />,
  },
  {
    name: "guidance",
    route: { page: "guidance" },
    pages: ["guidance"],
    icon: (
      <path d="M8 4.2C6.5 3 4.3 2.8 2.5 3.2v9.4c1.8-.4 4-.2 5.5 1 1.5-1.2 3.7-1.4 5.5-1V3.2C11.7 2.8 9.5 3 8 4.2zM8 4.2v9.4" />
    ),
  },
];

export function Navigation({ page }: { readonly page: Route["page"] }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.nav} aria-label={t("app.navigation")}>
      <ul>
        {AREAS.map((area) => (
          <li key={area.name}>
            <a
              className={styles.link}
              href={routeHash(area.route)}
              aria-current={area.pages.includes(page) ? "page" : undefined}
            >
              <Mark weight={1.5} round>
                {area.icon}
              </Mark>
              {t(`nav.${area.name}`)}
            </a>
          </li>
        ))}
      </ul>
      <p className={styles.product}>{t("app.name")}</p>
    </nav>
  );
}
