import type { AppState, StoredRecord } from "../model.ts";
import type { FieldRight } from "../settings/settings-model.ts";
import type { Account } from "../storage/accounts.ts";
import { isEntity } from "./entities.ts";

export type Accessibility = FieldRight["entities"][number]["accessibility"];

/**
 * What an account may do with a field (kintone-rest §4, §12): the first entity that names the account decides; a field
 * without an entry is open to whoever may work with the record.
 */
export function fieldAccessibility(
  app: AppState,
  account: Account,
  code: string,
  record: StoredRecord | null,
): Accessibility {
  const right = app.settings.fieldRights.find((candidate) => candidate.code === code);
  if (right === undefined) return "WRITE";
  const context = { appCreator: app.creator.code, record };
  return right.entities.find((candidate) => isEntity(account, candidate, context))?.accessibility ?? "NONE";
}

/** Codes of the fields an account may not even see. */
export function hiddenFields(
  app: AppState,
  account: Account,
  record: StoredRecord | null,
): ReadonlySet<string> {
  return new Set(
    app.settings.fieldRights
      .map((right) => right.code)
      .filter((code) => fieldAccessibility(app, account, code, record) === "NONE"),
  );
}
