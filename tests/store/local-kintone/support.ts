import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import {
  createLocalKintone,
  type FieldInputs,
  type LocalKintone,
  type LocalKintoneOptions,
} from "../../../main/local-kintone/index.ts";

/** A server on a free port with one app, one full token, and what closes and removes both. */
export interface Rig {
  readonly server: LocalKintone;
  readonly baseUrl: string;
  readonly port: number;
  readonly app: string;
  readonly token: string;
  readonly client: KintoneRestAPIClient;
  readonly folder: string;
  /** Sends a raw request with the token unless headers say otherwise. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
  readonly text: string;
}

export const systemClock = { now: (): number => Date.now() };
export const systemIds = { random: (bytes: number): Uint8Array => randomBytes(bytes) };

const option = (...names: readonly string[]): Record<string, { label: string; index: string }> =>
  Object.fromEntries(names.map((name, index) => [name, { label: name, index: String(index) }]));

/** Every field type of the server; the keyed part has the shape of the state app (wire-format §1.1). */
export const FIELDS: FieldInputs = {
  record_key: { type: "SINGLE_LINE_TEXT", unique: true, required: true },
  record_type: {
    type: "DROP_DOWN",
    required: true,
    options: option("NETWORK_RUN", "NODE_STATE", "NETWORK_LOCK"),
  },
  run_id: { type: "SINGLE_LINE_TEXT" },
  lock_key: { type: "SINGLE_LINE_TEXT", unique: true },
  status: { type: "DROP_DOWN", options: option("CREATED", "RUNNING", "SUCCESS") },
  revision: { type: "NUMBER" },
  serial: { type: "NUMBER", unique: true },
  amount: { type: "NUMBER", minValue: "-5", maxValue: "1000000" },
  note: { type: "MULTI_LINE_TEXT" },
  short: { type: "SINGLE_LINE_TEXT", minLength: "0", maxLength: "5" },
  as_of: { type: "DATETIME" },
  day: { type: "DATE" },
  at: { type: "TIME" },
  flags: { type: "CHECK_BOX", options: option("取消", "確認") },
  many: { type: "MULTI_SELECT", options: option("a", "b", "c") },
  pick: { type: "RADIO_BUTTON", options: option("x", "y"), defaultValue: "x" },
  site: { type: "LINK", protocol: "WEB" },
  bundle: { type: "FILE" },
  related: { type: "REFERENCE_TABLE", referenceTable: { relatedApp: { app: "2", code: "" } } },
};

/** Minimal valid record with this key. */
export const keyed = (
  key: string,
  more: Readonly<Record<string, { value: unknown }>> = {},
): Record<string, { value: unknown }> => ({
  record_key: { value: key },
  record_type: { value: "NETWORK_RUN" },
  ...more,
});

function rawSender(baseUrl: string, token: string): Rig["send"] {
  return async (method, path, body, headers = { "X-Cybozu-API-Token": token }) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
}

/** Starts a server over a fresh folder; the caller closes it. */
export async function startRig(
  options: Partial<LocalKintoneOptions> = {},
  fields: FieldInputs = FIELDS,
): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "local-kintone-"));
  const server = createLocalKintone({
    databasePath: join(folder, "kintone.sqlite"),
    clock: systemClock,
    ids: systemIds,
    synchronous: "NORMAL",
    ...options,
  });
  const { port } = await server.listen({ port: 0 });
  const app = server.provision.createApp({ name: "実行管理", fields });
  const token = server.provision.createToken(app, ["view", "add", "edit", "delete"], "test");
  const baseUrl = `http://localhost:${port}`;
  return {
    server,
    baseUrl,
    port,
    app,
    token,
    folder,
    client: new KintoneRestAPIClient({ baseUrl, auth: { apiToken: token }, proxy: false }),
    send: rawSender(baseUrl, token),
    async close() {
      await server.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
