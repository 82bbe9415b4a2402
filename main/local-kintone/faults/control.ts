import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { KintoneError } from "../errors.ts";
import { readBody } from "../http/body.ts";
import { isLoopbackHost } from "../http/host-guard.ts";
import { CONTROL_TOKEN_HEADER, type ControlRoute, REQUESTS } from "./control-contract.ts";
import type { Faults } from "./faults.ts";

export interface FaultControlServer {
  readonly port: number;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 1024 * 1024;

type Work = (body: unknown, faults: Faults, gone: AbortSignal) => Promise<unknown>;

const WORK: Readonly<Record<ControlRoute, Work>> = {
  "/rules/add": async (body, faults) => {
    await faults.add(REQUESTS["/rules/add"].parse(body));
    return {};
  },
  "/rules/clear": async (body, faults) => ({
    cleared: await faults.clear(REQUESTS["/rules/clear"].parse(body).ids),
  }),
  "/rules/list": async (_, faults) => ({ rules: faults.list() }),
  "/barriers/release": async (body, faults) => ({
    released: faults.release(REQUESTS["/barriers/release"].parse(body).rule),
  }),
  "/barriers/wait": async (body, faults, gone) => {
    const { rule, count, timeoutMs } = REQUESTS["/barriers/wait"].parse(body);
    const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)]);
    return { arrivals: await faults.waitFor(rule, count, signal) };
  },
  "/act": async (body, faults) => {
    faults.perform(REQUESTS["/act"].parse(body).action);
    return {};
  },
  "/journal": async (body, faults) => faults.journal(REQUESTS["/journal"].parse(body).after),
  "/ports/open": async (body, faults) => ({
    port: await faults.openPort(REQUESTS["/ports/open"].parse(body).client),
  }),
};

const isRoute = (path: string): path is ControlRoute => Object.hasOwn(WORK, path);

function isAuthorized(message: IncomingMessage, token: string): boolean {
  const header = message.headers[CONTROL_TOKEN_HEADER];
  const given = Buffer.from(typeof header === "string" ? header : "");
  const expected = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json;charset=utf-8" });
  response.end(JSON.stringify(body));
}

function toProblem(error: unknown): Problem | null {
  if (error instanceof FlowError) return error.problem;
  if (error instanceof KintoneError) {
    return {
      code: "FAULT_ACTION_REFUSED",
      message: `The local kintone refused the action with ${error.code}: ${error.text.en}`,
      remedy: "Correct the action; nothing was changed.",
    };
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return {
      code: "BARRIER_NOT_REACHED",
      message: "The barrier was not reached within the time given.",
      remedy: "Look into the journal for what happened instead.",
    };
  }
  if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) return null;
  return {
    code: "FAULT_REQUEST_INVALID",
    message: "The fault control could not read the request.",
    remedy: "Send the documented JSON.",
    ...(error instanceof z.ZodError ? { details: { issues: z.prettifyError(error) } } : {}),
  };
}

/** Null when a request may be served; a page in a browser may not, whatever it knows. */
function refusalOf(message: IncomingMessage, token: string): number | null {
  const { headers, socket } = message;
  if (!isLoopbackHost(headers.host, socket.localPort ?? 0)) return 421;
  if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) return 403;
  return isAuthorized(message, token) ? null : 401;
}

/** Aborted when the caller hangs up: nobody waits for a barrier any more. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  return gone.signal;
}

async function serve(
  faults: Faults,
  token: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refused = refusalOf(message, token);
  if (refused !== null) return reply(response, refused, {});
  const path = message.url ?? "";
  if (!isRoute(path)) return reply(response, 404, {});
  if (message.method !== "POST") return reply(response, 405, {});
  const body = await readBody(message, MAX_BODY_BYTES);
  if (body === "aborted") return;
  if (body === "too-large") return reply(response, 413, {});
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    reply(response, 200, await WORK[path](parsed, faults, goneSignal(response)));
  } catch (error) {
    const problem = toProblem(error);
    if (problem === null) throw error;
    reply(response, 400, { problem });
  }
}

/**
 * Serves the control of faults on a port of its own, 127.0.0.1 only, every request with the secret (kintone-rest §19).
 * `port` 0 takes a free one.
 */
export function startFaultControl(
  faults: Faults,
  options: { readonly token: string; readonly port?: number },
): Promise<FaultControlServer> {
  const server = createServer((message, response) => {
    serve(faults, options.token, message, response).catch(() => {
      if (response.headersSent) response.destroy();
      else reply(response, 500, {});
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: options.port ?? 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") {
        reject(new Error("no control port was bound"));
        return;
      }
      resolve({
        port: address.port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
