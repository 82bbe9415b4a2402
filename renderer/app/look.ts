import type { Look, Source } from "../../shared/api/index.ts";
import type { LayoutStore } from "../state/layout.ts";
import { parseRoute, type Route } from "./routes.ts";

/** What the pages tell, by page: only that is read often (operator-ux U2, U8). */
const SOURCES_OF: Readonly<Partial<Record<Route["page"], readonly Source[]>>> = {
  attention: ["state", "audit", "request", "jobLog", "processes"],
  requests: ["state", "request"],
  processes: ["state", "processes"],
  run: ["state", "audit", "jobLog", "processes"],
  unknowns: ["state", "audit"],
  recovery: ["state", "audit", "jobLog", "processes"],
};
const EVERYTHING: readonly Source[] = ["state", "audit", "request", "jobLog", "processes"];
const LISTS: ReadonlySet<string> = new Set([
  "runs",
  "timeline",
  "locks",
  "jobLocks",
  "audit",
  "guidance",
  "start",
  "unknown",
  "settings",
]);

export type Sight = Omit<Look, "viewerId">;

/** What a window at this page shows. A page that is no plain list is taken to show everything. */
export function sightOf(route: Route, visible: boolean): Sight {
  const sources = SOURCES_OF[route.page] ?? (LISTS.has(route.page) ? (["state"] as const) : EVERYTHING);
  return { visible, sources: [...sources], runId: route.page === "run" ? route.runId : null };
}

/**
 * Reports what the window shows, now and whenever it changes; the answer reports it once more, for when the line to
 * main was away. Lives as long as the window.
 */
export function watchLook(window: Window, report: (sight: Sight) => void): () => void {
  const look = (): void => {
    const visible = window.document.visibilityState === "visible";
    report(sightOf(parseRoute(window.location.hash), visible));
  };
  window.addEventListener("hashchange", look);
  window.document.addEventListener("visibilitychange", look);
  return look;
}

/** Opens the page that was open last, unless the address names one, and remembers each from then on. */
export function restoreView(window: Window, layout: LayoutStore): void {
  const { lastView } = layout.store.getState();
  if (window.location.hash === "" && lastView !== null) {
    window.history.replaceState(null, "", lastView);
  }
  window.addEventListener("hashchange", () => layout.setLastView(window.location.hash));
}
