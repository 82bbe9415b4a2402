import tls from "node:tls";
import type { Reach } from "../../environment.ts";
import { shownProxy } from "../reach.ts";
import { judgeClock, readServerTime } from "./clock-probe.ts";
import { endpointOf, openTcp, openTunnel, resolveName, wordOf } from "./line.ts";
import { confirmed, type Finding, type Probe, person, unreadable, wrong } from "./probe.ts";

/** Days before the end of a certificate at which somebody should know. */
const EXPIRES_SOON_DAYS = 30;
const DAY_MS = 86_400_000;

export interface ReachDeps {
  readonly baseUrl: string;
  readonly reach: Reach;
  /** Path of the certificate file of the settings; null without one. */
  readonly caFile: string | null;
  readonly proxyMode: "none" | "system" | "manual";
  readonly nowMs: () => number;
}

/** The line to a kintone, from the name to the clock at its end; each step rests on the one before. */
export function reachProbes(deps: ReachDeps): readonly Probe[] {
  const common = { group: "reach", of: null } as const;
  const through = deps.reach.proxyUrl ?? deps.baseUrl;
  const place = deps.reach.proxyUrl === undefined ? deps.baseUrl : shownProxy(deps.reach.proxyUrl);
  return [
    { ...common, id: "dns", subject: "dns", place, look: (signal) => lookUpName(through, signal) },
    {
      ...common,
      id: "tcp",
      subject: "tcp",
      place,
      needs: "dns",
      look: (signal) => connect(through, signal),
    },
    {
      ...common,
      id: "proxy",
      subject: "proxy",
      place,
      needs: "tcp",
      look: (signal) => askProxy(deps, signal),
    },
    {
      ...common,
      id: "tls",
      subject: "tls",
      place: deps.caFile ?? deps.baseUrl,
      needs: "proxy",
      look: (signal) => lookAtCertificate(deps, signal),
    },
    {
      ...common,
      id: "clock",
      subject: "clock",
      place: deps.baseUrl,
      needs: "tls",
      look: async (signal) => judgeClock(await readServerTime(deps, signal)),
    },
  ];
}

async function lookUpName(address: string, signal: AbortSignal): Promise<Finding> {
  const { host } = endpointOf(address);
  try {
    const found = await resolveName(host, signal);
    return confirmed("DNS_OK", { host, addresses: found.join(", ") });
  } catch (error) {
    return unreadable("DNS_FAILED", { host, error: wordOf(error) });
  }
}

async function connect(address: string, signal: AbortSignal): Promise<Finding> {
  const endpoint = endpointOf(address);
  const facts = { host: endpoint.host, port: String(endpoint.port) };
  try {
    (await openTcp(endpoint, signal)).destroy();
    return confirmed("TCP_OK", facts);
  } catch (error) {
    return unreadable("TCP_FAILED", { ...facts, error: wordOf(error) });
  }
}

async function askProxy({ baseUrl, reach, proxyMode }: ReachDeps, signal: AbortSignal): Promise<Finding> {
  const { proxyUrl } = reach;
  if (proxyUrl === undefined) {
    return proxyMode === "none"
      ? confirmed("PROXY_NONE")
      : confirmed("PROXY_NOT_FOR_THIS", { mode: proxyMode });
  }
  const proxy = shownProxy(proxyUrl);
  try {
    const tunnel = await openTunnel(proxyUrl, endpointOf(baseUrl), signal);
    if (tunnel.kind === "open") {
      tunnel.socket.destroy();
      return confirmed("PROXY_OK", { proxy });
    }
    const facts = { proxy, status: String(tunnel.status) };
    return wrong(tunnel.status === 407 ? "PROXY_WANTS_LOGIN" : "PROXY_REFUSED", facts);
  } catch (error) {
    return unreadable("PROXY_UNREACHABLE", { proxy, error: wordOf(error) });
  }
}

async function lookAtCertificate(deps: ReachDeps, signal: AbortSignal): Promise<Finding> {
  if (deps.baseUrl.startsWith("http:")) return confirmed("TLS_NOT_NEEDED");
  const target = endpointOf(deps.baseUrl);
  try {
    const { proxyUrl } = deps.reach;
    const line = proxyUrl === undefined ? null : await openTunnel(proxyUrl, target, signal);
    if (line?.kind === "refused")
      return wrong("PROXY_REFUSED", { proxy: shownProxy(proxyUrl ?? ""), status: String(line.status) });
    const socket = line?.socket ?? (await openTcp(target, signal));
    try {
      const secured = await secure(socket, target.host, deps.reach.ca, signal);
      return judgeCertificate(secured, deps);
    } finally {
      socket.destroy();
    }
  } catch (error) {
    return unreadable("TLS_FAILED", { error: wordOf(error) });
  }
}

interface Secured {
  readonly trusted: boolean;
  readonly error: string;
  readonly certificate: tls.DetailedPeerCertificate;
}

/** The other end's certificate, whether or not it is trusted; nothing is sent over this line. */
function secure(
  socket: import("node:net").Socket,
  servername: string,
  ca: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Secured> {
  const { promise, resolve, reject } = Promise.withResolvers<Secured>();
  const line = tls.connect({
    socket,
    servername,
    rejectUnauthorized: false,
    ...(ca === undefined ? {} : { ca: [...ca] }),
  });
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  line.once("error", reject);
  line.once("secureConnect", () =>
    resolve({
      trusted: line.authorized,
      error: line.authorizationError === null ? "" : wordOfVerification(line.authorizationError),
      certificate: line.getPeerCertificate(true),
    }),
  );
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    line.destroy();
  });
}

const wordOfVerification = (error: unknown): string => (typeof error === "string" ? error : wordOf(error));

function judgeCertificate({ trusted, error, certificate }: Secured, deps: ReachDeps): Finding {
  const facts = {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    chain: chainOf(certificate).join(" ← "),
    until: certificate.valid_to,
    authority: deps.caFile ?? "built-in",
  };
  if (!trusted) {
    if (error === "CERT_HAS_EXPIRED") return wrong("TLS_EXPIRED", facts);
    if (error === "ERR_TLS_CERT_ALTNAME_INVALID") return wrong("TLS_OTHER_NAME", facts);
    return wrong("TLS_UNTRUSTED", { ...facts, error });
  }
  const left = (Date.parse(certificate.valid_to) - deps.nowMs()) / DAY_MS;
  if (left < EXPIRES_SOON_DAYS)
    return person("TLS_EXPIRES_SOON", { ...facts, days: String(Math.floor(left)) });
  return confirmed(deps.caFile === null ? "TLS_OK" : "TLS_OK_OWN_CA", facts);
}

function nameOf(holder: tls.Certificate | undefined): string {
  const name = holder?.CN ?? holder?.O;
  return Array.isArray(name) ? name.join(", ") : (name ?? "");
}

/** Names from the server's certificate to its root; a root names itself as its issuer. */
function chainOf(certificate: tls.DetailedPeerCertificate): readonly string[] {
  const names: string[] = [];
  let at: tls.DetailedPeerCertificate | undefined = certificate;
  while (at !== undefined && names.length < 8) {
    names.push(nameOf(at.subject));
    at = at.issuerCertificate === at ? undefined : at.issuerCertificate;
  }
  return names;
}
