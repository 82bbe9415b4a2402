export type ExternalDecision =
  | { readonly open: true; readonly url: string }
  | { readonly open: false; readonly reason: "malformed" | "scheme" | "credentials" | "host" };

/**
 * Whether an address may be given to the system's browser (electron-desktop R6): https only, no credentials in it,
 * the default port, and a host of the list, compared in its ASCII form so that look-alikes of other alphabets do not
 * match. Any other scheme could start a program.
 */
export function decideExternal(text: string, allowedHosts: readonly string[]): ExternalDecision {
  // The URL parser forgives what a shell may read otherwise: backslashes, control characters, blanks.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return { open: false, reason: "malformed" };
  const url = URL.parse(text);
  if (url === null) return { open: false, reason: "malformed" };
  if (url.protocol !== "https:") return { open: false, reason: "scheme" };
  if (url.username !== "" || url.password !== "") return { open: false, reason: "credentials" };
  // `host` carries a port that is not the default one, and no list entry has a port.
  return allowedHosts.includes(url.host) ? { open: true, url: url.href } : { open: false, reason: "host" };
}

/** The hosts a page may lead to: the kintone worked in, when it is one on the network, and the documentation's. */
export function allowedHostsFor(kintoneBaseUrl: string): readonly string[] {
  const url = URL.parse(kintoneBaseUrl);
  return url?.protocol === "https:" && url.port === "" ? [url.hostname] : [];
}
