import type { Text } from "../errors.ts";
import {
  ASSIGNEE_CODE,
  CATEGORY_CODE,
  type FieldDefinition,
  STATUS_CODE,
  type SystemField,
} from "../model.ts";
import { TEXT } from "../texts.ts";
import { checkFormulas } from "./formulas.ts";
import type { DefinitionIssue } from "./issue.ts";

const CHOICE_TYPES: ReadonlySet<string> = new Set(["CHECK_BOX", "MULTI_SELECT", "DROP_DOWN", "RADIO_BUTTON"]);
/** Types a table may not hold (kintone-rest §8.4). */
const OUTER_TYPES: ReadonlySet<string> = new Set(["SUBTABLE", "REFERENCE_TABLE", "GROUP"]);
const LOOKUP_TYPES: ReadonlySet<string> = new Set(["SINGLE_LINE_TEXT", "NUMBER"]);
/** Most characters of labels, codes and options (kintone-rest §8.3). */
const NAME_UNITS = 128;
const RESERVED: ReadonlySet<string> = new Set([STATUS_CODE, ASSIGNEE_CODE, CATEGORY_CODE]);

const issue = (code: string, property: string, text: Text): DefinitionIssue => ({
  code: "CB_VA01",
  path: `properties[${code}].${property}`,
  text,
});

// No leading digit, `_` the only half-width symbol (kintone-rest §8.3).
const FIRST = /^[[\u0080-\u{10ffff}A-Za-z_]--\s]/v;
const WHOLE = /^[[\u0080-\u{10ffff}\w]--\s]+$/v;

/** An object of JavaScript cannot have a member of this name by mere assignment, so no code and no option may be it. */
const UNNAMEABLE = "__proto__";

/** What is wrong with a field code; empty when nothing is (kintone-rest §8.3). */
export function checkCode(code: string): readonly DefinitionIssue[] {
  if (RESERVED.has(code)) return [issue(code, "code", TEXT.reservedCode)];
  const fits = FIRST.test(code) && WHOLE.test(code) && code.length <= NAME_UNITS && code !== UNNAMEABLE;
  return fits ? [] : [issue(code, "code", TEXT.badCode)];
}

function checkOptions({ type, code, options }: FieldDefinition): readonly DefinitionIssue[] {
  if (!CHOICE_TYPES.has(type)) return [];
  const labels = Object.keys(options);
  if (labels.length === 0) return [issue(code, "options", TEXT.parameterRequired)];
  if (labels.includes(UNNAMEABLE)) return [issue(code, "options", TEXT.badCode)];
  const tooLong = labels.some((label) => label.length > NAME_UNITS);
  return tooLong ? [issue(code, "options", TEXT.nameTooLong)] : [];
}

/** Checks that concern one definition alone. */
function checkAlone(definition: FieldDefinition): readonly DefinitionIssue[] {
  const { code, label, type, lookup, fields } = definition;
  const issues = [...checkCode(code), ...checkOptions(definition)];
  if (label.length > NAME_UNITS) issues.push(issue(code, "label", TEXT.nameTooLong));
  if (lookup !== null && !LOOKUP_TYPES.has(type)) issues.push(issue(code, "lookup", TEXT.badShape));
  if (type === "SUBTABLE" && fields.length === 0) issues.push(issue(code, "fields", TEXT.parameterRequired));
  for (const inner of fields) {
    if (OUTER_TYPES.has(inner.type)) issues.push(issue(inner.code, "type", TEXT.enumValue));
    issues.push(...checkAlone(inner));
  }
  return issues;
}

/** Every definition, inner ones behind their table. */
export const flatten = (definitions: readonly FieldDefinition[]): readonly FieldDefinition[] =>
  definitions.flatMap((definition) => [definition, ...definition.fields]);

const checkSystem = ({ code, label }: SystemField): readonly DefinitionIssue[] =>
  label.length > NAME_UNITS ? [...checkCode(code), issue(code, "label", TEXT.nameTooLong)] : checkCode(code);

/**
 * Checks a whole form: each definition, the codes built-in fields were given, and that every code occurs once, inside
 * tables too (kintone-rest §12).
 */
export function checkForm(
  definitions: readonly FieldDefinition[],
  system: readonly SystemField[],
): readonly DefinitionIssue[] {
  const issues = [...definitions.flatMap(checkAlone), ...system.flatMap(checkSystem)];
  const seen = new Set<string>();
  for (const { code } of [...system, ...flatten(definitions)]) {
    if (seen.has(code)) issues.push(issue(code, "code", TEXT.doubleCode));
    seen.add(code);
  }
  return [...issues, ...checkFormulas(definitions)];
}
