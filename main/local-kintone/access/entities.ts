import type { Person, StoredRecord } from "../model.ts";
import type { Entity } from "../settings/settings-model.ts";
import type { Account } from "../storage/accounts.ts";

/** What an entity may stand for beside a user, a group or an organisation. */
export interface EntityContext {
  /** Code of the account that made the app: `CREATOR`. */
  readonly appCreator: string;
  /** Where `FIELD_ENTITY` looks; null outside a record, where such an entity names nobody. */
  readonly record: StoredRecord | null;
}

/** Group every user belongs to. */
const EVERYONE = "everyone";
/** Built-in group of the system administrators. */
const ADMINISTRATORS = "Administrators";

const isPerson = (value: unknown): value is Person =>
  typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";

/** Codes that a field of users, organisations or groups holds in a record, system fields among them. */
export function namedIn(record: StoredRecord, code: string): readonly string[] {
  if (code === "作成者" || code === "Created_by") return [record.creator.code];
  if (code === "更新者" || code === "Updated_by") return [record.modifier.code];
  if (code === "作業者") return (record.state?.assignees ?? []).map((person) => person.code);
  const value = record.values[code] ?? null;
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value;
  return items.filter(isPerson).map((person) => person.code);
}

/** True when an account is the entity or belongs to it (kintone-rest §12, rights). */
export function isEntity(
  account: Account,
  given: { readonly entity: Entity; readonly includeSubs: boolean },
  context: EntityContext,
): boolean {
  const { type, code } = given.entity;
  switch (type) {
    case "CREATOR":
      return account.code === context.appCreator;
    case "USER":
      return account.code === code;
    case "GROUP":
      if (code === EVERYONE) return true;
      return (code === ADMINISTRATORS && account.administrator) || account.groups.has(code ?? "");
    case "ORGANIZATION":
      return (given.includeSubs ? account.organizationsAbove : account.organizations).has(code ?? "");
    case "FIELD_ENTITY": {
      if (context.record === null || code === null) return false;
      const named = namedIn(context.record, code);
      return named.some(
        (one) => one === account.code || account.groups.has(one) || account.organizations.has(one),
      );
    }
    default:
      return false;
  }
}
