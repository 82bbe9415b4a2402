/** The settings of a data folder: connections, tokens, roles, and the check of a connection. */

export { connectionFromSettings, type SettingsConnection } from "./connection.ts";
export { createFileSecretStore } from "./file-secret-store.ts";
export type { OpenedBy, RolesChange, SettingsHost } from "./ports.ts";
export { proxyFromEnv, proxySecrets, type SystemProxy } from "./reach.ts";
export type { SecretStore, SecretStoreState } from "./secret-store.ts";
export { activeConnection, openFileSecrets, openSettingsFile } from "./settings-files.ts";
export { openSettingsHost, type SettingsHostDeps } from "./settings-host.ts";
