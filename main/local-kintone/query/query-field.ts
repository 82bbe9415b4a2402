import type { AppField, FieldType } from "../model.ts";
import type { CompileContext } from "./context.ts";
import { notReference, unknownQueryField } from "./errors.ts";

/** A field name of a query, resolved: its type, its SQL and, for form fields, its index number. */
export interface QueryField {
  readonly code: string;
  readonly type: FieldType;
  /** Text value of the row, null or '' when empty. */
  readonly column: string;
  /** Expression to sort by, null when the type cannot be sorted. */
  readonly sort: string | null;
  readonly field: AppField | null;
}

const UNSORTABLE: ReadonlySet<FieldType> = new Set<FieldType>([
  "CHECK_BOX",
  "MULTI_SELECT",
  "FILE",
  "MULTI_LINE_TEXT",
  "REFERENCE_TABLE",
]);

function systemField(code: string, context: CompileContext): QueryField | null {
  const key = context.keyColumn;
  const make = (type: FieldType, column: string): QueryField => ({
    code,
    type,
    column,
    sort: column,
    field: null,
  });
  switch (code) {
    case "$id":
      return make("__ID__", key);
    case "レコード番号":
      return make("RECORD_NUMBER", key);
    case "作成日時":
      return make("CREATED_TIME", "r.created_at");
    case "更新日時":
      return make("UPDATED_TIME", "r.updated_at");
    case "作成者":
      return make("CREATOR", "r.creator");
    case "更新者":
      return make("MODIFIER", "r.modifier");
    default:
      return null;
  }
}

/** Finds the field a query names; throws `GAIA_IQ11` or `GAIA_IR02`. */
export function resolveField(code: string, context: CompileContext): QueryField {
  const system = systemField(code, context);
  if (system !== null) return system;
  const field = context.app.fields.get(code);
  if (field === undefined) {
    const [outer = ""] = code.split(".");
    const known = context.app.fields.get(outer);
    if (outer !== code && known !== undefined && known.definition.type !== "REFERENCE_TABLE") {
      throw notReference(outer);
    }
    throw unknownQueryField(code);
  }
  const { type } = field.definition;
  // Field codes hold no quote (fields.ts), so the path needs no escaping.
  const column = `json_extract(r.body, '$."${code}".value')`;
  const sortable = type === "NUMBER" ? `kintone_number(${column})` : column;
  return { code, type, column, sort: UNSORTABLE.has(type) ? null : sortable, field };
}
