import { useMemo, useSyncExternalStore } from "react";
import { parseRoute, type Route, routeHash } from "./routes.ts";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** The page the address names, kept true as it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** Goes to a page; the address can be copied and comes back with the browser's own buttons. */
export function goTo(route: Route): void {
  window.location.hash = routeHash(route);
}

/** The same, without a step the browser's own buttons would go back through: for what changes as one types. */
export function replaceRoute(route: Route): void {
  window.location.replace(routeHash(route));
}
