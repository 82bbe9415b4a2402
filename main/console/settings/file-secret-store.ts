import { lstat, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { writePrivateFile } from "../data-dir.ts";
import { parseJson, readDataFile } from "../workspace-config.ts";
import { createQueue } from "./queue.ts";
import type { SecretStore, SecretStoreState } from "./secret-store.ts";

const fileSchema = z.strictObject({
  kind: z.literal("FLOWNET_SECRETS"),
  formatVersion: z.literal(1),
  secrets: z.record(z.string(), z.string()),
});

export interface FileSecretStoreDeps {
  /** `secrets.json` in the data folder. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** The account's number; null where there is none. */
  readonly uid: number | null;
}

/**
 * Secrets in one file, unencrypted, for a host without a desktop session: guarded by its rights alone. It is
 * therefore available only where those can be proven: file (0600) and folder (0700) belong to this account and
 * grant nobody else anything. On Windows rights are not told by modes, so it is unavailable there: the desktop
 * front keeps tokens, or variables carry them.
 */
export function createFileSecretStore(deps: FileSecretStoreDeps): SecretStore {
  const queue = createQueue();
  const read = async (): Promise<Readonly<Record<string, string>>> => {
    if ((await stateOf(deps)) === "unavailable") return {};
    const text = await readDataFile(deps.path);
    const parsed = text === null ? null : fileSchema.safeParse(parseJson(text));
    return parsed?.success === true ? parsed.data.secrets : {};
  };
  const change = (edit: (secrets: Map<string, string>) => void): Promise<void> =>
    queue(async () => {
      if ((await stateOf(deps)) === "unavailable") throw new FlowError(unavailable(deps.path));
      const secrets = new Map(Object.entries(await read()));
      edit(secrets);
      if (secrets.size === 0) return rm(deps.path, { force: true });
      const file = { kind: "FLOWNET_SECRETS", formatVersion: 1, secrets: Object.fromEntries(secrets) };
      await writePrivateFile(deps.path, `${JSON.stringify(file, null, 2)}\n`);
    });
  return {
    state: () => stateOf(deps),
    set: (name, value) => change((secrets) => secrets.set(name, value)),
    remove: (name) => change((secrets) => secrets.delete(name)),
    has: async (name) => Object.hasOwn(await read(), name),
    get: async (name) => {
      const secrets = await read();
      return Object.hasOwn(secrets, name) ? (secrets[name] ?? null) : null;
    },
    undecryptable: async () => [],
  };
}

async function stateOf({ path, platform, uid }: FileSecretStoreDeps): Promise<SecretStoreState> {
  if (platform === "win32" || uid === null) return "unavailable";
  const own = async (place: string, missing: SecretStoreState): Promise<SecretStoreState> => {
    try {
      const found = await lstat(place);
      if (found.isSymbolicLink()) return "unavailable";
      return found.uid === uid && (found.mode & 0o077) === 0 ? "available" : "unavailable";
    } catch (error) {
      const gone = error instanceof Error && "code" in error && error.code === "ENOENT";
      return gone ? missing : "unavailable";
    }
  };
  const folder = await own(dirname(path), "unavailable");
  return folder === "available" ? own(path, "available") : folder;
}

const unavailable = (path: string) => ({
  code: "SECRET_STORE_UNAVAILABLE",
  message:
    "Tokens cannot be kept here: the folder is not provably private to this account. Nothing was kept.",
  place: path,
  remedy:
    "Use the desktop window, make the data folder private (0700, owned by this account), or set variables.",
});
