import { readFile } from "node:fs/promises";
import { z } from "zod";
import { errorText, FlowError } from "../../shared/domain/problem.ts";
import { writePrivateFile } from "./data-dir.ts";

const appId = z.int().positive();

/** `config.json`: what the embedded workspace of this data folder consists of. Never a secret. */
const workspaceConfigSchema = z.strictObject({
  kind: z.literal("FLOWNET_WORKSPACE"),
  formatVersion: z.literal(1),
  profile: z.string().min(1),
  timezone: z.string().min(1),
  baseUrl: z.url(),
  /** The database these apps are in; absent in a file of before databases had an id. */
  databaseId: z.string().min(1).optional(),
  apps: z.strictObject({ state: appId, audit: appId, request: appId, jobLog: appId }),
  /** Logical name of the SQL dialect to app id. */
  businessApps: z.record(z.string(), appId),
  /** True once every sample record was there; records deleted later stay deleted. */
  samplesComplete: z.boolean(),
});
export type WorkspaceConfig = z.infer<typeof workspaceConfigSchema>;

/**
 * Reads `config.json`; null when the data folder is new. Errors: `DATA_FILE_UNREADABLE`,
 * `WORKSPACE_CONFIG_INVALID` with the file and the first wrong key as its place.
 */
export async function readWorkspaceConfig(path: string): Promise<WorkspaceConfig | null> {
  const text = await readDataFile(path);
  if (text === null) return null;
  const json = parseJson(text);
  const parsed = workspaceConfigSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FlowError({
    code: "WORKSPACE_CONFIG_INVALID",
    message: `The workspace's configuration cannot be used: ${json === undefined ? "it is not JSON" : (issue?.message ?? "")}`,
    place: `${path} ${["$", ...(issue?.path ?? [])].join(".")}`,
    remedy: "Restore the file, or move it away: it is written anew from what the data folder holds.",
  });
}

/** Writes `config.json`, whole or not at all. */
export async function writeWorkspaceConfig(path: string, config: WorkspaceConfig): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(config, null, 2)}\n`);
}

/** A file's text, null when there is none. Other errors pass. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** The same for whoever has no words of its own for a file that cannot be read. Error: `DATA_FILE_UNREADABLE`. */
export async function readDataFile(path: string): Promise<string | null> {
  try {
    return await readTextFile(path);
  } catch (error) {
    throw new FlowError(
      {
        code: "DATA_FILE_UNREADABLE",
        message: `A file of the data folder cannot be read: ${errorText(error)}`,
        place: path,
        remedy:
          "Check that it is a file and that this account may read it; what stands in its place can be moved away.",
      },
      error,
    );
  }
}

/** Parsed JSON, or undefined for text that is none: the schema then says what is missing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
