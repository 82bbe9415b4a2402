/** What started an invocation. */
export type Trigger =
  | { readonly kind: "request"; readonly requestId: string; readonly creator: string }
  | { readonly kind: "person"; readonly who: string };

/**
 * Reads what the invocation's `requested_by` says (wire-format §1.2): a request record names itself and its creator;
 * anything else is the name of whoever asked. Pure.
 */
export function triggerOf(requestedBy: string): Trigger {
  const [scheme, requestId, ...rest] = requestedBy.split(":");
  if (scheme !== "app-request" || requestId === undefined || rest.length === 0) {
    return { kind: "person", who: requestedBy };
  }
  const encoded = rest.join(":");
  try {
    return { kind: "request", requestId, creator: decodeURIComponent(encoded) };
  } catch {
    return { kind: "request", requestId, creator: encoded };
  }
}
