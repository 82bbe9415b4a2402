import { z } from "zod";
import {
  ENTITY_TYPES,
  type FieldDefinition,
  FORM_FIELD_TYPES,
  type FormFieldType,
  SYSTEM_FIELD_TYPES,
  type SystemField,
} from "../model.ts";

const numeric = z.union([z.string(), z.number()]).transform(String);
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);
const entities = z.array(z.object({ type: z.enum(ENTITY_TYPES), code: z.string() }));
const relatedApp = z.object({ app: numeric.default(""), code: z.string().default("") });
const lookup = z.object({
  relatedApp,
  relatedKeyField: z.string(),
  fieldMappings: z
    .array(z.object({ field: z.string(), relatedField: z.string() }))
    .readonly()
    .default([]),
  lookupPickerFields: z.array(z.string()).readonly().default([]),
  filterCond: z.string().default(""),
  sort: z.string().default(""),
});
const referenceTable = z.object({
  relatedApp,
  condition: z
    .object({ field: z.string(), relatedField: z.string() })
    .default({ field: "", relatedField: "" }),
  filterCond: z.string().default(""),
  displayFields: z.array(z.string()).readonly().default([]),
  sort: z.string().default(""),
  size: numeric.default("5"),
});

/** Property keys with the shape each has, whoever sends them (kintone-rest §12). */
const shapes = {
  label: z.string(),
  noLabel: flag,
  required: flag,
  unique: flag,
  defaultValue: z.union([z.string(), z.number().transform(String), z.array(z.string()).readonly(), entities]),
  defaultNowValue: flag,
  minLength: numeric,
  maxLength: numeric,
  minValue: numeric,
  maxValue: numeric,
  expression: z.string(),
  hideExpression: flag,
  format: z.enum(["NUMBER", "NUMBER_DIGIT", "DATETIME", "DATE", "TIME", "HOUR_MINUTE", "DAY_HOUR_MINUTE"]),
  digit: flag,
  displayScale: numeric,
  unit: z.string(),
  unitPosition: z.enum(["BEFORE", "AFTER"]),
  align: z.enum(["HORIZONTAL", "VERTICAL"]),
  thumbnailSize: numeric.pipe(z.enum(["50", "150", "250", "500"])),
  protocol: z.enum(["WEB", "CALL", "MAIL"]),
  openGroup: flag,
  options: z.record(z.string(), z.object({ label: z.string().optional(), index: numeric.default("0") })),
  entities,
  lookup: lookup.nullable(),
  referenceTable: referenceTable.nullable(),
};

const flatInput = z
  .object({ type: z.enum(FORM_FIELD_TYPES), code: z.string().optional() })
  .extend(z.object(shapes).partial().shape);

/** A field as a set-up hands it over: kintone's own property form, everything but `type` optional. */
export const fieldInputSchema = flatInput.extend({ fields: z.record(z.string(), flatInput).optional() });
export const fieldInputsSchema = z.record(z.string(), fieldInputSchema);
export type FieldInput = z.input<typeof fieldInputSchema>;
export type FieldInputs = Readonly<Record<string, FieldInput>>;
/** The same after its values were brought into one form. */
export type FieldRead = z.output<typeof fieldInputSchema>;

/** The same of a change, where even the type may stay away (kintone-rest §12). */
export const fieldChangeSchema = z
  .object({ type: z.string().optional(), code: z.string().optional() })
  .extend(z.object(shapes).partial().shape);

const LIST_TYPES: ReadonlySet<string> = new Set([
  "CHECK_BOX",
  "MULTI_SELECT",
  "USER_SELECT",
  "ORGANIZATION_SELECT",
  "GROUP_SELECT",
]);

/** A definition with nothing but what its type gives it. */
export function blankDefinition(type: FormFieldType, code: string): FieldDefinition {
  return {
    type,
    code,
    label: code,
    noLabel: false,
    required: false,
    unique: false,
    defaultValue: LIST_TYPES.has(type) ? [] : "",
    defaultNowValue: false,
    minLength: "",
    maxLength: "",
    minValue: "",
    maxValue: "",
    expression: "",
    hideExpression: false,
    format: "NUMBER",
    digit: false,
    displayScale: "",
    unit: "",
    unitPosition: "BEFORE",
    align: "HORIZONTAL",
    thumbnailSize: "150",
    protocol: "WEB",
    openGroup: false,
    options: {},
    entities: [],
    lookup: null,
    referenceTable: null,
    fields: [],
  };
}

const storedFlat = z
  .object({ type: z.enum(FORM_FIELD_TYPES), code: z.string() })
  // `protocol` and `format` of old files are any text; a stored definition is not refused for it.
  .extend(z.object({ ...shapes, protocol: z.string(), format: z.string() }).partial().shape);
const storedSchema = z.array(storedFlat.extend({ fields: z.array(storedFlat).optional() }));

function complete(stored: z.output<typeof storedFlat>): FieldDefinition {
  return mergeRead(blankDefinition(stored.type, stored.code), stored);
}

/** Options keyed by their labels: that is the text a record holds. */
function readOptions(options: NonNullable<FieldRead["options"]>): FieldDefinition["options"] {
  return Object.fromEntries(
    Object.entries(options).map(([key, option]) => {
      const label = option.label ?? key;
      return [label, { label, index: option.index }];
    }),
  );
}

/** Lays the keys that were given over a definition; `fields`, `type` and `code` stay. */
export function mergeRead(
  base: FieldDefinition,
  read: Omit<z.output<typeof fieldChangeSchema>, "protocol" | "format"> & {
    readonly protocol?: string | undefined;
    readonly format?: string | undefined;
  },
): FieldDefinition {
  const { type: _type, code: _code, options, ...rest } = read;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([key, value]) => key !== "fields" && value !== undefined),
  );
  return { ...base, ...given, ...(options === undefined ? {} : { options: readOptions(options) }) };
}

/** Reads definitions this program stored, those of earlier layouts among them. */
export function parseDefinitions(json: string): readonly FieldDefinition[] {
  return storedSchema.parse(JSON.parse(json)).map((stored) => ({
    ...complete(stored),
    fields: (stored.fields ?? []).map(complete),
  }));
}

const systemSchema = z.array(
  z.object({
    type: z.enum(SYSTEM_FIELD_TYPES),
    code: z.string(),
    label: z.string(),
    noLabel: z.boolean(),
  }),
);

/** Reads system fields this program stored; an empty text, as old files have, is null. */
export const parseSystemFields = (json: string): readonly SystemField[] | null =>
  json === "" ? null : systemSchema.parse(JSON.parse(json));
