import {
  ASSIGNEE_CODE,
  CATEGORY_CODE,
  type FieldDefinition,
  type FormFieldType,
  STATUS_CODE,
  type SystemField,
} from "../model.ts";

type Key = keyof FieldDefinition;
const TEXT_KEYS: readonly Key[] = ["required", "unique", "minLength", "maxLength", "defaultValue"];
const UNIT_KEYS: readonly Key[] = ["displayScale", "unit", "unitPosition"];
const MOMENT_KEYS: readonly Key[] = ["required", "unique", "defaultValue", "defaultNowValue"];
const CHOICE_KEYS: readonly Key[] = ["required", "options", "defaultValue"];
const PEOPLE_KEYS: readonly Key[] = ["required", "entities", "defaultValue"];

/** The property keys each type shows in `app/form/fields.json` beside the common ones (kintone-rest §12). */
const SHOWN: Readonly<Record<FormFieldType, readonly Key[]>> = {
  SINGLE_LINE_TEXT: [...TEXT_KEYS, "expression", "hideExpression"],
  MULTI_LINE_TEXT: ["required", "defaultValue"],
  RICH_TEXT: ["required", "defaultValue"],
  NUMBER: ["required", "unique", "minValue", "maxValue", "defaultValue", "digit", ...UNIT_KEYS],
  CALC: ["required", "expression", "hideExpression", "format", ...UNIT_KEYS],
  DATETIME: MOMENT_KEYS,
  DATE: MOMENT_KEYS,
  TIME: ["required", "defaultValue", "defaultNowValue"],
  DROP_DOWN: CHOICE_KEYS,
  RADIO_BUTTON: [...CHOICE_KEYS, "align"],
  CHECK_BOX: [...CHOICE_KEYS, "align"],
  MULTI_SELECT: CHOICE_KEYS,
  USER_SELECT: PEOPLE_KEYS,
  ORGANIZATION_SELECT: PEOPLE_KEYS,
  GROUP_SELECT: PEOPLE_KEYS,
  LINK: [...TEXT_KEYS, "protocol"],
  FILE: ["required", "thumbnailSize"],
  SUBTABLE: [],
  REFERENCE_TABLE: ["referenceTable"],
  GROUP: ["openGroup"],
};

/** A field as the form-fields API shows it; a lookup shows its source instead of its type's own keys. */
function showDefinition(definition: FieldDefinition): Record<string, unknown> {
  const { type, code, label, noLabel, lookup } = definition;
  const shown: Record<string, unknown> = { type, code, label, noLabel };
  const keys: readonly Key[] = lookup === null ? SHOWN[type] : ["required", "lookup"];
  for (const key of keys) shown[key] = definition[key];
  if (type === "SUBTABLE") {
    shown.fields = Object.fromEntries(definition.fields.map((field) => [field.code, showDefinition(field)]));
  }
  return shown;
}

/** What a form consists of, live or in preview. */
export interface FormState {
  readonly definitions: readonly FieldDefinition[];
  readonly system: readonly SystemField[];
  readonly processEnabled: boolean;
}

/** `properties` of the form-fields API, the switched-off process fields included (kintone-rest §8.4, §12). */
export function showForm(form: FormState): Record<string, Record<string, unknown>> {
  const properties: Record<string, Record<string, unknown>> = {};
  for (const definition of form.definitions) properties[definition.code] = showDefinition(definition);
  for (const { code, type, label, noLabel } of form.system) {
    properties[code] = { type, code, label, noLabel };
  }
  const process = (type: string, code: string, enabled: boolean): void => {
    properties[code] = { type, code, label: code, enabled };
  };
  process("STATUS", STATUS_CODE, form.processEnabled);
  process("STATUS_ASSIGNEE", ASSIGNEE_CODE, form.processEnabled);
  process("CATEGORY", CATEGORY_CODE, false);
  return properties;
}
