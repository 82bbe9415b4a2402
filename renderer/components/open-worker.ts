interface UrlPolicy {
  createScriptURL(url: string): unknown;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { readonly createScriptURL: (url: string) => string }): UrlPolicy;
}

declare global {
  interface Window {
    readonly trustedTypes?: PolicyFactory;
  }
}

/** The one name the page's policy allows (decisions §1). */
const POLICY = "flownet-worker";

// The browser gives a policy name away once a page, so the policy belongs to the page and not to its users.
let policy: UrlPolicy | null | undefined;

/**
 * Opens a worker of ours. `url` comes from the build; one that is not this page's own file is refused, whatever made it.
 * Browsers without trusted types take the checked text itself.
 */
export function openWorker(url: string, options?: WorkerOptions): Worker {
  policy ??= window.trustedTypes?.createPolicy(POLICY, { createScriptURL: ownFile }) ?? null;
  const checked: unknown = policy === null ? ownFile(url) : policy.createScriptURL(url);
  return new Worker(checked as string, options);
}

function ownFile(url: string): string {
  const full = new URL(url, window.location.href);
  if (full.origin === window.location.origin && full.protocol === window.location.protocol) return full.href;
  throw new TypeError("a worker must be a file of this page");
}
