import type { Call, Services } from "../api/services.ts";
import type { AppState, StoredRecord } from "../model.ts";
import { noPrivilege } from "../texts.ts";
import { fieldAccessibility } from "./field-access.ts";
import { type RecordRights, recordRights } from "./record-access.ts";
import { fieldNotEditable } from "./refusals.ts";

/** Throws 403 `CB_NO02` unless the caller holds the right on this record (kintone-rest §4). */
export function requireRecord(
  services: Services,
  call: Call,
  app: AppState,
  record: StoredRecord,
  right: keyof RecordRights,
): void {
  if (call.actor.account === null || app.settings.recordRights.length === 0) return;
  if (!recordRights(services, app, call.actor, record)[right]) throw noPrivilege();
}

/** Throws 403 `GAIA_FU01` for the first written field that the caller may not edit (kintone-rest §4). */
export function requireFields(
  call: Call,
  app: AppState,
  written: Readonly<Record<string, unknown>>,
  record: StoredRecord | null,
): void {
  const { account } = call.actor;
  if (account === null || app.settings.fieldRights.length === 0) return;
  for (const code of Object.keys(written)) {
    if (fieldAccessibility(app, account, code, record) !== "WRITE") throw fieldNotEditable(code);
  }
}
