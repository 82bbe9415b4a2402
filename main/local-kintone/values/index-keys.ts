import { createHash } from "node:crypto";
import type { AppField, AppState, FieldDefinition, FormFieldType, RecordValues } from "../model.ts";
import { decimalKey } from "./decimal.ts";

const PREFIX_UNITS = 200;

/**
 * Types whose values stand in an index table; the others are searched in the record body. Dates and times
 * are indexed only where unique: they are compared by range, on the rows that other parts found.
 */
const INDEXED_TYPES: ReadonlySet<FormFieldType> = new Set<FormFieldType>([
  "SINGLE_LINE_TEXT",
  "LINK",
  "NUMBER",
  "DROP_DOWN",
  "RADIO_BUTTON",
  "CHECK_BOX",
  "MULTI_SELECT",
]);

/**
 * Index key of one value. Numbers get a key that orders like the number; a long text gets a prefix and a
 * digest, so that the index stays small and equality stays exact.
 */
export function indexKey(type: FormFieldType, value: string): string {
  if (type === "NUMBER") return decimalKey(value);
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

/** Index rows of a record. Empty values have none: they may repeat, and emptiness is read from the body. */
export function indexEntries(app: AppState, values: RecordValues): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const [code, field] of app.fields) {
    const { type, unique } = field.definition;
    if (!unique && !INDEXED_TYPES.has(type)) continue;
    const value = values[code] ?? null;
    if (typeof value === "string") {
      if (value !== "") entries.push({ field, key: indexKey(type, value) });
    } else if (value !== null) {
      const items: readonly unknown[] = value;
      for (const item of new Set(items)) {
        if (typeof item === "string") entries.push({ field, key: indexKey(type, item) });
      }
    }
  }
  return entries;
}
