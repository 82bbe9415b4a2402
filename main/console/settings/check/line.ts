import { lookup } from "node:dns/promises";
import http from "node:http";
import net from "node:net";
import { errorText } from "../../../../shared/domain/problem.ts";

/** Longest a connection may take to come about; milliseconds. */
export const CONNECT_MS = 10_000;

/** One end of a line. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Where an address leads; the port its scheme implies included. */
export function endpointOf(address: string): Endpoint {
  const url = new URL(address);
  const implied = url.protocol === "https:" ? 443 : 80;
  return { host: url.hostname, port: url.port === "" ? implied : Number(url.port) };
}

/** The system's word for what went wrong, such as `ECONNREFUSED`; else its sentence. */
export function wordOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return errorText(error);
}

/** Addresses of a name. Rejects with the resolver's error, or when the signal aborts. */
export async function resolveName(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  const onAbort = (): void => reject(limited.reason);
  limited.addEventListener("abort", onAbort, { once: true });
  try {
    const found = await Promise.race([lookup(host, { all: true }), aborted]);
    return found.map(({ address }) => address);
  } finally {
    limited.removeEventListener("abort", onAbort);
  }
}

/** An open TCP connection, to be destroyed by the caller. Rejects with the system's error. */
export function openTcp({ host, port }: Endpoint, signal: AbortSignal): Promise<net.Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<net.Socket>();
  const socket = net.connect({ host, port });
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  const onAbort = (): void => {
    socket.destroy();
    reject(limited.reason);
  };
  limited.addEventListener("abort", onAbort, { once: true });
  socket.once("connect", () => resolve(socket));
  socket.once("error", reject);
  if (limited.aborted) onAbort();
  return promise.finally(() => {
    limited.removeEventListener("abort", onAbort);
    socket.off("error", reject);
    // The socket is looked at and thrown away: an error after this is nobody's.
    socket.on("error", () => undefined);
  });
}

export type Tunnel =
  | { readonly kind: "open"; readonly socket: net.Socket }
  | { readonly kind: "refused"; readonly status: number };

/** A tunnel through a proxy (`CONNECT`). Rejects when the proxy itself cannot be reached. */
export function openTunnel(proxyUrl: string, target: Endpoint, signal: AbortSignal): Promise<Tunnel> {
  const { promise, resolve, reject } = Promise.withResolvers<Tunnel>();
  const { host, port } = endpointOf(proxyUrl);
  const request = http.request({
    host,
    port,
    method: "CONNECT",
    path: `${target.host}:${target.port}`,
    headers: { host: `${target.host}:${target.port}` },
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]),
  });
  request.on("error", reject);
  request.on("connect", (response, socket) => {
    const status = response.statusCode ?? 0;
    if (!(socket instanceof net.Socket)) return reject(new Error("the proxy's connection is no socket"));
    socket.on("error", () => undefined);
    if (status === 200) return resolve({ kind: "open", socket });
    socket.destroy();
    resolve({ kind: "refused", status });
  });
  request.on("response", (response) => {
    response.destroy();
    resolve({ kind: "refused", status: response.statusCode ?? 0 });
  });
  request.end();
  return promise;
}
