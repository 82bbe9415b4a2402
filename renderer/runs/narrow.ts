import type { Route } from "../app/routes.ts";
import { currentRoute, goTo } from "../app/use-route.ts";
import { changedFilter, type RunFilter } from "./run-filter.ts";

/** Changes what the list shows, from what the address says at this moment; `drawn` where it names another page. */
export function narrowRuns(
  drawn: RunFilter,
  change: Parameters<typeof changedFilter>[1],
  go: (route: Route) => void = goTo,
): void {
  const now = currentRoute();
  go({ page: "runs", filter: changedFilter(now.page === "runs" ? now.filter : drawn, change) });
}
