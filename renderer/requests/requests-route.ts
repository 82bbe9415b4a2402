import type { RequestsView } from "../state/requests.ts";

/** The queue, all of it or what is open, and the request that is opened beside it. */
export interface RequestsRoute {
  readonly page: "requests";
  readonly view?: RequestsView;
  readonly requestId?: string;
}

/** Null when the address names no request. Parameters are read strictly (electron-desktop P7). */
export function requestsRoute(id: string | undefined, parameters: URLSearchParams): RequestsRoute | null {
  const view = parameters.get("view") === "open" ? ({ view: "open" } as const) : {};
  if (id === undefined) return { page: "requests", ...view };
  return /^\d{1,20}$/.test(id) ? { page: "requests", ...view, requestId: id } : null;
}

export function requestsHash({ view, requestId }: RequestsRoute): string {
  const path = requestId === undefined ? "#/requests" : `#/requests/${requestId}`;
  return view === "open" ? `${path}?view=open` : path;
}
