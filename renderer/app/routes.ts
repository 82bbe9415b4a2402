import type { AuditFilter } from "../../shared/api/index.ts";
import { auditKeyOf, readAuditFilter, writeAuditFilter } from "../audit/audit-filter.ts";
import { isGuidanceCode } from "../guidance/words.ts";
import { type ProcessesRoute, processesHash, processesRoute } from "../processes/processes-route.ts";
import { type RequestsRoute, requestsHash, requestsRoute } from "../requests/requests-route.ts";
import { type RunView, readRunView, writeRunView } from "../run/run-view.ts";
import { type RunFilter, readRunFilter, writeRunFilter } from "../runs/run-filter.ts";

import { type SettingsSection, sectionOf } from "../settings/sections.ts";
import { type TimelineRoute, timelineHash, timelineRoute } from "../timeline-day/day-route.ts";
import { type UnknownsRoute, unknownsHash, unknownsRoute } from "../unknown/unknowns-route.ts";
import { type RecoveryRoute, recoveryHash, recoveryRoute } from "../wizard/recovery-route.ts";

export type { RunFilter } from "../runs/run-filter.ts";

export type Route =
  | { readonly page: "attention" }
  | { readonly page: "runs"; readonly filter: RunFilter }
  | ({ readonly page: "run"; readonly runId: string } & RunView)
  | { readonly page: "locks"; readonly recordId?: string; readonly release?: true }
  | { readonly page: "jobLocks"; readonly jobKey?: string }
  | { readonly page: "audit"; readonly filter: AuditFilter; readonly entry?: string }
  | { readonly page: "guidance"; readonly code?: string }
  | TimelineRoute
  | UnknownsRoute
  | RecoveryRoute
  | RequestsRoute
  | ProcessesRoute
  | { readonly page: "start"; readonly networkId?: string }
  | { readonly page: "settings"; readonly section: SettingsSection }
  | { readonly page: "unknown" };

/** The page an address names. Parameters are read strictly: an address can only open views (electron-desktop P7). */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parameters = new URLSearchParams(query);
  const [area, id, ...rest] = path.split("/");
  if (area === "locks") return locksRoute(id, rest);
  if (area === "unknown") return unknownsRoute(id, rest) ?? { page: "unknown" };
  if (area === "recovery") return recoveryRoute(id, rest) ?? { page: "unknown" };
  if (rest.length > 0) return { page: "unknown" };
  if ((area === "" || area === "attention") && id === undefined) return { page: "attention" };
  if (area === "runs" && id === undefined) {
    return { page: "runs", filter: readRunFilter(parameters) };
  }
  if (area === "runs" && id !== undefined) return runRoute(id, parameters);
  if (area === "timeline" && id === undefined) return timelineRoute(parameters);
  if (area === "audit") return auditRoute(id, parameters);
  if (area === "requests") return requestsRoute(id, parameters) ?? { page: "unknown" };
  if (area === "processes") return processesRoute(id) ?? { page: "unknown" };
  if (area === "guidance") return guidanceRoute(id);
  if (area === "start" && id === undefined) {
    const networkId = parameters.get("network");
    return networkId ? { page: "start", networkId } : { page: "start" };
  }
  if (area === "settings") {
    const section = sectionOf(id);
    return section === null ? { page: "unknown" } : { page: "settings", section };
  }
  return { page: "unknown" };
}

function auditRoute(id: string | undefined, parameters: URLSearchParams): Route {
  const filter = readAuditFilter(parameters);
  if (id === undefined) return { page: "audit", filter };
  const entry = auditKeyOf(id);
  return entry === null ? { page: "unknown" } : { page: "audit", filter, entry };
}

function guidanceRoute(code: string | undefined): Route {
  if (code === undefined) return { page: "guidance" };
  return isGuidanceCode(code) ? { page: "guidance", code } : { page: "unknown" };
}

function runRoute(encoded: string, parameters: URLSearchParams): Route {
  try {
    const runId = decodeURIComponent(encoded);
    if (runId === "" || runId.length > 200) return { page: "unknown" };
    return { page: "run", runId, ...readRunView(parameters) };
  } catch {
    return { page: "unknown" };
  }
}

function locksRoute(id: string | undefined, [part, ...rest]: readonly string[]): Route {
  if (rest.length > 0) return { page: "unknown" };
  if (id === undefined) return { page: "locks" };
  if (id === "jobs") return jobLocksRoute(part);
  if (!/^\d{1,20}$/.test(id)) return { page: "unknown" };
  if (part === undefined) return { page: "locks", recordId: id };
  return part === "release" ? { page: "locks", recordId: id, release: true } : { page: "unknown" };
}

function jobLocksRoute(encoded: string | undefined): Route {
  if (encoded === undefined) return { page: "jobLocks" };
  try {
    const jobKey = decodeURIComponent(encoded);
    return jobKey === "" || jobKey.length > 200 ? { page: "unknown" } : { page: "jobLocks", jobKey };
  } catch {
    return { page: "unknown" };
  }
}

/** The address of a page; `parseRoute` gives the page back. */
export function routeHash(route: Route): string {
  switch (route.page) {
    case "attention":
      return "#/attention";
    case "locks":
      if (route.recordId === undefined) return "#/locks";
      return `#/locks/${route.recordId}${route.release === true ? "/release" : ""}`;
    case "jobLocks":
      return route.jobKey === undefined ? "#/locks/jobs" : `#/locks/jobs/${encodeURIComponent(route.jobKey)}`;
    case "runs":
      return withQuery("#/runs", writeRunFilter(route.filter));
    case "timeline":
      return timelineHash(route);
    case "run":
      return withQuery(`#/runs/${encodeURIComponent(route.runId)}`, writeRunView(route));
    case "audit":
      return withQuery(
        route.entry === undefined ? "#/audit" : `#/audit/${route.entry}`,
        writeAuditFilter(route.filter),
      );
    case "guidance":
      return route.code === undefined ? "#/guidance" : `#/guidance/${route.code}`;
    case "unknowns":
      return unknownsHash(route);
    case "recovery":
      return recoveryHash(route);
    case "requests":
      return requestsHash(route);
    case "processes":
      return processesHash(route);
    case "start":
      return route.networkId ? `#/start?${new URLSearchParams({ network: route.networkId })}` : "#/start";
    case "settings":
      return route.section === "connections" ? "#/settings" : `#/settings/${route.section}`;
    case "unknown":
      return "#/";
  }
}

const withQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query}`;

/**
 * What a page keeps its state under: the same page at another filter, tab or node is the same page, and neither the
 * focus nor what was typed may be lost (operator-ux U5).
 */
export function pageKey(route: Route): string {
  switch (route.page) {
    case "run":
      return `run ${route.runId}`;
    case "runs":
    case "timeline":
    case "requests":
    case "processes":
    case "locks":
    case "jobLocks":
    case "audit":
      return route.page;
    case "settings":
      return "settings";
    default:
      return routeHash(route);
  }
}
