import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILT_IN_RUNNER } from "../../../main/console/embedded.ts";
import { renderRunnerConfig } from "../../../main/console/runner-config.ts";
import { checkSettings } from "../../../main/console/settings/check/index.ts";
import { openFileSecrets, proxyFromEnv, type SecretStore } from "../../../main/console/settings/index.ts";
import { createLocalKintone, type LocalKintone } from "../../../main/local-kintone/index.ts";
import type { CheckItem, ConnectionSettings } from "../../../shared/api/index.ts";
import {
  APP_NAMES,
  APP_ROLES,
  type AppRole,
  appFields,
  ORCHESTRATOR_RIGHTS,
} from "../../../shared/records/index.ts";
import { systemClock } from "../../support/store-fixture.ts";

const TLS = join(import.meta.dirname, "..", "..", "fixtures", "tls");
export const CA_FILE = join(TLS, "localhost.cert.pem");

/** A local kintone with the four apps and a complete connection to it. */
export interface CheckBench {
  readonly folder: string;
  readonly kintone: LocalKintone;
  readonly port: number;
  readonly connection: ConnectionSettings;
  readonly secrets: SecretStore;
  setToken(slot: string, token: string): Promise<void>;
  /** A runner that answers; a check without it asks none, which is a matter of seconds. */
  readonly runner: ConnectionSettings["runner"];
  /** Checks the connection with a change; the ended items by id. */
  check(change?: Partial<ConnectionSettings>, with_?: CheckOptions): Promise<ReadonlyMap<string, CheckItem>>;
  dispose(): Promise<void>;
}

export interface CheckOptions {
  readonly hosts?: readonly string[];
  readonly schedulesPath?: string;
  readonly signal?: AbortSignal;
}

export async function startCheckBench(): Promise<CheckBench> {
  const folder = await mkdtemp(join(tmpdir(), "flownet-check-"));
  const kintone = createLocalKintone({
    databasePath: ":memory:",
    clock: { now: () => Date.now() },
    ids: { random: (bytes) => new Uint8Array(randomBytes(bytes)) },
  });
  const made = new Map<AppRole, { readonly id: number; readonly token: string }>();
  for (const role of APP_ROLES) {
    const app = kintone.provision.createApp({
      name: APP_NAMES[role],
      code: role,
      fields: appFields(role, null),
    });
    const token = kintone.provision.createToken(app, [...ORCHESTRATOR_RIGHTS[role]], "orchestrator");
    made.set(role, { id: Number(app), token });
  }
  const { port, close } = await kintone.listen({ port: 0 });
  const secrets = openFileSecrets(folder);
  const setToken = (slot: string, token: string): Promise<void> =>
    secrets.set(`connection.prod.${slot.replace("/", ".")}`, token);
  for (const [role, { token }] of made) await setToken(role, token);
  await setToken("runner/T_LOG", "runner-log-token-of-the-bench");
  const id = (role: AppRole): number => made.get(role)?.id ?? 0;
  const connection = await connectionTo(`http://localhost:${port}`, folder, {
    state: id("state"),
    audit: id("audit"),
    request: id("request"),
    jobLog: id("jobLog"),
  });
  return {
    folder,
    kintone,
    port,
    connection: { ...connection, runner: { ...connection.runner, bin: join(folder, "no-runner") } },
    runner: connection.runner,
    secrets,
    setToken,
    check: (change = {}, options = {}) =>
      itemsOf(
        { ...connection, runner: { ...connection.runner, bin: join(folder, "no-runner") }, ...change },
        { folder, secrets, options },
      ),
    async dispose() {
      await close();
      await kintone.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function connectionTo(
  baseUrl: string,
  folder: string,
  apps: ConnectionSettings["apps"],
): Promise<ConnectionSettings> {
  const configPath = join(folder, "ksql.config.json");
  const config = renderRunnerConfig({
    profile: "prod",
    baseUrl,
    timezone: "Asia/Tokyo",
    apps: [{ name: "job_log", id: apps.jobLog, tokenVariable: "T_LOG" }],
    logApp: "job_log",
    logDir: join(folder, "runner-log"),
  });
  await writeFile(configPath, config);
  const workDir = join(folder, "work");
  await mkdir(workDir);
  return {
    id: "prod",
    name: "本番",
    profile: "prod",
    baseUrl,
    guestSpaceId: null,
    apps,
    runner: { bin: process.execPath, binArgs: [BUILT_IN_RUNNER], configPath, workDir },
    proxy: { mode: "none" },
    caFile: null,
    allowListPath: null,
  };
}

async function itemsOf(
  connection: ConnectionSettings,
  about: { readonly folder: string; readonly secrets: SecretStore; readonly options: CheckOptions },
): Promise<ReadonlyMap<string, CheckItem>> {
  const { folder, secrets, options } = about;
  const events = checkSettings(
    {
      connection,
      secrets,
      systemProxy: proxyFromEnv({}),
      env: process.env,
      clock: systemClock,
      host: "HOST-A",
      hosts: options.hosts ?? [],
      schedulesPath: options.schedulesPath ?? join(folder, "schedules.json"),
    },
    options.signal ?? new AbortController().signal,
  );
  const items = new Map<string, CheckItem>();
  for await (const event of events) {
    if (event.kind === "item" && event.item.result !== null) items.set(event.item.id, event.item);
  }
  return items;
}

/** Result and code of an item, and whether it blocks. */
export const told = (items: ReadonlyMap<string, CheckItem>, id: string): string => {
  const item = items.get(id);
  return `${item?.result} ${item?.code}${item?.blocks === true ? " blocks" : ""}`;
};

/** Something that listens and is closed by whoever started it. */
export interface Front {
  readonly port: number;
  dispose(): Promise<void>;
}

/** The local kintone behind TLS, or with a clock of its own. */
export async function startFront(
  upstreamPort: number,
  options: { readonly secure?: boolean; readonly skewMs?: number; readonly noDate?: boolean },
): Promise<Front> {
  const serve: http.RequestListener = (request, answer) => {
    const onward = http.request(
      {
        host: "localhost",
        port: upstreamPort,
        method: request.method ?? "GET",
        path: request.url ?? "/",
        headers: { ...request.headers, host: `localhost:${upstreamPort}` },
      },
      (reply) => {
        answer.sendDate = false;
        const date = new Date(Date.now() + (options.skewMs ?? 0)).toUTCString();
        const { date: _, ...headers } = reply.headers;
        answer.writeHead(reply.statusCode ?? 0, { ...headers, ...(options.noDate ? {} : { date }) });
        reply.pipe(answer);
      },
    );
    onward.on("error", () => answer.destroy());
    request.pipe(onward);
  };
  const server =
    options.secure === true
      ? https.createServer(
          { key: readFileSync(join(TLS, "localhost.key.pem")), cert: readFileSync(CA_FILE) },
          serve,
        )
      : http.createServer(serve);
  return listening(server);
}

/** A proxy that leads every name to this machine, or refuses with a status. */
export async function startProxy(
  target: number,
  refuseWith?: number,
): Promise<Front & { readonly names: string[] }> {
  const names: string[] = [];
  const open = new Set<net.Socket>();
  const server = http.createServer();
  server.on("connect", (request, client: net.Socket) => {
    names.push(request.url ?? "");
    open.add(client);
    client.on("error", () => undefined);
    if (refuseWith !== undefined) {
      client.end(`HTTP/1.1 ${refuseWith} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = net.connect(target, "localhost", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(client);
      client.pipe(onward);
    });
    open.add(onward);
    onward.on("error", () => client.destroy());
    client.on("close", () => onward.destroy());
  });
  const front = await listening(server);
  return {
    ...front,
    names,
    async dispose() {
      for (const socket of open) socket.destroy();
      await front.dispose();
    },
  };
}

async function listening(server: http.Server | https.Server): Promise<Front> {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was bound");
  return {
    port: address.port,
    async dispose() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
