import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Route, routeHash } from "./routes.ts";
import styles from "./shell.module.css";

interface Area {
  readonly name: "runs" | "start";
  readonly route: Route;
  readonly pages: readonly Route["page"][];
  readonly icon: ReactNode;
}

/** The areas that exist. An area is added here when its page is, never before. */
const AREAS: readonly Area[] = [
  {
    name: "runs",
    route: { page: "runs", filter: {} },
    pages: ["runs", "run"],
    icon: <path d="M2.5 3.5h11M2.5 8h11M2.5 12.5h7" />,
  },
  { name: "start", route: { page: "start" }, pages: ["start"], icon: <path d="M4.5 2.8l8 5.2-8 5.2z" /> },
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
              <svg
                width="16"
                height="16"
                viewBox="0 0 16 16"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.5"
                strokeLinejoin="round"
                strokeLinecap="round"
                aria-hidden="true"
              >
                {area.icon}
              </svg>
              {t(`nav.${area.name}`)}
            </a>
          </li>
        ))}
      </ul>
      <p className={styles.product}>{t("app.name")}</p>
    </nav>
  );
}
