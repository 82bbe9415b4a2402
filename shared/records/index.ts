/**
 * The wire: every record type's field codes, and nothing else in the program knows them (wire-format §1).
 * One codec a record type: `encode` for the insert, partial encoders for exactly the columns of an update,
 * `decode` for what kintone answers.
 */

export * from "./app-differences.ts";
export * from "./app-template.ts";
export * from "./apps.ts";
export * as attemptCodec from "./attempt.ts";
export * from "./audit-events.ts";
export * from "./audit-facts.ts";
export * from "./columns.ts";
export type { FormField, FormFields } from "./form-field.ts";
export * as holdCodec from "./hold.ts";
export type { InvocationFinal } from "./invocation.ts";
export * as invocationCodec from "./invocation.ts";
export * from "./io-audit.ts";
export type { JobLock } from "./job-log.ts";
export * as jobLogCodec from "./job-log.ts";
export type {
  Correlation,
  ForcedRelease,
  JobCheckpoint,
  JobEnd,
  JobLockInsert,
  JobLockRecovery,
} from "./job-log-writes.ts";
export * as jobLogWrites from "./job-log-writes.ts";
export * from "./last-edit.ts";
export type { LockRelease } from "./network-lock.ts";
export * as lockCodec from "./network-lock.ts";
export * as runCodec from "./network-run.ts";
export * as nodeStateCodec from "./node-state.ts";
export * as operationAuditCodec from "./operation-audit.ts";
export * from "./queries.ts";
export type { NewRequest, RequestResult, RequestRow } from "./request.ts";
export * as requestCodec from "./request.ts";
export * as resolutionCodec from "./resolution.ts";
export type { WireField, WireRecord, WireValue } from "./wire.ts";
