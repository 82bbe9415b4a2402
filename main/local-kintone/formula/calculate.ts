import type { AppField, AppState, FieldDefinition, NumberPrecision } from "../model.ts";
import { type Decimal, decimalText, ofInteger, parseDecimal, round, ZERO } from "../values/arithmetic.ts";
import { type CheckedRow, type CheckedValue, type CheckedValues, isRows } from "../values/checked.ts";
import { integerDigits, isDecimalText } from "../values/decimal.ts";
import { minuteText } from "../values/moment.ts";
import { asNumber, asText, evaluate, type FieldReader, NoValue, type Value } from "./evaluate.ts";
import type { Formula } from "./parser.ts";

/** Moments count as seconds in a formula, times of day from midnight. */
function seconds(type: FieldDefinition["type"], text: string): Decimal {
  if (text === "") throw new NoValue("an empty date");
  if (type !== "TIME") return ofInteger(Date.parse(text) / 1000);
  const [hour = "0", minute = "0"] = text.split(":");
  return ofInteger(Number(hour) * 3600 + Number(minute) * 60);
}

function operand(definition: FieldDefinition, value: CheckedValue | undefined): Value {
  if (value !== null && value !== undefined && typeof value !== "string") throw new NoValue("a list");
  const text = value ?? "";
  switch (definition.type) {
    case "NUMBER":
      return text === "" ? ZERO : parseDecimal(text);
    case "CALC":
      if (text === "") throw new NoValue("an empty calculation");
      return isDecimalText(text) ? parseDecimal(text) : text;
    case "DATE":
    case "DATETIME":
    case "TIME":
      return seconds(definition.type, text);
    default:
      return text;
  }
}

const pad = (value: number): string => String(value).padStart(2, "0");

function clockText(total: number): string {
  const sign = total < 0 ? "-" : "";
  const minutes = Math.floor(Math.abs(total) / 60);
  return `${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** The result as the field's format shows it; empty when it has more digits than the app allows. */
function shown(definition: FieldDefinition, value: Decimal, precision: NumberPrecision): string {
  const { format } = definition;
  const whole = Number(decimalText(round(value, 0, "DOWN")));
  const isMoment = format !== "NUMBER" && format !== "NUMBER_DIGIT";
  // Beyond this a Date has no text.
  if (isMoment && Math.abs(whole) > 250_000_000_000) return "";
  if (format === "DATETIME") return minuteText(whole * 1000);
  if (format === "DATE") return new Date(whole * 1000).toISOString().slice(0, 10);
  if (format === "TIME") return minuteText(whole * 1000).slice(11, 16);
  if (isMoment) return clockText(whole);
  const { digits, decimalPlaces, roundingMode } = precision;
  const text = decimalText(round(value, decimalPlaces, roundingMode));
  return integerDigits(text) > digits - decimalPlaces ? "" : text;
}

interface Scope extends FieldReader {
  value(code: string): CheckedValue | undefined;
}

interface Rows {
  readonly columns: AppField["columns"];
  readonly rows: readonly { readonly row: CheckedRow; readonly scope: Scope }[];
}

function createScope(
  fields: AppField["columns"],
  values: CheckedValues,
  context: { readonly outer: Scope | null; readonly tables: Map<string, Rows>; readonly app: AppState },
): Scope {
  const { outer, tables, app } = context;
  const done = new Map<string, CheckedValue>();
  function calculated({ definition }: AppField, formula: Formula, self: Scope): string {
    try {
      const result = evaluate(formula, self);
      if (definition.type !== "CALC") return asText(result);
      return shown(definition, asNumber(result), app.numberPrecision);
    } catch (error) {
      // A calculation without a result shows nothing; the record is stored all the same.
      if (error instanceof NoValue) return "";
      throw error;
    }
  }
  const scope: Scope = {
    value(code) {
      const field = fields.get(code);
      if (field === undefined || field.formula === null) return values[code];
      const known = done.get(code);
      if (known !== undefined) return known;
      const text = calculated(field, field.formula, scope);
      done.set(code, text);
      return text;
    },
    read(code) {
      const field = fields.get(code);
      if (field !== undefined) return operand(field.definition, scope.value(code));
      if (outer === null) throw new NoValue("no such field");
      return outer.read(code);
    },
    readAll(code) {
      for (const { columns, rows } of tables.values()) {
        if (columns.has(code)) return rows.map((entry) => entry.scope.read(code));
      }
      return [scope.read(code)];
    },
  };
  return scope;
}

const needsWork = (app: AppState): boolean => {
  for (const field of app.fields.values()) {
    if (field.formula !== null) return true;
    for (const column of field.columns.values()) if (column.formula !== null) return true;
  }
  return false;
};

function filled(fields: AppField["columns"], values: CheckedValues, scope: Scope): CheckedValues {
  const result: Record<string, CheckedValue> = { ...values };
  for (const [code, field] of fields) {
    if (field.formula !== null) result[code] = scope.value(code) ?? "";
  }
  return result;
}

/** The values with every calculated field filled in, columns of tables included (kintone-rest §8.4 CALC). */
export function calculate(app: AppState, values: CheckedValues): CheckedValues {
  if (!needsWork(app)) return values;
  const tables = new Map<string, Rows>();
  const top = createScope(app.fields, values, { outer: null, tables, app });
  for (const [code, { columns }] of app.fields) {
    const rows = values[code];
    if (columns.size === 0 || !isRows(rows)) continue;
    const entries = rows.map((row) => ({
      row,
      scope: createScope(columns, row.values, { outer: top, tables, app }),
    }));
    tables.set(code, { columns, rows: entries });
  }
  const result: Record<string, CheckedValue> = { ...filled(app.fields, values, top) };
  for (const [code, { columns, rows }] of tables) {
    result[code] = rows.map(({ row, scope }) => ({ id: row.id, values: filled(columns, row.values, scope) }));
  }
  return result;
}
