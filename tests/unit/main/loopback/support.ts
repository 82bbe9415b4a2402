import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLoopback, type FrontPort, type Loopback } from "../../../../main/loopback/index.ts";

export interface Front {
  readonly loopback: Loopback;
  readonly port: number;
  /** Lines the front handed to the API, in order. */
  readonly lines: FrontPort[];
  /** Steps the clock sessions are measured by. */
  passMs(ms: number): void;
  close(): Promise<void>;
}

export const PAGE = '<!doctype html><title>t</title><meta property="csp-nonce" nonce="FLOWNET_CSP_NONCE">';

/** A real front over a folder with one page, one script and a secret beside the folder. */
export async function openFront(): Promise<Front> {
  const root = await mkdtemp(join(tmpdir(), "flownet-front-"));
  const pages = join(root, "pages");
  await mkdir(pages);
  await writeFile(join(pages, "index.html"), PAGE);
  await writeFile(join(pages, "app.js"), "export {};");
  await writeFile(join(root, "secret.json"), "{}");
  let nowMs = 0;
  const lines: FrontPort[] = [];
  const loopback = await createLoopback({
    api: { serve: (line) => void lines.push(line) },
    staticDir: pages,
    port: 0,
    clock: { monotonicMs: () => nowMs },
    randomBytes: (size) => randomBytes(size),
    wait: () => Promise.resolve(),
  });
  return {
    loopback,
    port: Number(new URL(loopback.origin).port),
    lines,
    passMs: (ms) => {
      nowMs += ms;
    },
    async close() {
      await loopback.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends lines as they stand and reads until the other side closes: what no HTTP client would let one send. */
export async function raw(port: number, lines: readonly string[]): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const [head = "", ...body] = text.split("\r\n\r\n");
  const [statusLine = "", ...headerLines] = head.split("\r\n");
  const headers = Object.fromEntries(
    headerLines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: body.join("\r\n\r\n") };
}

/** A GET as a browser would send it, closing afterwards. */
export function get(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const all = { Host: `127.0.0.1:${port}`, Connection: "close", ...headers };
  return raw(port, [
    `GET ${target} HTTP/1.1`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ]);
}

/** Buys a session with a fresh link; the `Cookie` header to send from now on. */
export async function signIn(front: Front): Promise<string> {
  const link = new URL(front.loopback.mintLink());
  const answer = await get(front.port, `${link.pathname}${link.search}`);
  return (answer.headers["set-cookie"] ?? "").split(";")[0] ?? "";
}

/** Headers of a WebSocket handshake of our own page. */
export function handshake(port: number, cookie: string): Record<string, string> {
  return {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    Origin: `http://127.0.0.1:${port}`,
    Cookie: cookie,
  };
}
