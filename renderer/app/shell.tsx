import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { Navigation } from "./navigation.tsx";
import { type Route, routeHash } from "./routes.ts";
import styles from "./shell.module.css";
import { StalenessNotice } from "./staleness-notice.tsx";
import { TopBar } from "./top-bar.tsx";

/** What stands around every page. A new page takes the focus, so that keyboards and screen readers follow. */
export function Shell({ route, children }: { readonly route: Route; readonly children: ReactNode }) {
  const { t } = useTranslation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string | null>(null);
  const place = route.page === "runs" ? "runs" : routeHash(route);
  useEffect(() => {
    // Not at the first page: the focus starts at the top, where the way past the navigation is.
    if (shown.current !== null && shown.current !== place) main.current?.focus();
    shown.current = place;
  }, [place]);
  return (
    <div className={styles.shell}>
      {/* A plain jump within the page would be taken for an address of a page. */}
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t("app.skipToContent")}
      </button>
      <TopBar />
      <Navigation page={route.page} />
      <main className={styles.main} ref={main} tabIndex={-1} aria-label={t("app.content")}>
        <StalenessNotice />
        {children}
      </main>
      <PoliteRegion />
    </div>
  );
}

function PoliteRegion() {
  const message = useStore(useStores().announcer.store, (state) => state.message);
  return (
    <div className={styles.polite} role="status" aria-live="polite" data-testid="announcer">
      {message}
    </div>
  );
}
