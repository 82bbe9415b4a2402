import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ActionDialog } from "../action/action-dialog.tsx";
import { ReviewNotice } from "../approvals/review-notice.tsx";
import { useKeptFocus } from "../components/kept-focus.ts";
import unseen from "../components/unseen.module.css";
import { useStores } from "../state/context.tsx";
import { CheatSheet } from "./cheat-sheet.tsx";
import { Navigation } from "./navigation.tsx";
import { Notices } from "./notices.tsx";
import { Palette } from "./palette/palette.tsx";
import { pageKey, type Route } from "./routes.ts";
import styles from "./shell.module.css";
import { StalenessNotice } from "./staleness-notice.tsx";
import { TopBar } from "./top-bar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

/** What stands around every page. A new page takes the focus, so that keyboards and screen readers follow. */
export function Shell({ route, children }: { readonly route: Route; readonly children: ReactNode }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string | null>(null);
  const place = pageKey(route);
  const purpose = useStore(useStores().workspace.store, (state) => state.info.value?.purpose);
  useShortcuts();
  useKeptFocus(frame);
  useDensity();
  useEffect(() => {
    // Not at the first page: the focus starts at the top, where the way past the navigation is.
    if (shown.current !== null && shown.current !== place) main.current?.focus();
    shown.current = place;
  }, [place]);
  return (
    <div className={styles.shell} ref={frame} data-purpose={purpose}>
      {/* A plain jump within the page would be taken for an address of a page. */}
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t("app.skipToContent")}
      </button>
      <TopBar />
      <Navigation page={route.page} />
      <main className={styles.main} ref={main} tabIndex={-1} aria-label={t("app.content")}>
        <StalenessNotice />
        <ReviewNotice />
        <Notices onList={route.page === "attention"} />
        {children}
      </main>
      <PoliteRegion />
      <ActionDialog />
      <Palette />
      <CheatSheet />
    </div>
  );
}

/** Marks the document with the height of rows. */
function useDensity(): void {
  const density = useStore(useStores().layout.store, (state) => state.density);
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}

function PoliteRegion() {
  const message = useStore(useStores().announcer.store, (state) => state.message);
  return (
    <div className={unseen.unseen} role="status" aria-live="polite" data-testid="announcer">
      {message}
    </div>
  );
}
