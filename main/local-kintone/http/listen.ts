import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { FlowError } from "../../../shared/domain/problem.ts";
import { htmlResponse } from "../api/respond.ts";
import type { KintoneRequest, KintoneResponse } from "../model.ts";
import { readBody } from "./body.ts";
import { deliver } from "./deliver.ts";
import { isLoopbackHost } from "./host-guard.ts";
import { describePortOwner } from "./port-owner.ts";

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** Loopback addresses only; both by default, because `localhost` may resolve to either (kintone-rest §1.1). */
  readonly hosts?: readonly ("127.0.0.1" | "::1")[];
  /** Largest request body in bytes; a larger one is answered 413. */
  readonly maxBodyBytes?: number;
  /** Label of whoever calls this port: one port per program tells them apart (kintone-rest §19). */
  readonly client?: string;
}

export interface Listening {
  readonly port: number;
  /** Closes the port and every connection, so that new ones are refused, until `resume`. */
  suspend(): Promise<void>;
  /** Opens the port again. */
  resume(): Promise<void>;
  /** Ends listening and every connection. */
  close(): Promise<void>;
}

/** What a listener serves. */
interface Service {
  readonly handle: Handle;
  readonly maxBodyBytes: number;
  readonly client: string | undefined;
}

export type Handle = (request: KintoneRequest) => Promise<KintoneResponse>;

/** Uploads are the largest bodies; kintone's own ceiling is far higher, a drill's bundles are far smaller. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;
const FREE_PORT_TRIES = 20;

function headersOf(message: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

async function serve(
  { handle, maxBodyBytes, client }: Service,
  message: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  if (!isLoopbackHost(message.headers.host, message.socket.localPort ?? 0)) {
    await deliver(reply, htmlResponse(421));
    return;
  }
  const body = await readBody(message, maxBodyBytes);
  if (body === "aborted") return;
  if (body === "too-large") {
    reply.shouldKeepAlive = false;
    await deliver(reply, htmlResponse(413));
    return;
  }
  const response = await handle({
    method: message.method ?? "GET",
    target: message.url ?? "/",
    headers: headersOf(message),
    ...(body.length === 0 ? {} : { body }),
    ...(client === undefined ? {} : { client }),
  });
  await deliver(reply, response);
}

function createHttpServer(service: Service): Server {
  return createServer({ noDelay: true, keepAliveTimeout: 65_000 }, (message, reply) => {
    serve(service, message, reply).catch(() => {
      // `handle` never rejects; what remains is a socket that died while we answered.
      message.socket.destroy();
    });
  });
}

function bind(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, ipv6Only: host === "::1" }, () => {
      server.off("error", reject);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port was bound"));
      else resolve(address.port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** A host without IPv6 has no ::1; `localhost` then means 127.0.0.1 alone. */
const isAbsentFamily = (error: unknown): boolean =>
  ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(errorCode(error));

async function bindAll(service: Service, port: number, hosts: readonly string[]): Promise<Listening> {
  const servers: { readonly server: Server; readonly host: string }[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(servers.map(({ server }) => closeServer(server)));
  };
  let bound = port;
  let isOpen = true;
  try {
    for (const host of hosts) {
      const server = createHttpServer(service);
      try {
        bound = await bind(server, bound, host);
        servers.push({ server, host });
      } catch (error) {
        if (host !== "::1" || hosts.length === 1 || !isAbsentFamily(error)) throw error;
      }
    }
  } catch (error) {
    await closeAll();
    throw error;
  }
  return {
    port: bound,
    close: closeAll,
    async suspend() {
      isOpen = false;
      await closeAll();
    },
    async resume() {
      if (isOpen) return;
      isOpen = true;
      for (const { server, host } of servers) await bind(server, bound, host);
    },
  };
}

function portBusy(port: number, cause: unknown): FlowError {
  const owner = describePortOwner(port);
  return new FlowError(
    {
      code: "PORT_BUSY",
      message: `Port ${port} is already in use by ${owner.text}, so the local kintone cannot answer there.`,
      place: `port ${port}`,
      remedy: "End that program, or choose another port for a new data folder.",
      details: owner.pid === null ? { port } : { port, pid: owner.pid },
    },
    cause,
  );
}

/**
 * Serves a handler on loopback addresses, all on the same port. Rejects with FlowError `PORT_BUSY` that
 * names the owner where the system tells it.
 */
export async function listenOnLoopback(handle: Handle, options: ListenOptions): Promise<Listening> {
  const hosts = options.hosts ?? ["127.0.0.1", "::1"];
  const service = { handle, maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES, client: options.client };
  const tries = options.port === 0 ? FREE_PORT_TRIES : 1;
  let failure: unknown;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    try {
      return await bindAll(service, options.port, hosts);
    } catch (error) {
      // A port that is free on one address may be taken on the other: then try another free one.
      if (errorCode(error) !== "EADDRINUSE") throw error;
      failure = error;
    }
  }
  throw portBusy(options.port, failure);
}
