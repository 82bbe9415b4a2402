import { useMemo, useSyncExternalStore } from "react";
import { parseRoute, type Route, routeHash } from "./routes.ts";

/** Asked before the router hears of a new address; whoever prevents it has put the old address back. */
export const LEAVING = "flownet:leaving";

function subscribe(listener: () => void): () => void {
  const onHash = (): void => {
    if (window.dispatchEvent(new Event(LEAVING, { cancelable: true }))) listener();
  };
  window.addEventListener("hashchange", onHash);
  return () => window.removeEventListener("hashchange", onHash);
}

/** The page the address names, kept true as it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/**
 * The page the address names at this moment, ahead of what was drawn: the browser tells of a change later. A change that
 * is built from what was drawn would take back one made just before it.
 */
export const currentRoute = (): Route => parseRoute(window.location.hash);

/** Goes to a page; the address can be copied and comes back with the browser's own buttons. */
export function goTo(route: Route): void {
  window.location.hash = routeHash(route);
}

/** The same, without a step the browser's own buttons would go back through: for what changes as one types. */
export function replaceRoute(route: Route): void {
  window.location.replace(routeHash(route));
}
