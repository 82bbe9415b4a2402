import http from "node:http";

/** A request on its way to the server. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** Query text of a GET, decoded; empty otherwise. */
  readonly query: string;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What happens to one matching request. */
export type Fault =
  /** The request never arrives. */
  | { readonly kind: "lose-request" }
  /** The server commits, the connection breaks before any byte of the answer. */
  | { readonly kind: "lose-answer" }
  /** Status and half the body arrive. */
  | { readonly kind: "cut-body" }
  /** The client loses the connection; the copy waits in the network until `deliver`. */
  | { readonly kind: "delay" }
  /** Arrives twice; the first answer is passed on. */
  | { readonly kind: "duplicate" }
  /** The server is not asked; `run` happens before the answer. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: string;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly run?: () => Promise<unknown>;
    }
  /** The server commits, its answer is replaced. */
  | { readonly kind: "replace"; readonly status: number; readonly body: string; readonly type?: string }
  /** Something else happens first. */
  | { readonly kind: "first"; readonly run: () => Promise<unknown> }
  /** Something else happens between the commit and the answer, which is then lost. */
  | { readonly kind: "lose-answer-after"; readonly run: () => Promise<unknown> };

export interface FaultProxy {
  readonly port: number;
  /** Applies a fault to the next `count` requests that match. */
  on(match: (request: ProxiedRequest) => boolean, fault: Fault, count?: number): void;
  /** Sends every delayed copy on; resolves to the statuses they met. */
  deliver(): Promise<readonly number[]>;
  /** Everything that came in, in order. */
  requests(): readonly ProxiedRequest[];
  /** Faults that nothing has met yet. */
  unmet(): number;
  clear(): void;
  dispose(): Promise<void>;
}

async function readAll(stream: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** A reverse proxy on loopback that loses, cuts, delays and repeats on demand; HTTP as it is otherwise. */
export async function startFaultProxy(upstreamPort: number): Promise<FaultProxy> {
  const rules: { match: (request: ProxiedRequest) => boolean; fault: Fault; left: number }[] = [];
  const seen: ProxiedRequest[] = [];
  const waiting: (() => Promise<Reply>)[] = [];

  function forward(message: http.IncomingMessage, body: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = http.request({
        host: "localhost",
        port: upstreamPort,
        method: message.method ?? "GET",
        path: message.url ?? "/",
        headers: { ...message.headers, host: `localhost:${upstreamPort}`, connection: "close" },
      });
      outgoing.on("error", reject);
      outgoing.on("response", (response) => {
        readAll(response).then(
          (content) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content }),
          reject,
        );
      });
      outgoing.end(body);
    });
  }

  function pass(to: http.ServerResponse, reply: Reply, sent = reply.body): void {
    const { connection: _connection, "transfer-encoding": _encoding, ...headers } = reply.headers;
    to.writeHead(reply.status, { ...headers, "content-length": reply.body.byteLength });
    if (sent === reply.body) to.end(sent);
    else to.write(sent, () => to.destroy());
  }

  function say(
    to: http.ServerResponse,
    answer: { status: number; body: string; type?: string; headers?: Readonly<Record<string, string>> },
  ): void {
    to.writeHead(answer.status, { "content-type": answer.type ?? "application/json", ...answer.headers });
    to.end(answer.body);
  }

  async function apply(
    fault: Fault | null,
    message: http.IncomingMessage,
    body: Buffer,
    to: http.ServerResponse,
  ): Promise<void> {
    switch (fault?.kind) {
      case undefined:
        return pass(to, await forward(message, body));
      case "lose-request":
        to.destroy();
        return;
      case "lose-answer":
        await forward(message, body);
        to.destroy();
        return;
      case "cut-body": {
        const reply = await forward(message, body);
        return pass(to, reply, reply.body.subarray(0, Math.floor(reply.body.byteLength / 2)));
      }
      case "delay":
        waiting.push(() => forward(message, body));
        to.destroy();
        return;
      case "duplicate": {
        const reply = await forward(message, body);
        await forward(message, body);
        return pass(to, reply);
      }
      case "answer":
        await fault.run?.();
        return say(to, fault);
      case "replace":
        await forward(message, body);
        return say(to, fault);
      case "first":
        await fault.run();
        return pass(to, await forward(message, body));
      case "lose-answer-after":
        await forward(message, body);
        await fault.run();
        to.destroy();
        return;
    }
  }

  function faultFor(request: ProxiedRequest): Fault | null {
    const rule = rules.find(({ match, left }) => left > 0 && match(request));
    if (rule === undefined) return null;
    rule.left -= 1;
    return rule.fault;
  }

  async function serve(message: http.IncomingMessage, to: http.ServerResponse): Promise<void> {
    const body = await readAll(message);
    const url = new URL(message.url ?? "/", "http://localhost");
    const request: ProxiedRequest = {
      method: message.method ?? "GET",
      path: url.pathname,
      query: url.searchParams.get("query") ?? "",
      body: body.toString("utf8"),
    };
    seen.push(request);
    await apply(faultFor(request), message, body, to);
  }

  const server = http.createServer((message, to) => {
    // A broken upstream looks like a broken connection to the client.
    serve(message, to).catch(() => to.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was bound");
  const { port } = address;

  return {
    port,
    on(match, fault, count = 1) {
      rules.push({ match, fault, left: count });
    },
    deliver: () => Promise.all(waiting.splice(0, waiting.length).map(async (send) => (await send()).status)),
    requests: () => [...seen],
    unmet: () => rules.reduce((sum, { left }) => sum + left, 0),
    clear() {
      rules.splice(0, rules.length);
      seen.splice(0, seen.length);
      waiting.splice(0, waiting.length);
    },
    async dispose() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Matches every bulk request. */
export const isBulk = (request: ProxiedRequest): boolean => request.path.endsWith("/bulkRequest.json");
/** Matches a PUT of one record: a beat, or a lone release. */
export const isLonePut = (request: ProxiedRequest): boolean =>
  request.method === "PUT" && request.path.endsWith("/record.json");
/** Matches a POST of one record: an acquisition. */
export const isInsert = (request: ProxiedRequest): boolean =>
  request.method === "POST" && request.path.endsWith("/record.json");
/** Matches every read. */
export const isRead = (request: ProxiedRequest): boolean => request.method === "GET";
