import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { readBody } from "../http/body.ts";
import { isLoopbackHost } from "../http/host-guard.ts";
import type { Provision } from "../provision.ts";
import { storageProblem } from "../storage/failures.ts";
import {
  createAppsSchema,
  createDirectorySchema,
  createSpaceSchema,
  createTokensSchema,
  createUserSchema,
  createWorkspaceSchema,
  insertRecordsSchema,
} from "./control-contract.ts";
import type { Leases } from "./leases.ts";

export interface ControlOptions {
  readonly token: string;
  readonly leases: Leases;
  /** Of the workspace at the root path. */
  readonly provision: Provision;
  /** The named ones; without them only the workspace at the root is served. */
  readonly workspaces?: {
    find(name: string): { readonly provision: Provision };
    create(name: string): { readonly provision: Provision };
  };
  /** Where the records are kept, for what breaks there. */
  readonly place: string;
  /** Facts for `GET /status`. */
  status(): { readonly pid: number; readonly baseUrl: string };
  /** Asked by `POST /stop`. */
  stop(): void;
}

export interface ControlServer {
  readonly url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

function isAuthorized(message: IncomingMessage, token: string): boolean {
  const given = Buffer.from(message.headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json;charset=utf-8" });
  response.end(JSON.stringify(body));
}

/** The lease lasts as long as this answer stays open: a user that dies lets go without a word. */
function holdLease(leases: Leases, response: ServerResponse): void {
  const release = leases.acquire();
  if (release === null) {
    const problem = {
      code: "SERVER_ENDING",
      message: "The local kintone is ending.",
      remedy: "Start a new one.",
    };
    reply(response, 503, { problem });
    return;
  }
  response.on("close", release);
  response.writeHead(200, { "Content-Type": "text/plain;charset=utf-8" });
  response.write("held\n");
}

type Work = (body: unknown, options: ControlOptions) => unknown;

/** `/workspaces/<name>` before a path means the same work in that workspace. */
function inWorkspace(url: string, options: ControlOptions): { path: string; options: ControlOptions } {
  const [, name = "", path = ""] = /^\/workspaces\/([^/?]+)(\/.+)$/.exec(url) ?? [];
  const { workspaces } = options;
  if (path === "" || workspaces === undefined) return { path: url, options };
  return { path, options: { ...options, provision: workspaces.find(name).provision } };
}

const WORK: ReadonlyMap<string, Work> = new Map<string, Work>([
  [
    "GET /status",
    (_, { status, leases, provision }) => ({
      kind: "LOCAL_KINTONE_STATUS",
      formatVersion: 1,
      ...status(),
      leases: leases.count,
      databaseId: provision.databaseId(),
    }),
  ],
  ["GET /usage", (_, { provision }) => ({ usage: provision.usage() })],
  [
    "POST /provision/apps",
    (body, { provision }) => ({
      apps: createAppsSchema.parse(body).apps.map(({ name, code, fields, guestSpaceId, furnishing }) => ({
        code,
        appId: provision.createApp({
          name,
          code,
          fields,
          ...(guestSpaceId === undefined ? {} : { guestSpaceId }),
          ...(furnishing === undefined ? {} : { furnishing }),
        }),
      })),
    }),
  ],
  [
    "POST /provision/tokens",
    (body, { provision }) => ({
      tokens: createTokensSchema.parse(body).tokens.map(({ appId, label, rights }) => ({
        appId,
        label,
        token: provision.createToken(appId, rights, label),
      })),
    }),
  ],
  [
    "POST /provision/records",
    (body, { provision }) => {
      const { appId, records, onlyIfEmpty } = insertRecordsSchema.parse(body);
      if (onlyIfEmpty === true && provision.hasRecords(appId)) return { ids: [] };
      return { ids: provision.insertRecords(appId, records) };
    },
  ],
  [
    "POST /provision/users",
    (body, { provision }) => {
      const { code, name, password, profile } = createUserSchema.parse(body);
      provision.createUser({ code, name }, password, profile);
      return {};
    },
  ],
  [
    "POST /provision/directory",
    (body, { provision }) => {
      const { groups, organizations } = createDirectorySchema.parse(body);
      for (const group of groups) provision.createGroup(group);
      for (const { parent, ...organization } of organizations) {
        provision.createOrganization(organization, parent);
      }
      return {};
    },
  ],
  [
    "POST /provision/spaces",
    (body, { provision }) => {
      const { name, isGuest } = createSpaceSchema.parse(body);
      return { space: provision.createSpace(name, isGuest) };
    },
  ],
  [
    "POST /workspaces",
    (body, { workspaces }) => {
      const { name } = createWorkspaceSchema.parse(body);
      return { databaseId: workspaces?.create(name).provision.databaseId() ?? "" };
    },
  ],
  ["POST /compact", (_, { provision }) => provision.compact()],
  [
    "POST /stop",
    (_, { stop }) => {
      stop();
      return {};
    },
  ],
]);

function toProblem(error: unknown): Problem | null {
  if (error instanceof FlowError) return error.problem;
  if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) return null;
  return {
    code: "CONTROL_REQUEST_INVALID",
    message: "The local kintone could not read the set-up request.",
    remedy: "Send the documented JSON.",
    ...(error instanceof z.ZodError ? { details: { issues: z.flattenError(error) } } : {}),
  };
}

async function serve(
  options: ControlOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isLoopbackHost(message.headers.host, message.socket.localPort ?? 0)) return reply(response, 421, {});
  // A browser page has no business here, whatever it knows.
  const { headers } = message;
  const isPage = headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
  if (isPage || !isAuthorized(message, options.token)) {
    return reply(response, 401, {});
  }
  const method = message.method ?? "";
  if (method === "GET" && message.url === "/lease") return holdLease(options.leases, response);
  const body = await readBody(message, MAX_BODY_BYTES);
  if (body === "aborted") return;
  if (body === "too-large") return reply(response, 413, {});
  try {
    const { path, options: chosen } = inWorkspace(message.url ?? "", options);
    const work = WORK.get(`${method} ${path}`);
    if (work === undefined) return reply(response, 404, {});
    const result = work(body.length === 0 ? null : JSON.parse(body.toString("utf8")), chosen);
    reply(response, 200, result);
  } catch (error) {
    const problem = toProblem(error);
    if (problem !== null) return reply(response, 400, { problem });
    const broken = storageProblem(error, options.place);
    if (broken === null) throw error;
    reply(response, 500, { problem: broken });
  }
}

/** Serves the control port on 127.0.0.1, a free port, every request with the token. */
export function startControl(options: ControlOptions): Promise<ControlServer> {
  const server = createServer((message, response) => {
    serve(options, message, response).catch(() => {
      if (response.headersSent) response.destroy();
      else reply(response, 500, {});
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") {
        reject(new Error("no control port was bound"));
        return;
      }
      resolve({
        url: `http://127.0.0.1:${address.port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
