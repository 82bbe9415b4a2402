import { request } from "node:http";
import type { z } from "zod";
import { FlowError } from "../../shared/domain/problem.ts";
import {
  appsCreatedSchema,
  type Compacted,
  cleanProblem,
  compactedSchema,
  type createAppsSchema,
  type createDirectorySchema,
  type createSpaceSchema,
  type createTokensSchema,
  type createUserSchema,
  doneSchema,
  type insertRecordsSchema,
  problemSchema,
  recordsInsertedSchema,
  spaceCreatedSchema,
  statusSchema,
  tokensCreatedSchema,
  usageSchema,
  workspaceCreatedSchema,
} from "./process/control-contract.ts";

/** Set-up of a running server over its control port; apps, tokens and users are idempotent. */
export interface Provisioner {
  /** App ids by code; existing apps keep their fields. */
  createApps(apps: z.input<typeof createAppsSchema>["apps"]): Promise<ReadonlyMap<string, string>>;
  /** Token texts in the order asked; the token of an app and label stays the same. */
  createTokens(tokens: z.input<typeof createTokensSchema>["tokens"]): Promise<readonly string[]>;
  createUser(user: z.input<typeof createUserSchema>): Promise<void>;
  /** Groups and organisations that users name in their profile. */
  createDirectory(directory: z.input<typeof createDirectorySchema>): Promise<void>;
  /** Id of a new space, guest or not; not idempotent, as spaces have no code. */
  createSpace(space: z.input<typeof createSpaceSchema>): Promise<string>;
  /** Ids of the inserted records; none when `onlyIfEmpty` found records. */
  insertRecords(input: z.input<typeof insertRecordsSchema>): Promise<readonly string[]>;
  /** Requests per app and UTC day (kintone-rest §14). */
  usage(): Promise<z.output<typeof usageSchema>["usage"]>;
  status(): Promise<z.output<typeof statusSchema>>;
  /** The same for a named workspace, which is made when there is none. */
  createWorkspace(name: string): Promise<Provisioner>;
  /** The same for a named workspace that is there. */
  inWorkspace(name: string): Provisioner;
  /** Gives unused space of the workspace's file back; nothing else is served meanwhile. */
  compact(): Promise<Compacted>;
  /** Asks the server to end, whoever still holds a lease. */
  stop(): Promise<void>;
}

const ANSWER_MS = 60_000;
/** Rewriting a file of many gigabytes takes minutes. */
const COMPACT_MS = 1_800_000;

interface Raw {
  readonly status: number;
  readonly text: string;
}

/** Own HTTP call instead of `fetch`: no proxy variable may ever lead it away from loopback. */
function exchange(url: string, token: string, body: string | null, limitMs: number): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: body === null ? "GET" : "POST",
        agent: false,
        signal: AbortSignal.timeout(limitMs),
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      },
    );
    call.on("error", reject);
    call.end(body ?? undefined);
  });
}

function controlFailed(path: string, raw: Raw): FlowError {
  return new FlowError({
    code: "LOCAL_KINTONE_CONTROL_FAILED",
    message: `The local kintone answered ${raw.status} to ${path}.`,
    place: path,
    remedy: "Look into its log; if the server was replaced, find it again through the data folder.",
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Creates the typed client of a control port. Calls reject with the FlowError the server refused with. */
export function createProvisioner(controlUrl: string, token: string): Provisioner {
  async function call<T>(
    path: string,
    body: unknown,
    schema: z.ZodType<T>,
    limitMs: number = ANSWER_MS,
  ): Promise<T> {
    const text = body === null ? null : JSON.stringify(body);
    const raw = await exchange(`${controlUrl}${path}`, token, text, limitMs);
    const parsed = parse(raw.text);
    const refused = problemSchema.safeParse(parsed);
    if (refused.success) throw new FlowError(cleanProblem(refused.data.problem));
    const answer = schema.safeParse(parsed);
    if (raw.status !== 200 || !answer.success) throw controlFailed(path, raw);
    return answer.data;
  }
  const inWorkspace = (name: string): Provisioner =>
    createProvisioner(`${controlUrl}/workspaces/${encodeURIComponent(name)}`, token);
  return {
    async createApps(apps) {
      const created = await call("/provision/apps", { apps }, appsCreatedSchema);
      return new Map(created.apps.map(({ code, appId }) => [code, appId]));
    },
    async createTokens(tokens) {
      const created = await call("/provision/tokens", { tokens }, tokensCreatedSchema);
      return created.tokens.map((entry) => entry.token);
    },
    async createUser(user) {
      await call("/provision/users", user, doneSchema);
    },
    async createDirectory(directory) {
      await call("/provision/directory", directory, doneSchema);
    },
    createSpace: async (space) => (await call("/provision/spaces", space, spaceCreatedSchema)).space,
    async insertRecords(input) {
      return (await call("/provision/records", input, recordsInsertedSchema)).ids;
    },
    usage: async () => (await call("/usage", null, usageSchema)).usage,
    async createWorkspace(name) {
      await call("/workspaces", { name }, workspaceCreatedSchema);
      return inWorkspace(name);
    },
    inWorkspace,
    compact: () => call("/compact", {}, compactedSchema, COMPACT_MS),
    status: () => call("/status", null, statusSchema),
    async stop() {
      await call("/stop", {}, doneSchema);
    },
  };
}
