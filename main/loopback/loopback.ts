import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { decidePage, decideUpgrade, type RequestFacts } from "./guard.ts";
import { listen } from "./listen.ts";
import { guardHeaders, MAX_MESSAGE_BYTES, TOKEN_PARAMETER } from "./policy.ts";
import type { Loopback, LoopbackDeps } from "./ports.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { socketPort } from "./socket-port.ts";
import { readStatic } from "./static-files.ts";

const LISTEN_HOST = "127.0.0.1";

/**
 * The pages and the API for a browser on this host, and for nobody else (toolchain §6). Errors: `FlowError`
 * `PORT_BUSY`, `PORT_REFUSED`.
 */
export async function createLoopback(deps: LoopbackDeps): Promise<Loopback> {
  const sessions = createSessions({
    randomBytes: deps.randomBytes,
    monotonicMs: () => deps.clock.monotonicMs(),
  });
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000 });
  const port = await listen(server, LISTEN_HOST, deps.port);
  const authority = `${LISTEN_HOST}:${port}`;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  });
  const front = { deps, sessions, authority };
  server.on("request", (request, response) => void answerPage(front, request, response));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    answerUpgrade(front, sockets, request, socket, head);
  });
  const origin = `http://${authority}`;
  const mintLink = (): string => `${origin}/?${TOKEN_PARAMETER}=${sessions.mint()}`;
  return { url: mintLink(), origin, mintLink, close: () => closeAll(server, sockets) };
}

interface Front {
  readonly deps: LoopbackDeps;
  readonly sessions: Sessions;
  readonly authority: string;
}

const factsOf = (request: IncomingMessage): RequestFacts => ({
  method: request.method ?? "",
  target: request.url ?? "",
  host: request.headers.host,
  origin: request.headers.origin,
});

async function answerPage(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { deps, sessions, authority } = front;
  const nonce = Buffer.from(deps.randomBytes(16)).toString("base64url");
  const headers = guardHeaders(nonce);
  const plain = (status: number, text: string, more: Record<string, string> = {}): void => {
    response.writeHead(status, { ...headers, ...more, "Content-Type": "text/plain; charset=utf-8" });
    response.end(request.method === "HEAD" ? undefined : `${text}\n`);
  };
  // A body is never wanted: what a client sends along is drained and forgotten.
  request.resume();
  const decision = decidePage(factsOf(request), authority, sessions.admit(request.headers.cookie) !== null);
  if (decision.kind === "refuse") return plain(decision.status, decision.text);
  if (decision.kind === "exchange") {
    const cookie = sessions.exchange(decision.token);
    if (cookie === null)
      return plain(
        401,
        "This link was used already or was never valid. For a new one, end the console and start it again.",
      );
    return plain(303, "Welcome.", { Location: "/", "Set-Cookie": cookie });
  }
  const file = await readStatic(deps.staticDir, decision.path, nonce);
  if (file === null) return plain(404, "Nothing is here.");
  response.writeHead(200, { ...headers, "Content-Type": file.type, "Content-Length": file.body.length });
  response.end(request.method === "HEAD" ? undefined : file.body);
}

function answerUpgrade(
  front: Front,
  sockets: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { deps, sessions, authority } = front;
  // A client that goes away in mid-refusal is no event.
  socket.on("error", () => socket.destroy());
  const sessionId = sessions.admit(request.headers.cookie);
  const decision = decideUpgrade(factsOf(request), authority, sessionId !== null);
  if (decision.kind === "refuse" || sessionId === null) {
    const status = decision.kind === "refuse" ? decision.status : 403;
    const reason = status === 403 ? "Forbidden" : "Not Found";
    socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    return;
  }
  sockets.handleUpgrade(request, socket, head, (line: WebSocket) => {
    line.once("close", sessions.hold(sessionId));
    // `ws` closes the line itself after a protocol error; without a listener the error would end the process.
    line.on("error", () => line.terminate());
    deps.api.serve(socketPort(line, deps.wait));
  });
}

async function closeAll(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const line of sockets.clients) line.terminate();
  sockets.close();
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  server.closeAllConnections();
  await closed.promise;
}
