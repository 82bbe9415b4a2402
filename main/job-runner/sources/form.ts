import { type Column, type ColumnType, NUMBER, TEXT } from "../values/column-type.ts";

/** What a form demands of a value that is written (kintone-rest §8). Null = no such rule. */
export interface WriteRules {
  readonly required: boolean;
  /** UTF-16 units. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  /** Decimals as the form writes them. */
  readonly minValue: string | null;
  readonly maxValue: string | null;
}

/** One readable field of an app, as a column. */
export interface SourceField extends Column {
  readonly fieldType: string;
  readonly unique: boolean;
  /** Choices in the order of their definition; empty for other fields. */
  readonly options: readonly string[];
  /** Null for a field that kintone fills itself (job-dialect §6, "Not writable"). */
  readonly write: WriteRules | null;
}

type FieldProperties = Readonly<Record<string, unknown>>;

const TEXT_TYPES = ["SINGLE_LINE_TEXT", "MULTI_LINE_TEXT", "RICH_TEXT", "LINK", "CREATOR", "MODIFIER"];
const MULTI_TYPES = [
  "CHECK_BOX",
  "MULTI_SELECT",
  "USER_SELECT",
  "ORGANIZATION_SELECT",
  "GROUP_SELECT",
  "STATUS_ASSIGNEE",
  "CATEGORY",
];
const CALC_KINDS: Readonly<Record<string, ColumnType>> = {
  NUMBER,
  NUMBER_DIGIT: NUMBER,
  DATE: { kind: "date" },
  TIME: { kind: "time" },
  DATETIME: { kind: "datetime" },
};

function optionsOf(field: FieldProperties): readonly string[] {
  const { options } = field;
  if (typeof options !== "object" || options === null) return [];
  const indexed = Object.entries(options).map(([name, option]: [string, unknown]) => {
    const index =
      typeof option === "object" && option !== null && "index" in option ? Number(option.index) : 0;
    return { name, index };
  });
  return indexed.sort((a, b) => a.index - b.index).map(({ name }) => name);
}

/** Null for fields that are no cells: tables, files, layout and references. */
function typeOfField(fieldType: string, field: FieldProperties): ColumnType | null {
  if (TEXT_TYPES.includes(fieldType)) return TEXT;
  if (MULTI_TYPES.includes(fieldType)) return { kind: "multi" };
  switch (fieldType) {
    case "NUMBER":
    case "RECORD_NUMBER":
      return NUMBER;
    case "CALC":
      return CALC_KINDS[String(field.format)] ?? TEXT;
    case "DATE":
      return { kind: "date" };
    case "TIME":
      return { kind: "time" };
    case "DATETIME":
    case "CREATED_TIME":
    case "UPDATED_TIME":
      return { kind: "datetime" };
    case "DROP_DOWN":
    case "RADIO_BUTTON":
    case "STATUS":
      return { kind: "choice", options: optionsOf(field) };
    default:
      return null;
  }
}

const WRITABLE_TYPES = [
  ...["SINGLE_LINE_TEXT", "MULTI_LINE_TEXT", "RICH_TEXT", "LINK", "NUMBER", "DATE", "TIME", "DATETIME"],
  ...["DROP_DOWN", "RADIO_BUTTON", "CHECK_BOX", "MULTI_SELECT"],
  ...["USER_SELECT", "ORGANIZATION_SELECT", "GROUP_SELECT"],
];

/** Codes of the fields that lookups fill. */
function copiedFields(properties: Readonly<Record<string, FieldProperties>>): ReadonlySet<string> {
  const codes = Object.values(properties).flatMap(({ lookup }) => {
    const mapped = typeof lookup === "object" && lookup !== null && "fieldMappings" in lookup;
    const mappings: unknown = mapped ? lookup.fieldMappings : [];
    return Array.isArray(mappings)
      ? mappings.map((mapping: { field?: unknown }) => String(mapping.field))
      : [];
  });
  return new Set(codes);
}

const limitText = (value: unknown): string | null =>
  value === undefined || value === null || value === "" ? null : String(value);

function writeRules(field: FieldProperties, copied: boolean): WriteRules | null {
  if (copied || !WRITABLE_TYPES.includes(String(field.type))) return null;
  const length = (value: unknown): number | null => {
    const text = limitText(value);
    return text === null ? null : Number(text);
  };
  return {
    // kintone accepts the setting on radio buttons and never enforces it (kintone-rest §8.3).
    required: field.required === true && field.type !== "RADIO_BUTTON",
    minLength: length(field.minLength),
    maxLength: length(field.maxLength),
    minValue: limitText(field.minValue),
    maxValue: limitText(field.maxValue),
  };
}

const RECORD_ID: SourceField = {
  name: "$id",
  type: NUMBER,
  fieldType: "__ID__",
  unique: true,
  options: [],
  write: null,
};

/** Readable columns of an app from its form fields (kintone-rest §12); `$id` is the last one. */
export function fieldsOfForm(properties: Readonly<Record<string, FieldProperties>>): readonly SourceField[] {
  const copied = copiedFields(properties);
  const fields = Object.entries(properties).flatMap(([code, field]): readonly SourceField[] => {
    const fieldType = String(field.type);
    const type = field.enabled === false ? null : typeOfField(fieldType, field);
    if (type === null) return [];
    const write = writeRules(field, copied.has(code));
    return [{ name: code, type, fieldType, unique: field.unique === true, options: optionsOf(field), write }];
  });
  return [...fields, RECORD_ID];
}

function codeOf(value: unknown): string {
  return typeof value === "object" && value !== null && "code" in value ? String(value.code) : String(value);
}

/** A kintone cell as text (job-dialect §3): missing = empty, several choices = JSON array of texts or codes. */
export function cellText(cell: unknown): string {
  if (typeof cell !== "object" || cell === null || !("value" in cell)) return "";
  const { value } = cell;
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? JSON.stringify(value.map(codeOf)) : codeOf(value);
}
