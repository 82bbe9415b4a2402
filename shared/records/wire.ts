import { z } from "zod";
import type { RecordRef } from "../domain/model.ts";
import { fail, ok, type Problem, type Result } from "../domain/problem.ts";

/** A value as it stands in a kintone request body (wire-format §1, "Value encoding on write"). */
export type WireValue = string | number | readonly string[] | readonly { readonly fileKey: string }[];
export interface WireField {
  readonly value: WireValue;
}
/** Field code to `{value}`, ready to be the `record` of a POST or PUT. */
export type WireRecord = Readonly<Record<string, WireField>>;

/** Text column; null goes out as the empty string (wire-format §1). */
export const text = (value: string | null): WireField => ({ value: value ?? "" });
/** NUMBER column: a JSON number, null as the empty string (wire-format §1). */
export const number = (value: number | null): WireField => ({ value: value ?? "" });
/** Drop-down holding a boolean: the strings `"true"` / `"false"` (wire-format §1). */
export const flag = (value: boolean): WireField => ({ value: value ? "true" : "false" });
/** String array as compact JSON text (wire-format §1). */
export const list = (value: readonly string[]): WireField => ({ value: JSON.stringify(value) });
/** FILE column with at most one file; null leaves it empty (wire-format §1.1). */
export const attachment = (fileKey: string | null): WireField => ({
  value: fileKey === null ? [] : [{ fileKey }],
});

/**
 * The record without its `record_key`, which an update addresses and must not repeat (wire-format §4.1).
 */
export function withoutKey(record: WireRecord): WireRecord {
  const { record_key: _key, ...rest } = record;
  return rest;
}

const cell = <T>(inner: z.ZodType<T>) => z.object({ value: inner }).transform((field) => field.value);

const emptyAsNull = (value: string | null): string | null => (value === "" ? null : value);

const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Numbers come back from kintone as strings; what this console wrote itself may be looked at before it is sent. */
function toNumber(value: string | number | null, context: z.RefinementCtx): number | null {
  if (value === null || value === "") return null;
  if (typeof value === "number") return value;
  const parsed = DECIMAL.test(value) ? Number(value) : Number.NaN;
  if (Number.isFinite(parsed)) return parsed;
  context.addIssue({ code: "custom", message: "not a number" });
  return z.NEVER;
}

const numeric = z.union([z.string(), z.number(), z.null()]).transform(toNumber);
const integerOrNull = numeric.refine((value) => value === null || Number.isSafeInteger(value), {
  message: "not a whole number",
});

/** Read a column that must hold text. */
export const filled = () => cell(z.string().min(1));
/** Read a column whose text may be empty and means itself. */
export const anyText = () => cell(z.string().nullable()).transform((value) => value ?? "");
/** Read a nullable text, time or drop-down column. */
export const optionalText = () => cell(z.string().nullable()).transform(emptyAsNull);
/** Read a column an older app may lack altogether (wire-format §1.3, §1.4). */
export const lenientText = () =>
  z
    .object({ value: z.string().nullable() })
    .optional()
    .transform((field) => emptyAsNull(field?.value ?? null));
/** Read a nullable whole number an older app may lack. */
export const lenientInteger = () =>
  z
    .object({ value: integerOrNull })
    .optional()
    .transform((field) => field?.value ?? null);
/** Read a whole number that must be there. */
export const integer = () =>
  cell(integerOrNull).transform((value, context) => {
    if (value !== null) return value;
    context.addIssue({ code: "custom", message: "empty" });
    return z.NEVER;
  });
/** Read a nullable whole number. */
export const optionalInteger = () => cell(integerOrNull);
/** Read a nullable, possibly fractional number. */
export const optionalNumber = () => cell(numeric);
/** Read a drop-down that must hold one of the given options. */
export const choice = <const T extends readonly [string, ...string[]]>(options: T) => cell(z.enum(options));
/** Read a boolean drop-down. */
export const boolean = () => cell(z.enum(["true", "false"])).transform((value) => value === "true");

/** Read JSON text with a schema; a text that is not JSON is an issue, never an exception. */
export function jsonText<T>(schema: z.ZodType<T>) {
  return cell(z.string()).transform((value, context): T => {
    const parsed = parseJson(value);
    const checked = parsed.ok ? schema.safeParse(parsed.value) : null;
    if (checked?.success) return checked.data;
    context.addIssue({ code: "custom", message: checked === null ? "not JSON" : issueText(checked.error) });
    return z.NEVER;
  });
}

/** Read a JSON string array; an empty column is an empty list. */
export const stringList = () =>
  z.union([
    z.object({ value: z.union([z.literal(""), z.null()]) }).transform((): string[] => []),
    jsonText(z.array(z.string())),
  ]);

/** Parse JSON without an exception. */
export function parseJson(
  value: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(value) };
  } catch {
    return { ok: false };
  }
}

/** First issue of a failed check in one line: path, then what is wrong. */
function issueText(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "unreadable";
  const path = issue.path.map(String).join(".");
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}

const refShape = {
  $id: cell(z.string().regex(/^[1-9]\d*$/)),
  $revision: cell(z.string().regex(/^[1-9]\d*$/)).transform(Number),
};
const refSchema = z
  .object(refShape)
  .transform(({ $id, $revision }): RecordRef => ({ recordId: $id, revision: $revision }));
/** What is still legible of a record that is not: enough to name it and to say whose it is. */
const legible = {
  recordId: z.object({ $id: refShape.$id }).transform(({ $id }) => $id),
  revision: z.object({ $revision: refShape.$revision }).transform(({ $revision }) => $revision),
  recordType: z.object({ record_type: cell(z.string()) }).transform(({ record_type }) => record_type),
  runId: z.object({ run_id: cell(z.string()) }).transform(({ run_id }) => run_id),
};
function read<T>(schema: z.ZodType<T>, wire: unknown): T | null {
  const result = schema.safeParse(wire);
  return result.success ? result.data : null;
}

/**
 * Read one record as kintone answers it: the columns of `schema`, and where the record stands. Unknown
 * columns are ignored. Failure is `RECORD_UNREADABLE` with the record id, its revision and the column as place;
 * nothing is thrown (wire-format §1).
 */
export function readRecord<T>(
  schema: z.ZodType<T>,
  wire: unknown,
): Result<{ readonly row: T; readonly ref: RecordRef }> {
  const ref = refSchema.safeParse(wire);
  if (!ref.success) return fail(unreadable(wire, ref.error));
  const row = schema.safeParse(wire);
  if (!row.success) return fail(unreadable(wire, row.error));
  return ok({ row: row.data, ref: ref.data });
}

function unreadable(wire: unknown, error: z.ZodError): Problem {
  const recordId = read(legible.recordId, wire);
  const revision = read(legible.revision, wire);
  const at = revision === null ? "" : ` (revision ${revision})`;
  const record = recordId === null ? "record without a readable $id" : `record ${recordId}${at}`;
  const field = String(error.issues[0]?.path[0] ?? "(whole record)");
  return {
    code: "RECORD_UNREADABLE",
    message: `A record could not be read: ${issueText(error)}. It was left alone; what it says is unknown.`,
    place: `${record}, field ${field}`,
    remedy:
      "Open the record in kintone and compare the field with the record format; do not guess its value.",
    details: {
      recordId,
      revision,
      field,
      recordType: read(legible.recordType, wire),
      runId: read(legible.runId, wire),
    },
  };
}
