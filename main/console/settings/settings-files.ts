import { join } from "node:path";
import {
  type ConnectionSettings,
  DEFAULT_SETTINGS,
  type SettingsFile,
  settingsFile,
} from "../../../shared/api/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { createFileSecretStore } from "./file-secret-store.ts";
import type { SecretStore } from "./secret-store.ts";
import { createVersionedFile, type VersionedFile } from "./versioned-file.ts";

/** `settings.json` of a data folder (decisions §2). */
export const openSettingsFile = (dataDir: string): VersionedFile<SettingsFile> =>
  createVersionedFile({ path: join(dataDir, "settings.json"), schema: settingsFile, version: 1 });

/** Secrets of a data folder, where no front brings a store of its own. */
export const openFileSecrets = (dataDir: string): SecretStore =>
  createFileSecretStore({
    path: join(dataDir, "secrets.json"),
    platform: process.platform,
    uid: process.getuid?.() ?? null,
  });

/**
 * The connection to open: null for the embedded workspace. A file that cannot be understood is an error, because what
 * it would have said is not known: its problem as `FlowError`.
 */
export async function activeConnection(
  file: VersionedFile<SettingsFile>,
): Promise<ConnectionSettings | null> {
  const { value, readOnly } = await file.read();
  if (value === null && readOnly !== null) throw new FlowError(readOnly);
  const { activeConnection: active, connections } = value ?? DEFAULT_SETTINGS;
  return connections.find(({ id }) => id === active) ?? null;
}
