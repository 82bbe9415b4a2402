import http from "node:http";
import https from "node:https";
import { FlowError } from "../../shared/domain/problem.ts";

/** How the kintone domain is reached. */
export interface ConnectionConfig {
  /** `https://…`, or `http://localhost:<port>` of a server on this host (kintone-rest §1.1). */
  readonly baseUrl: string;
  /** `http://host:port` of a proxy; never used for loopback. */
  readonly proxyUrl?: string;
  /** PEM texts of additional certificate authorities. */
  readonly ca?: readonly string[];
}

export interface Connection {
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly loopback: boolean;
  readonly agent: http.Agent | https.Agent;
  /** The agent for the official client, which takes one for https only. */
  readonly httpsAgent: https.Agent | undefined;
  dispose(): void;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The official client takes plain http for the host name `localhost` and nothing else.
  if (
    url !== null &&
    (url.protocol === "https:" || (url.protocol === "http:" && url.hostname === "localhost"))
  ) {
    return url;
  }
  throw new FlowError({
    code: "CONFIG_ERROR",
    message: "The kintone base URL is neither https nor http://localhost; no request was sent.",
    place: "baseUrl",
    remedy: "Use https://<domain>, or http://localhost:<port> for a server on this host.",
  });
}

/**
 * Agents for one kintone domain. Proxy variables of the environment are not consulted: a configured proxy is
 * handed to the agent, and loopback never takes one (kintone-rest W9). Throws `CONFIG_ERROR` for a base URL
 * that is neither https nor `http://localhost`.
 */
export function createConnection(config: ConnectionConfig): Connection {
  const url = parseBaseUrl(config.baseUrl);
  const baseUrl = config.baseUrl.replace(/\/+$/, "");
  const loopback = LOOPBACK.has(url.hostname);
  if (url.protocol === "http:") {
    const agent = new http.Agent({ keepAlive: true });
    return { baseUrl, loopback, agent, httpsAgent: undefined, dispose: () => agent.destroy() };
  }
  const agent = new https.Agent({
    keepAlive: true,
    ...(config.ca && { ca: [...config.ca] }),
    ...(config.proxyUrl !== undefined && !loopback && { proxyEnv: { HTTPS_PROXY: config.proxyUrl } }),
  });
  return { baseUrl, loopback, agent, httpsAgent: agent, dispose: () => agent.destroy() };
}
