import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import {
  createFaultControl,
  createLocalKintone,
  startFaultControl,
} from "../../../main/local-kintone/index.ts";
import { APP_NAMES, appFields } from "../../../shared/records/index.ts";

const RUNNER = path.resolve(import.meta.dirname, "..", "..", "fixtures", "children", "scripted-runner.mjs");
export const PROFILE = "crash";
/** Of the orchestrator's tokens; children call kintone under another. */
export const VICTIM = "orchestrator";
export const allowListIn = (folder: string): string => path.join(folder, "allow.yaml");

/** Starts a server with the orchestrator's apps; the label of a token tells orchestrator and child apart. */
export async function startServer(folder: string) {
  const clock = { now: () => Date.now() };
  const server = createLocalKintone({
    databasePath: path.join(folder, "store.db"),
    synchronous: "NORMAL",
    clock,
    ids: { random: (bytes) => new Uint8Array(randomBytes(bytes)) },
    faults: { clock },
  });
  const make = (role: "state" | "audit" | "jobLog" | "request") => {
    const app = server.provision.createApp({
      name: APP_NAMES[role],
      code: role.toUpperCase(),
      fields: appFields(role, null),
    });
    return { id: app, token: server.provision.createToken(app, ["view", "add", "edit"], VICTIM) };
  };
  const apps = {
    state: make("state"),
    audit: make("audit"),
    jobLog: make("jobLog"),
    request: make("request"),
  };
  const personToken = server.provision.createToken(apps.request.id, ["view", "add", "edit"], "person");
  const childToken = server.provision.createToken(apps.jobLog.id, ["view", "add", "edit"], "runner");
  const listening = await server.listen({ port: 0 });
  if (server.faults === null) throw new Error("the server was made without faults");
  const token = randomBytes(16).toString("hex");
  const control = await startFaultControl(server.faults, { token });
  return {
    apps,
    childToken,
    personToken,
    port: listening.port,
    control: createFaultControl({ port: control.port, token }),
    async dispose() {
      await control.close();
      await listening.close();
      await server.dispose();
    },
  };
}
export type CrashServer = Awaited<ReturnType<typeof startServer>>;

export async function environment(server: CrashServer, folder: string): Promise<Record<string, string>> {
  const baseUrl = `http://localhost:${server.port}`;
  const configPath = path.join(folder, "ksql.config.json");
  const apps = { LOG: { id: Number(server.apps.jobLog.id), tokens: ["env:LOG_TOKEN"] } };
  const profile = { baseUrl, timezone: "Asia/Tokyo", auth: { type: "apiToken" }, apps };
  await writeFile(configPath, JSON.stringify({ profiles: { [PROFILE]: profile } }));
  const logAccess = { baseUrl, logAppId: Number(server.apps.jobLog.id) };
  await writeFile(path.join(folder, "scripts", "kintone.json"), JSON.stringify(logAccess));
  return {
    KSQL_FLOWNET_PROFILE: PROFILE,
    KSQL_FLOWNET_BASE_URL: baseUrl,
    KSQL_FLOWNET_REQUESTED_BY: "matrix",
    KSQL_FLOWNET_SERVICE_PRINCIPAL: "svc",
    KSQL_FLOWNET_STATE_APP_ID: server.apps.state.id,
    KSQL_FLOWNET_STATE_API_TOKEN: server.apps.state.token,
    KSQL_FLOWNET_AUDIT_APP_ID: server.apps.audit.id,
    KSQL_FLOWNET_AUDIT_API_TOKEN: server.apps.audit.token,
    KSQL_FLOW_LOG_APP_ID: server.apps.jobLog.id,
    KSQL_FLOW_LOG_API_TOKEN: server.apps.jobLog.token,
    KSQL_FLOW_BIN: process.execPath,
    KSQL_FLOW_BIN_ARGS: JSON.stringify([RUNNER, path.join(folder, "scripts")]),
    KSQL_FLOW_CONFIG: configPath,
    KSQL_FLOW_WORKDIR: path.join(folder, "work"),
    LOG_TOKEN: server.childToken,
    KSQL_FLOWNET_REQUEST_APP_ID: server.apps.request.id,
    KSQL_FLOWNET_REQUEST_API_TOKEN: server.apps.request.token,
    KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH: allowListIn(folder),
  };
}
