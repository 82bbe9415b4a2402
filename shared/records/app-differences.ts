import type { AppRight, AppTemplate, Entity, FieldRight, ListView } from "./app-template.ts";
import { compareField, type FoundField } from "./apps.ts";
import type { FormField } from "./form-field.ts";

/** What an app is, as the APIs of kintone-rest §12 answered it. */
export interface FoundApp {
  readonly properties: Readonly<Record<string, FoundField & Readonly<Record<string, unknown>>>>;
  readonly views: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly appRights: readonly Readonly<Record<string, unknown>>[];
  readonly fieldRights: readonly Readonly<Record<string, unknown>>[];
}

/** One point in which an app is not what the template says. */
export interface AppDifference {
  readonly part: "field" | "view" | "app rights" | "field rights";
  /** Field code, name of the view, or whom a right concerns. */
  readonly name: string;
  readonly kind: string;
  readonly expected: string;
  readonly found: string;
  /** False for what cannot be changed without losing values: a person has to decide that. */
  readonly applicable: boolean;
}

/** Settings of a field that decide which values it takes; a template that does not name one means kintone's own. */
const PLAIN: Readonly<Record<string, unknown>> = {
  required: false,
  unique: false,
  defaultValue: "",
  defaultNowValue: false,
  minLength: "",
  maxLength: "",
  minValue: "",
  maxValue: "",
};
/** Types that cannot have a default of kintone's own making; only a date can be "now". */
const hasNow = (type: string): boolean => type === "DATETIME";

/**
 * Compares an app with its template. Additional fields, options and views are welcome, labels and places are a
 * matter of taste; everything that decides which values are taken, who may write, and which rows are shown is not.
 */
export function compareApp(template: AppTemplate, found: FoundApp): readonly AppDifference[] {
  return [
    ...Object.values(template.fields).flatMap((field) => fieldDifferences(field, found.properties)),
    ...Object.values(template.views).flatMap((view) => viewDifferences(view, found.views[view.name])),
    ...appRightDifferences(template.appRights, found.appRights),
    ...template.fieldRights.flatMap((right) => fieldRightDifferences(right, found.fieldRights)),
  ];
}

function fieldDifferences(field: FormField, properties: FoundApp["properties"]): readonly AppDifference[] {
  const { code, type } = field;
  const head = { part: "field", name: code } as const;
  const found = properties[code];
  if (found === undefined) {
    return [{ ...head, kind: "missing", expected: type, found: "", applicable: true }];
  }
  const structural = compareField(code, { ...field, unique: false }, found).map(
    ({ kind, expected, found: seen }): AppDifference => ({
      ...head,
      kind,
      expected,
      found: seen,
      applicable: kind !== "type",
    }),
  );
  if (structural.some(({ kind }) => kind === "type")) return structural;
  return [...structural, ...settingDifferences(field, found), ...tableDifference(field, found)];
}

function settingDifferences(field: FormField, found: Readonly<Record<string, unknown>>): AppDifference[] {
  const wanted: Readonly<Record<string, unknown>> = { ...PLAIN, ...field };
  return Object.keys(PLAIN).flatMap((key) => {
    const seen = found[key];
    if (seen === undefined && field[key as keyof FormField] === undefined) return [];
    if (key === "defaultNowValue" && !hasNow(field.type)) return [];
    const isEmpty = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);
    if (textOf(seen) === textOf(wanted[key]) || (isEmpty(seen) && isEmpty(wanted[key]))) return [];
    const texts = { expected: textOf(wanted[key]), found: textOf(seen) };
    return [{ part: "field" as const, name: field.code, kind: key, ...texts, applicable: true }];
  });
}

/** Rows of a neighbour: which app, by which field, and how many (wire-format §1.1). */
function tableDifference(field: FormField, found: Readonly<Record<string, unknown>>): AppDifference[] {
  if (field.referenceTable === undefined) return [];
  const { relatedApp, condition, size, sort, displayFields } = field.referenceTable;
  const shape = (table: unknown): string => {
    const at = (value: unknown, key: string): unknown =>
      typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
    const app = at(at(table, "relatedApp"), "app");
    const by = at(table, "condition");
    const rest = [at(table, "displayFields"), at(table, "sort"), at(table, "size")];
    return JSON.stringify([String(app), at(by, "field"), at(by, "relatedField"), ...rest]);
  };
  const expected = shape({ relatedApp, condition, size, sort, displayFields });
  const seen = shape(found.referenceTable);
  if (expected === seen) return [];
  return [
    { part: "field", name: field.code, kind: "referenceTable", expected, found: seen, applicable: true },
  ];
}

function viewDifferences(
  view: ListView,
  found: Readonly<Record<string, unknown>> | undefined,
): readonly AppDifference[] {
  const head = { part: "view", name: view.name } as const;
  if (found === undefined)
    return [{ ...head, kind: "missing", expected: view.type, found: "", applicable: true }];
  return (["type", "fields", "filterCond", "sort"] as const).flatMap((key) => {
    const [expected, seen] = [textOf(view[key]), textOf(found[key])];
    return expected === seen ? [] : [{ ...head, kind: key, expected, found: seen, applicable: true }];
  });
}

const entityText = (entity: unknown): string => {
  const { type, code } = (typeof entity === "object" && entity !== null ? entity : {}) as Partial<Entity>;
  return code === null || code === undefined ? String(type) : `${String(type)} ${code}`;
};

const GRANTS = [
  "appEditable",
  "recordViewable",
  "recordAddable",
  "recordEditable",
  "recordDeletable",
  "recordImportable",
  "recordExportable",
] as const;

const grantsOf = (right: Readonly<Record<string, unknown>>): string =>
  GRANTS.filter((grant) => right[grant] === true).join(" ") || "nothing";

/** A right for a group the template does not know may allow what the template forbids, so it is told as well. */
function appRightDifferences(
  wanted: readonly AppRight[],
  found: FoundApp["appRights"],
): readonly AppDifference[] {
  const seen = new Map(found.map((right) => [entityText(right.entity), right]));
  const expected = new Map(wanted.map((right) => [entityText(right.entity), right]));
  const names = new Set([...expected.keys(), ...seen.keys()]);
  return [...names].flatMap((name) => {
    const [want, have] = [expected.get(name), seen.get(name)];
    const texts = {
      expected: want === undefined ? "no line" : grantsOf({ ...want }),
      found: have === undefined ? "no line" : grantsOf(have),
    };
    if (texts.expected === texts.found) return [];
    return [{ part: "app rights" as const, name, kind: "grants", ...texts, applicable: true }];
  });
}

function fieldRightDifferences(right: FieldRight, found: FoundApp["fieldRights"]): readonly AppDifference[] {
  const lineOf = (entities: unknown): string => {
    const lines: readonly unknown[] = Array.isArray(entities) ? entities : [];
    return lines
      .map((line) => {
        const { accessibility, entity } = (typeof line === "object" && line !== null ? line : {}) as {
          accessibility?: unknown;
          entity?: unknown;
        };
        return `${entityText(entity)} ${String(accessibility)}`;
      })
      .join(", ");
  };
  const seen = found.find((candidate) => candidate.code === right.code);
  const texts = { expected: lineOf(right.entities), found: lineOf(seen?.entities) };
  if (texts.expected === texts.found) return [];
  return [{ part: "field rights", name: right.code, kind: "entities", ...texts, applicable: true }];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
