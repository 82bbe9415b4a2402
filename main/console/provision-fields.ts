import type { FormField } from "../../shared/records/index.ts";
import type { FieldInputs } from "../local-kintone/index.ts";

type FieldInput = FieldInputs[string];

/** A form field of ours: of the wire format, or of a sample app. */
export type ProvisionField = Omit<FormField, "type"> & { readonly type: string };

/** The field types this program's own forms consist of. */
const TYPES: readonly FieldInput["type"][] = [
  "SINGLE_LINE_TEXT",
  "MULTI_LINE_TEXT",
  "NUMBER",
  "DATETIME",
  "DATE",
  "DROP_DOWN",
  "CHECK_BOX",
  "FILE",
  "REFERENCE_TABLE",
];

/** A form as the set-up of the local kintone takes it. Throws for a type that no form of ours has. */
export function fieldInputs(fields: Readonly<Record<string, ProvisionField>>): Record<string, FieldInput> {
  return Object.fromEntries(Object.entries(fields).map(([code, field]) => [code, fieldInput(field)]));
}

function fieldInput(field: ProvisionField): FieldInput {
  const { type: typeText, defaultValue, options, referenceTable, ...plain } = field;
  const type = TYPES.find((known) => known === typeText);
  if (type === undefined) throw new Error(`no form of this program has a ${typeText} field`);
  return {
    ...plain,
    type,
    ...(defaultValue === undefined
      ? {}
      : { defaultValue: typeof defaultValue === "string" ? defaultValue : [...defaultValue] }),
    ...(options === undefined ? {} : { options: { ...options } }),
    ...(referenceTable === undefined ? {} : { referenceTable: { ...referenceTable } }),
  };
}
