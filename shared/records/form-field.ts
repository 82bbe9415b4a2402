/** Field types the four apps use; kintone's own fields (creator, times) exist without being defined. */
export type FormFieldType =
  | "SINGLE_LINE_TEXT"
  | "MULTI_LINE_TEXT"
  | "NUMBER"
  | "DATETIME"
  | "DROP_DOWN"
  | "CHECK_BOX"
  | "FILE"
  | "REFERENCE_TABLE";

/** A form field as kintone's form-fields API describes it; only the keys this program sets. */
export interface FormField {
  readonly type: FormFieldType;
  readonly code: string;
  readonly label: string;
  readonly noLabel?: boolean;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly defaultValue?: string;
  readonly minValue?: string;
  readonly options?: Readonly<Record<string, { readonly label: string; readonly index: string }>>;
  readonly referenceTable?: ReferenceTable;
}
export type FormFields = Readonly<Record<string, FormField>>;

/** Rows of another app that share a value with this record. */
export type ReferenceTable = {
  readonly relatedApp: { readonly app: string };
  readonly condition: { readonly field: string; readonly relatedField: string };
  readonly filterCond: string;
  readonly displayFields: readonly string[];
  readonly sort: string;
  readonly size: string;
};

/** Field without its code and label: both are the key it stands under. */
export type FieldShape = Omit<FormField, "code" | "label">;

/** Gives each shape its code, which is also its label: the codes are what every document speaks of. */
export const formFields = (shapes: Readonly<Record<string, FieldShape>>): FormFields =>
  Object.fromEntries(Object.entries(shapes).map(([code, shape]) => [code, { ...shape, code, label: code }]));

export const line: FieldShape = { type: "SINGLE_LINE_TEXT" };
export const uniqueLine: FieldShape = { type: "SINGLE_LINE_TEXT", unique: true };
export const area: FieldShape = { type: "MULTI_LINE_TEXT" };
export const numeric: FieldShape = { type: "NUMBER" };
export const time: FieldShape = { type: "DATETIME" };
export const file: FieldShape = { type: "FILE" };
export const required = (shape: FieldShape): FieldShape => ({ ...shape, required: true });

const choices = (type: "DROP_DOWN" | "CHECK_BOX", options: readonly string[]): FieldShape => ({
  type,
  options: Object.fromEntries(options.map((label, index) => [label, { label, index: String(index) }])),
});
export const dropDown = (...options: readonly string[]): FieldShape => choices("DROP_DOWN", options);
export const checkBox = (...options: readonly string[]): FieldShape => choices("CHECK_BOX", options);

/** Several fields of one shape. */
export const each = (shape: FieldShape, ...codes: readonly string[]): Readonly<Record<string, FieldShape>> =>
  Object.fromEntries(codes.map((code) => [code, shape]));
