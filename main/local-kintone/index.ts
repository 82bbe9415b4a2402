export { createLocalKintone, type LocalKintone, type LocalKintoneOptions } from "./create.ts";
export type { FieldInputs } from "./fields.ts";
export type { Listening, ListenOptions } from "./http/listen.ts";
export type {
  Arrival,
  Clock,
  FieldDefinition,
  IdSource,
  KintoneRequest,
  KintoneResponse,
  TokenRight,
} from "./model.ts";
export type { Provision } from "./provision.ts";
export type { NewApp } from "./storage/apps.ts";
