import { createHash } from "node:crypto";
import type {
  AppField,
  AppState,
  FieldDefinition,
  FieldValue,
  FormFieldType,
  RecordValues,
} from "../model.ts";
import { isRows } from "./checked.ts";
import { decimalKey, isDecimalText } from "./decimal.ts";

const PREFIX_UNITS = 200;

/** Types whose values stand in an index table; the others are searched in the record body. */
const INDEXED_TYPES: ReadonlySet<FormFieldType> = new Set<FormFieldType>([
  "SINGLE_LINE_TEXT",
  "LINK",
  "NUMBER",
  "CALC",
  "DATE",
  "TIME",
  "DATETIME",
  "DROP_DOWN",
  "RADIO_BUTTON",
  "CHECK_BOX",
  "MULTI_SELECT",
  "USER_SELECT",
  "ORGANIZATION_SELECT",
  "GROUP_SELECT",
]);

/** True when every value of the field has index rows. */
export const isIndexed = ({ type, unique }: FieldDefinition): boolean => unique || INDEXED_TYPES.has(type);

/**
 * Index key of one value. Numbers get a key that orders like the number; a long text gets a prefix and a
 * digest, so that the index stays small and equality stays exact.
 */
export function indexKey(type: FormFieldType, value: string): string {
  if (type === "NUMBER" || (type === "CALC" && isDecimalText(value))) return decimalKey(value);
  if (value.length <= PREFIX_UNITS) return value;
  const digest = createHash("sha256").update(value, "utf8").digest("hex");
  return `${value.slice(0, PREFIX_UNITS)}\u0000${digest}`;
}

export interface IndexEntry {
  readonly field: AppField;
  readonly key: string;
}

/** True when the field's index rows stand in the unique table (kintone-rest §8.3). */
export const isUnique = (definition: FieldDefinition): boolean => definition.unique;

/** Texts of a value that are searched for as a whole: the value itself, each option, each person's code. */
function indexTexts(value: FieldValue): readonly string[] {
  if (value === null || value === "") return [];
  if (typeof value === "string") return [value];
  const items: readonly unknown[] = value;
  return items.flatMap((item) => {
    if (typeof item === "string") return [item];
    return typeof item === "object" && item !== null && "code" in item ? [String(item.code)] : [];
  });
}

function addEntries(
  entries: IndexEntry[],
  fields: ReadonlyMap<string, AppField>,
  rows: readonly RecordValues[],
): void {
  for (const [code, field] of fields) {
    const { definition } = field;
    if (!isIndexed(definition)) continue;
    const keys = new Set<string>();
    for (const values of rows) {
      for (const text of indexTexts(values[code] ?? null)) keys.add(indexKey(definition.type, text));
    }
    for (const key of keys) entries.push({ field, key });
  }
}

/**
 * Index rows of a record; a value that several rows of a table have stands there once. Empty values have none: they may
 * repeat, and emptiness is read from the body.
 */
export function indexEntries(app: AppState, values: RecordValues): IndexEntry[] {
  const entries: IndexEntry[] = [];
  addEntries(entries, app.fields, [values]);
  for (const [code, { columns }] of app.fields) {
    const rows = columns.size > 0 ? values[code] : undefined;
    if (rows === undefined || !isRows(rows) || rows.length === 0) continue;
    addEntries(
      entries,
      columns,
      rows.map((row) => row.values),
    );
  }
  return entries;
}
