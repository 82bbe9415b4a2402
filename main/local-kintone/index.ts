export { type EnsuredKintone, type EnsureOptions, ensureLocalKintone } from "./client.ts";
export { createLocalKintone, type LocalKintone } from "./create.ts";
export type { FieldInputs } from "./fields/index.ts";
export type { Listening, ListenOptions } from "./http/listen.ts";
export { type KeepOptions, type KeptKintone, keepLocalKintone } from "./keep.ts";
export type {
  Arrival,
  Clock,
  FieldDefinition,
  IdSource,
  KintoneRequest,
  KintoneResponse,
  TokenRight,
} from "./model.ts";
export type { LocalKintoneOptions } from "./options.ts";
export { kintonePaths, readServerFile, type ServerFile, serverFileSchema } from "./process/server-file.ts";
export {
  type LocalKintoneProcess,
  type LocalKintoneProcessOptions,
  startLocalKintoneProcess,
} from "./process.ts";
export type { Provision } from "./provision.ts";
export { createProvisioner, type Provisioner } from "./provisioner.ts";
export type { NewApp } from "./storage/apps.ts";
