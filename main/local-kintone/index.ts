export { type BackupResult, backupResultSchema, backupStore } from "./admin/backup.ts";
export { type CheckResult, checkResultSchema, checkStore } from "./admin/check.ts";
export { exportStore } from "./admin/export.ts";
export { type ExportResult, exportResultSchema } from "./admin/export-format.ts";
export {
  compactWorkspace,
  type FolderStatus,
  folderStatus,
  folderStatusSchema,
  importWorkspace,
  requireStore,
  stopServer,
  type Workspace,
} from "./admin/folder.ts";
export { type ImportResult, importResultSchema } from "./admin/import.ts";
export { type EnsuredKintone, type EnsureOptions, ensureLocalKintone, findLocalKintone } from "./client.ts";
export { createLocalKintone, type LocalKintone } from "./create.ts";
export { createFaultControl, type FaultControl, type WaitOptions } from "./faults/client.ts";
export { type FaultControlServer, startFaultControl } from "./faults/control.ts";
export { controlFileSchema, type FaultControlFile } from "./faults/control-contract.ts";
export type { Faults } from "./faults/faults.ts";
export { type JournalEntry, journalEntrySchema } from "./faults/journal-schema.ts";
export type { FaultOptions } from "./faults/options.ts";
export { type FaultStart, readFaultControl, readRulesFile } from "./faults/process-form.ts";
export { type FaultRuleInput, type FaultRuleSet, ruleSetSchema } from "./faults/rule-schema.ts";
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
export { type Compacted, compactedSchema } from "./process/control-contract.ts";
export {
  kintonePaths,
  readKeptPort,
  readServerFile,
  type ServerFile,
  serverFileSchema,
} from "./process/server-file.ts";
export {
  type LocalKintoneProcess,
  type LocalKintoneProcessOptions,
  startLocalKintoneProcess,
} from "./process.ts";
export type { Provision } from "./provision.ts";
export { createProvisioner, type Provisioner } from "./provisioner.ts";
export type { NewApp } from "./storage/apps.ts";
