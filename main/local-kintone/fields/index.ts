import type { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { type FieldDefinition, SYSTEM_FIELDS, type SystemField } from "../model.ts";
import { TEXT } from "../texts.ts";
import { checkForm } from "./check.ts";
import type { DefinitionIssue } from "./issue.ts";
import {
  blankDefinition,
  type FieldInputs,
  type FieldRead,
  fieldChangeSchema,
  fieldInputSchema,
  mergeRead,
} from "./schema.ts";

export { checkCode, checkForm, flatten } from "./check.ts";
export type { DefinitionIssue } from "./issue.ts";
export {
  type FieldInput,
  type FieldInputs,
  fieldInputSchema,
  fieldInputsSchema,
  parseDefinitions,
  parseSystemFields,
} from "./schema.ts";
export { type FormState, showForm } from "./show.ts";

/** What reading properties gives: the definition, or null, with everything that is wrong with it. */
export interface ReadDefinition {
  readonly definition: FieldDefinition | null;
  readonly issues: readonly DefinitionIssue[];
}

/** Types that keep `unique`; elsewhere the setting is dropped without a word (kintone-rest §8.3). */
const UNIQUE_TYPES: ReadonlySet<string> = new Set(["SINGLE_LINE_TEXT", "NUMBER", "LINK", "DATE", "DATETIME"]);

function shapeIssues(code: string, error: z.ZodError): readonly DefinitionIssue[] {
  return error.issues.map((found) => {
    const path = `properties[${code}].${found.path.join(".")}`;
    const isType = found.path.at(-1) === "type";
    return { code: "CB_VA01", path, text: isType ? TEXT.enumValue : TEXT.badShape };
  });
}

/** `unique` where it can be kept: never inside a table, never on a lookup (kintone-rest §8.3). */
function settle(definition: FieldDefinition, inTable: boolean): FieldDefinition {
  const { type, unique, lookup } = definition;
  return { ...definition, unique: unique && UNIQUE_TYPES.has(type) && !inTable && lookup === null };
}

function complete(key: string, read: Omit<FieldRead, "fields">, inTable: boolean): FieldDefinition {
  return settle(mergeRead(blankDefinition(read.type, read.code ?? key), read), inTable);
}

/** Reads the property object of a new field; `key` is its code unless it names one (kintone-rest §12). */
export function readDefinition(key: string, raw: unknown): ReadDefinition {
  const parsed = fieldInputSchema.safeParse(raw);
  if (!parsed.success) return { definition: null, issues: shapeIssues(key, parsed.error) };
  const inner = Object.entries(parsed.data.fields ?? {});
  const fields =
    parsed.data.type === "SUBTABLE" ? inner.map(([code, read]) => complete(code, read, true)) : [];
  return { definition: { ...complete(key, parsed.data, false), fields }, issues: [] };
}

function mergeInner(
  before: readonly FieldDefinition[],
  changes: Readonly<Record<string, unknown>>,
): { readonly fields: readonly FieldDefinition[]; readonly issues: readonly DefinitionIssue[] } {
  const issues: DefinitionIssue[] = [];
  const known = new Map(before.map((field) => [field.code, field]));
  for (const [code, change] of Object.entries(changes)) {
    const old = known.get(code);
    const read = old === undefined ? readDefinition(code, change) : mergeDefinition(old, change, true);
    issues.push(...read.issues);
    if (read.definition !== null) known.set(code, settle(read.definition, true));
  }
  return { fields: [...known.values()], issues };
}

/**
 * Lays a changed property object over a definition (kintone-rest §12): keys that are absent keep their value,
 * inner fields of a table are merged by their code and new ones added, the type cannot change. A new `code` in the
 * change renames the field.
 */
export function mergeDefinition(before: FieldDefinition, raw: unknown, inTable = false): ReadDefinition {
  const parsed = fieldChangeSchema.safeParse(raw);
  if (!parsed.success) return { definition: null, issues: shapeIssues(before.code, parsed.error) };
  const { type, code } = parsed.data;
  if (type !== undefined && type !== before.type) {
    const path = `properties[${before.code}].type`;
    return { definition: null, issues: [{ code: "CB_VA01", path, text: TEXT.typeFixed }] };
  }
  const merged = settle({ ...mergeRead(before, parsed.data), code: code ?? before.code }, inTable);
  const changes = typeof raw === "object" && raw !== null && "fields" in raw ? raw.fields : undefined;
  if (before.type !== "SUBTABLE" || typeof changes !== "object" || changes === null) {
    return { definition: merged, issues: [] };
  }
  const { fields, issues } = mergeInner(before.fields, { ...changes });
  return { definition: { ...merged, fields }, issues };
}

/** Lays a changed property object over a system field: its code and its label can change (kintone-rest §8.4). */
export function mergeSystemField(before: SystemField, raw: unknown): SystemField {
  if (typeof raw !== "object" || raw === null) return before;
  const text = (key: "code" | "label"): string => {
    const value: unknown = Reflect.get(raw, key);
    return typeof value === "string" ? value : before[key];
  };
  const noLabel = "noLabel" in raw && typeof raw.noLabel === "boolean" ? raw.noLabel : before.noLabel;
  return { ...before, code: text("code"), label: text("label"), noLabel };
}

function refuse(issue: DefinitionIssue): FlowError {
  return new FlowError({
    code: "FIELD_INVALID",
    message: `${issue.path}: ${issue.text.en}`,
    place: /^properties\[(.*?)\]/.exec(issue.path)?.[1] ?? issue.path,
    remedy: "Correct the field.",
  });
}

/** Checks and completes the fields of a set-up; throws FlowError `FIELD_INVALID` naming the field. */
export function normalizeDefinitions(
  fields: FieldInputs,
  system: readonly SystemField[] = SYSTEM_FIELDS,
): readonly FieldDefinition[] {
  const read = Object.entries(fields).map(([key, raw]) => readDefinition(key, raw));
  const definitions = read.flatMap(({ definition }) => (definition === null ? [] : [definition]));
  const [first] = [...read.flatMap(({ issues }) => issues), ...checkForm(definitions, system)];
  if (first !== undefined) throw refuse(first);
  return definitions;
}
