import { z } from "zod";

interface ClientConfig {
  readonly baseUrl: string;
  readonly auth:
    | { readonly type: "apiToken"; readonly apiToken: string | ((app: number) => string) }
    | { readonly type: "password"; readonly username: string; readonly password: string };
  readonly fetch: typeof fetch;
}

type Fields = Readonly<Record<string, { readonly value?: unknown }>>;

const page = z.object({ records: z.array(z.record(z.string(), z.object({ value: z.unknown() }))) });
const ids = z.object({ ids: z.array(z.string()) });
const form = z.object({
  properties: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      label: z.string().optional(),
      unique: z.boolean().optional(),
      options: z.record(z.string(), z.object({ index: z.string() })).optional(),
    }),
  ),
});

/** An HTTP error as the peer classifies it: by its numeric `status` (job-dialect §11). */
class StatusError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`HTTP ${status}: ${text}`);
    this.status = status;
  }
}

/** The client the peer's runner works with (job-dialect §11), over the fetch the peer hands in. */
export function createPeerClient(config: ClientConfig) {
  function headersFor(app: number): Record<string, string> {
    const { auth } = config;
    if (auth.type === "password") {
      const pair = Buffer.from(`${auth.username}:${auth.password}`).toString("base64");
      return { "X-Cybozu-Authorization": pair };
    }
    const token = typeof auth.apiToken === "string" ? auth.apiToken : auth.apiToken(app);
    return { "X-Cybozu-API-Token": token };
  }

  async function call(method: string, path: string, app: number, body?: unknown): Promise<unknown> {
    const json = body === undefined ? {} : { "Content-Type": "application/json" };
    const response = await config.fetch(`${config.baseUrl}/k/v1/${path}`, {
      method,
      headers: { ...headersFor(app), ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new StatusError(response.status, text);
    return JSON.parse(text);
  }

  return {
    async getRecords({ app, query, fields }: { app: number; query: string; fields?: readonly string[] }) {
      const list = (fields ?? []).map((field, at) => `&fields[${at}]=${encodeURIComponent(field)}`).join("");
      const path = `records.json?app=${app}&query=${encodeURIComponent(query)}${list}`;
      return page.parse(await call("GET", path, app));
    },
    async postRecords({ app, records }: { app: number; records: readonly Fields[] }) {
      return ids.parse(await call("POST", "records.json", app, { app, records }));
    },
    async putRecords({ app, records }: { app: number; records: readonly unknown[] }) {
      await call("PUT", "records.json", app, { app, records });
    },
    async deleteRecords({ app, ids: gone }: { app: number; ids: readonly number[] }) {
      await call("DELETE", "records.json", app, { app, ids: gone });
    },
    async getFields(app: number) {
      const { properties } = form.parse(await call("GET", `app/form/fields.json?app=${app}`, app));
      return Object.entries(properties).map(([code, field]) => ({
        code,
        label: field.label ?? code,
        fieldType: field.type,
        isUnique: field.unique === true,
        ...(field.options && {
          optionOrder: Object.fromEntries(
            Object.entries(field.options).map(([name, { index }]) => [name, Number(index)]),
          ),
        }),
      }));
    },
  };
}

export type PeerClient = ReturnType<typeof createPeerClient>;
