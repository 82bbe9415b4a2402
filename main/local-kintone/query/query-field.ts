import {
  type AppField,
  ASSIGNEE_CODE,
  type FieldDefinition,
  type FieldType,
  STATUS_CODE,
  type SystemFieldType,
} from "../model.ts";
import type { CompileContext } from "./context.ts";
import { notReference, unknownQueryField } from "./errors.ts";

/** A field name of a query, resolved: its type, its SQL and, for form fields, its index number. */
export interface QueryField {
  readonly code: string;
  /** How it is compared; a calculation counts as what its format makes of it. */
  readonly type: FieldType;
  /** Text value of the row, null or '' when empty; of the table row `t` for a field inside a table. */
  readonly column: string;
  /** Expression to sort by, null when the type cannot be sorted. */
  readonly sort: string | null;
  readonly field: AppField | null;
  /** The table the field stands in. */
  readonly table: AppField | null;
}

const UNSORTABLE: ReadonlySet<FieldType> = new Set<FieldType>([
  "CHECK_BOX",
  "MULTI_SELECT",
  "USER_SELECT",
  "ORGANIZATION_SELECT",
  "GROUP_SELECT",
  "FILE",
  "MULTI_LINE_TEXT",
  "RICH_TEXT",
  "SUBTABLE",
  "REFERENCE_TABLE",
  "GROUP",
  "STATUS_ASSIGNEE",
]);

/** JSON path of a field's value. Field codes hold no quote (fields/check.ts), so it needs no escaping. */
export const valuePath = (code: string): string => `$."${code}".value`;

function systemField(code: string, context: CompileContext): QueryField | null {
  const { row, keyColumn, app } = context;
  const make = (type: FieldType, column: string, sortable = true): QueryField => ({
    code,
    type,
    column,
    sort: sortable ? column : null,
    field: null,
    table: null,
  });
  if (code === "$id") return make("__ID__", keyColumn);
  if (app.process !== null && (code === STATUS_CODE || code === ASSIGNEE_CODE)) {
    const column = `json_extract(${row}.body, '${valuePath(code)}')`;
    return code === STATUS_CODE ? make("STATUS", column) : make("STATUS_ASSIGNEE", column, false);
  }
  const type = app.system.find((field) => field.code === code)?.type;
  if (type === undefined) return null;
  const columns: Readonly<Record<SystemFieldType, string>> = {
    RECORD_NUMBER: keyColumn,
    CREATED_TIME: `${row}.created_at`,
    UPDATED_TIME: `${row}.updated_at`,
    CREATOR: `${row}.creator`,
    MODIFIER: `${row}.modifier`,
  };
  return make(type, columns[type]);
}

/** A calculation whose format is a moment is compared like one. */
function comparedType({ type, format }: FieldDefinition): FieldType {
  if (type !== "CALC") return type;
  return format === "DATETIME" || format === "DATE" || format === "TIME" ? format : "CALC";
}

function formField(code: string, found: AppField, table: AppField | null, row: string): QueryField {
  const type = comparedType(found.definition);
  const source = table === null ? `${row}.body, '` : "t.value, '$.value.";
  const path = table === null ? valuePath(code) : `"${code}".value`;
  const column = `json_extract(${source}${path}')`;
  const numeric = type === "NUMBER" || type === "CALC";
  const sort = table !== null || UNSORTABLE.has(type) ? null : numeric ? `kintone_number(${column})` : column;
  return { code, type, column, sort, field: found, table };
}

/** Finds the field a query names, inside tables by its own code; throws `GAIA_IQ11` or `GAIA_IR02`. */
export function resolveField(code: string, context: CompileContext): QueryField {
  const { app, row } = context;
  const system = systemField(code, context);
  if (system !== null) return system;
  const field = app.fields.get(code);
  if (field !== undefined) return formField(code, field, null, row);
  for (const table of app.fields.values()) {
    const column = table.columns.get(code);
    if (column !== undefined) return formField(code, column, table, row);
  }
  const [outer = ""] = code.split(".");
  if (outer !== code && app.fields.has(outer)) throw notReference(outer);
  throw unknownQueryField(code);
}

/** The related-records field a dotted name starts with, and the name behind the dot; null for any other name. */
export function relatedName(
  code: string,
  context: CompileContext,
): { readonly field: AppField; readonly inner: string } | null {
  const dot = code.indexOf(".");
  const field = dot < 0 ? undefined : context.app.fields.get(code.slice(0, dot));
  if (field === undefined || field.definition.type !== "REFERENCE_TABLE") return null;
  return { field, inner: code.slice(dot + 1) };
}
