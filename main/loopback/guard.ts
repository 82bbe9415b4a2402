import { API_PATH, TOKEN_PARAMETER } from "./policy.ts";

/** What a request says of itself, before anything of it is believed. */
export interface RequestFacts {
  readonly method: string;
  /** As received: path and query. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

export type PageDecision =
  | { readonly kind: "refuse"; readonly status: 400 | 401 | 405 | 421; readonly text: string }
  | { readonly kind: "exchange"; readonly token: string }
  | { readonly kind: "serve"; readonly path: string };

/**
 * What an HTTP request of this front is answered with (toolchain §6). `Host` is checked first of all, so that a name
 * rebound to this address learns nothing; everything but the one-time link needs a session.
 */
export function decidePage(facts: RequestFacts, authority: string, admitted: boolean): PageDecision {
  if (facts.host !== authority) {
    return { kind: "refuse", status: 421, text: "This address answers only under its own name." };
  }
  if (facts.method !== "GET" && facts.method !== "HEAD") {
    return { kind: "refuse", status: 405, text: "Only GET and HEAD are answered here." };
  }
  const url = URL.parse(facts.target, `http://${authority}`);
  if (url === null || url.host !== authority)
    return { kind: "refuse", status: 400, text: "Malformed address." };
  const token = url.searchParams.get(TOKEN_PARAMETER);
  if (url.pathname === "/" && token !== null) return { kind: "exchange", token };
  if (!admitted) {
    return {
      kind: "refuse",
      status: 401,
      text: "No session. Open the link the console printed at its start; each link works once. For a new link, end the console and start it again.",
    };
  }
  return { kind: "serve", path: url.pathname };
}

export type UpgradeDecision =
  | { readonly kind: "accept" }
  | { readonly kind: "refuse"; readonly status: 403 | 404 };

/**
 * Whether a WebSocket may be opened: own `Host`, own `Origin`, a live session, and only at the API's path (toolchain
 * §6). A browser sends the true `Origin` of a foreign page, which is what keeps other sites out.
 */
export function decideUpgrade(facts: RequestFacts, authority: string, admitted: boolean): UpgradeDecision {
  const own = facts.host === authority && facts.origin === `http://${authority}`;
  if (!own || !admitted) return { kind: "refuse", status: 403 };
  const url = URL.parse(facts.target, `http://${authority}`);
  return url?.pathname === API_PATH ? { kind: "accept" } : { kind: "refuse", status: 404 };
}
