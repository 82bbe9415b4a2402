import { RUN_STATUSES, type RunStatus } from "../../shared/domain/model.ts";

export interface RunFilter {
  readonly networkId?: string;
  readonly status?: RunStatus;
}

export type Route =
  | { readonly page: "runs"; readonly filter: RunFilter }
  | { readonly page: "run"; readonly runId: string }
  | { readonly page: "start"; readonly networkId?: string }
  | { readonly page: "unknown" };

const statusOf = (text: string | null): RunStatus | undefined =>
  RUN_STATUSES.find((status) => status === text);

/** The page an address names. Parameters are read strictly: an address can only open views (electron-desktop P7). */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parameters = new URLSearchParams(query);
  const [area, id, ...rest] = path.split("/");
  if (rest.length > 0) return { page: "unknown" };
  if (area === "" || (area === "runs" && id === undefined)) {
    const networkId = parameters.get("network");
    const status = statusOf(parameters.get("status"));
    return { page: "runs", filter: { ...(networkId && { networkId }), ...(status && { status }) } };
  }
  if (area === "runs" && id !== undefined) return runRoute(id);
  if (area === "start" && id === undefined) {
    const networkId = parameters.get("network");
    return networkId ? { page: "start", networkId } : { page: "start" };
  }
  return { page: "unknown" };
}

function runRoute(encoded: string): Route {
  try {
    const runId = decodeURIComponent(encoded);
    return runId === "" || runId.length > 200 ? { page: "unknown" } : { page: "run", runId };
  } catch {
    return { page: "unknown" };
  }
}

/** The address of a page; `parseRoute` gives the page back. */
export function routeHash(route: Route): string {
  switch (route.page) {
    case "runs": {
      const query = new URLSearchParams();
      if (route.filter.networkId) query.set("network", route.filter.networkId);
      if (route.filter.status) query.set("status", route.filter.status);
      return query.size === 0 ? "#/runs" : `#/runs?${query}`;
    }
    case "run":
      return `#/runs/${encodeURIComponent(route.runId)}`;
    case "start":
      return route.networkId ? `#/start?${new URLSearchParams({ network: route.networkId })}` : "#/start";
    case "unknown":
      return "#/";
  }
}
