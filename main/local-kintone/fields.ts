import { z } from "zod";
import { FlowError } from "../../shared/domain/problem.ts";
import { type AppState, type FieldDefinition, FORM_FIELD_TYPES, SYSTEM_FIELDS } from "./model.ts";

const numeric = z.union([z.string(), z.number()]).transform(String);

/** A field as a set-up hands it over: kintone's own property form, everything but `type` optional. */
export const fieldInputSchema = z.object({
  type: z.enum(FORM_FIELD_TYPES),
  code: z.string().optional(),
  label: z.string().optional(),
  noLabel: z.boolean().optional(),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  defaultValue: z.union([z.string(), z.array(z.string())]).optional(),
  defaultNowValue: z.boolean().optional(),
  minLength: numeric.optional(),
  maxLength: numeric.optional(),
  minValue: numeric.optional(),
  maxValue: numeric.optional(),
  protocol: z.string().optional(),
  options: z.record(z.string(), z.object({ label: z.string(), index: numeric })).optional(),
  referenceTable: z.record(z.string(), z.unknown()).optional(),
});
export const fieldInputsSchema = z.record(z.string(), fieldInputSchema);
export type FieldInputs = Readonly<Record<string, z.input<typeof fieldInputSchema>>>;

const definitionsSchema = z.array(
  z.object({
    type: z.enum(FORM_FIELD_TYPES),
    code: z.string(),
    label: z.string(),
    noLabel: z.boolean(),
    required: z.boolean(),
    unique: z.boolean(),
    defaultValue: z.union([z.string(), z.array(z.string())]),
    defaultNowValue: z.boolean(),
    minLength: z.string(),
    maxLength: z.string(),
    minValue: z.string(),
    maxValue: z.string(),
    protocol: z.string(),
    options: z.record(z.string(), z.object({ label: z.string(), index: z.string() })),
    referenceTable: z.record(z.string(), z.unknown()).nullable(),
  }),
);

/** Types that keep `unique`; elsewhere the setting is dropped without a word (kintone-rest §8.3). */
const UNIQUE_TYPES: ReadonlySet<string> = new Set(["SINGLE_LINE_TEXT", "NUMBER", "LINK", "DATE", "DATETIME"]);
const LIST_TYPES: ReadonlySet<string> = new Set(["CHECK_BOX", "MULTI_SELECT"]);
const CHOICE_TYPES: ReadonlySet<string> = new Set(["CHECK_BOX", "MULTI_SELECT", "DROP_DOWN", "RADIO_BUTTON"]);
const RESERVED: ReadonlySet<string> = new Set([
  ...SYSTEM_FIELDS.map((field) => field.code),
  "ステータス",
  "作業者",
  "カテゴリー",
]);

function refuse(code: string, message: string): FlowError {
  return new FlowError({ code: "FIELD_INVALID", message, place: code, remedy: "Correct the field." });
}

function checkCode(code: string): void {
  // No leading digit, `_` the only half-width symbol, at most 128 characters (kintone-rest §8.3).
  const shape = /^[[\u0080-\u{10ffff}A-Za-z_]--\s]$/v;
  const rest = /^[[\u0080-\u{10ffff}\w]--\s]*$/v;
  const first = [...code][0] ?? "";
  if (!shape.test(first) || !rest.test(code) || code.length > 128) {
    throw refuse(code, `"${code}" cannot be a field code.`);
  }
  if (RESERVED.has(code)) throw refuse(code, `"${code}" is the code of a system field.`);
}

function normalizeDefinition(key: string, raw: z.input<typeof fieldInputSchema>): FieldDefinition {
  const input = fieldInputSchema.parse(raw);
  const code = input.code ?? key;
  checkCode(code);
  if (CHOICE_TYPES.has(input.type) && Object.keys(input.options ?? {}).length === 0) {
    throw refuse(code, `The choice field "${code}" has no options.`);
  }
  return {
    type: input.type,
    code,
    label: input.label ?? code,
    noLabel: input.noLabel ?? false,
    required: input.required ?? false,
    unique: UNIQUE_TYPES.has(input.type) && (input.unique ?? false),
    defaultValue: input.defaultValue ?? (LIST_TYPES.has(input.type) ? [] : ""),
    defaultNowValue: input.defaultNowValue ?? false,
    minLength: input.minLength ?? "",
    maxLength: input.maxLength ?? "",
    minValue: input.minValue ?? "",
    maxValue: input.maxValue ?? "",
    protocol: input.protocol ?? "WEB",
    options: input.options ?? {},
    referenceTable: input.referenceTable ?? null,
  };
}

/** Checks and completes field definitions; throws FlowError `FIELD_INVALID` naming the field. */
export function normalizeDefinitions(fields: FieldInputs): readonly FieldDefinition[] {
  return Object.entries(fields).map(([key, raw]) => normalizeDefinition(key, raw));
}

/** Reads definitions this program stored. */
export function parseDefinitions(json: string): readonly FieldDefinition[] {
  return definitionsSchema.parse(JSON.parse(json));
}

/** The property keys each type shows in `app/form/fields.json` beside the common ones (kintone-rest §12). */
const SHOWN: Readonly<Record<string, readonly (keyof FieldDefinition)[]>> = {
  SINGLE_LINE_TEXT: ["required", "unique", "minLength", "maxLength", "defaultValue"],
  MULTI_LINE_TEXT: ["required", "defaultValue"],
  NUMBER: ["required", "unique", "minValue", "maxValue", "defaultValue"],
  DATETIME: ["required", "unique", "defaultValue", "defaultNowValue"],
  DATE: ["required", "unique", "defaultValue", "defaultNowValue"],
  TIME: ["required", "defaultValue", "defaultNowValue"],
  DROP_DOWN: ["required", "options", "defaultValue"],
  RADIO_BUTTON: ["required", "options", "defaultValue"],
  CHECK_BOX: ["required", "options", "defaultValue"],
  MULTI_SELECT: ["required", "options", "defaultValue"],
  LINK: ["required", "unique", "protocol", "minLength", "maxLength", "defaultValue"],
  FILE: ["required"],
  REFERENCE_TABLE: ["referenceTable"],
};

/** `properties` of `app/form/fields.json`, the switched-off process fields included (kintone-rest §8.4, §12). */
export function formProperties(app: AppState): Record<string, Record<string, unknown>> {
  const properties: Record<string, Record<string, unknown>> = {};
  for (const { definition } of app.fields.values()) {
    const { type, code, label, noLabel } = definition;
    const shown: Record<string, unknown> = { type, code, label, noLabel };
    for (const key of SHOWN[type] ?? []) shown[key] = definition[key];
    properties[code] = shown;
  }
  for (const { code, type } of SYSTEM_FIELDS) {
    properties[code] = { type, code, label: code, noLabel: false };
  }
  properties.ステータス = { type: "STATUS", code: "ステータス", label: "ステータス", enabled: false };
  properties.作業者 = { type: "STATUS_ASSIGNEE", code: "作業者", label: "作業者", enabled: false };
  properties.カテゴリー = { type: "CATEGORY", code: "カテゴリー", label: "カテゴリー", enabled: false };
  return properties;
}
