import { createIssues, invalid, KintoneError } from "../../errors.ts";
import {
  checkForm,
  type DefinitionIssue,
  mergeDefinition,
  mergeSystemField,
  readDefinition,
  showForm,
} from "../../fields/index.ts";
import type { FieldDefinition, SystemField } from "../../model.ts";
import { followForm } from "../../settings/layout.ts";
import { codesOf, type Preview } from "../../storage/previews.ts";
import { TEXT, unknownField } from "../../texts.ts";
import { isObject, optionalList } from "../params.ts";
import type { Result } from "../record-endpoints.ts";
import type { Call, Services } from "../services.ts";
import { changePreview, checkLang, liveSide, previewSide, type Side } from "./preview.ts";
import { SETTINGS_TEXT } from "./texts.ts";

const MAX_CODES = 100;

function showFields({ preview }: Side): Result {
  const { definitions, system, settings } = preview;
  const properties = showForm({ definitions, system, processEnabled: settings.process.enable });
  return { properties, revision: String(preview.revision) };
}

/** GET `app/form/fields.json`, live (kintone-rest §12). */
export function getFormFields(services: Services, call: Call): Result {
  const side = liveSide(services, call);
  checkLang(call);
  return showFields(side);
}

/** GET `preview/app/form/fields.json`. */
export function getPreviewFields(services: Services, call: Call): Result {
  const side = previewSide(services, call);
  checkLang(call);
  return showFields(side);
}

function readProperties(call: Call): readonly (readonly [string, unknown])[] {
  const { properties } = call.params;
  if (properties === undefined || properties === null) throw invalid("properties", TEXT.parameterRequired);
  if (!isObject(properties)) throw invalid("properties", TEXT.badShape);
  const entries = Object.entries(properties);
  if (entries.length === 0) throw invalid("properties", TEXT.parameterRequired);
  return entries;
}

/** All of them as 400 `CB_VA01`; one with a code of its own is told alone, as it has no place in that map. */
function throwIssues(issues: readonly DefinitionIssue[]): void {
  const own = issues.find(({ code }) => code !== "CB_VA01");
  if (own !== undefined) throw new KintoneError(400, own.code, own.text);
  const collected = createIssues();
  for (const { path, text } of issues) collected.add(path, text);
  collected.throwIfAny();
}

/** A form after a change. */
interface Form {
  readonly definitions: readonly FieldDefinition[];
  readonly system: readonly SystemField[];
  /** Codes the change gave other names. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Checks the form as a whole and lets everything that names fields follow. */
function settle(preview: Preview, form: Form): Preview {
  throwIssues(checkForm(form.definitions, form.system));
  const codes = new Set(codesOf(form.definitions));
  const system = form.system.map((field) => field.code);
  const origins = [...preview.origins].flatMap(([code, origin]) => {
    const now = form.renamed.get(code) ?? code;
    return codes.has(now) ? [[now, origin] as const] : [];
  });
  const known = new Set([...codes, ...system]);
  const { settings } = preview;
  const follow = (code: string): string => form.renamed.get(code) ?? code;
  return {
    ...preview,
    definitions: form.definitions,
    system: form.system,
    origins: new Map(origins),
    settings: {
      ...settings,
      layout: [...followForm(settings.layout ?? [], form.definitions, system, form.renamed)],
      fieldRights: settings.fieldRights
        .map((right) => ({ ...right, code: follow(right.code) }))
        .filter((right) => known.has(right.code)),
    },
  };
}

/** POST `preview/app/form/fields.json` (kintone-rest §12). */
export function postPreviewFields(services: Services, call: Call): Result {
  return changePreview(services, call, ({ preview }) => {
    const read = readProperties(call).map(([code, raw]) => readDefinition(code, raw));
    throwIssues(read.flatMap(({ issues }) => issues));
    const added = read.flatMap(({ definition }) => (definition === null ? [] : [definition]));
    const definitions = [...preview.definitions, ...added];
    return settle(preview, { definitions, system: preview.system, renamed: new Map() });
  });
}

function columnRenames(before: FieldDefinition, raw: unknown): readonly (readonly [string, string])[] {
  if (!isObject(raw) || !isObject(raw.fields)) return [];
  return before.fields.flatMap(({ code }) => {
    const change = isObject(raw.fields) ? raw.fields[code] : undefined;
    return isObject(change) && typeof change.code === "string" ? [[code, change.code] as const] : [];
  });
}

function changeForm(preview: Preview, entries: readonly (readonly [string, unknown])[]): Form {
  const definitions = new Map(preview.definitions.map((field) => [field.code, field]));
  const system = new Map(preview.system.map((field) => [field.code, field]));
  const renamed = new Map<string, string>();
  const issues: DefinitionIssue[] = [];
  for (const [code, raw] of entries) {
    const builtIn = system.get(code);
    const before = definitions.get(code);
    if (builtIn !== undefined) {
      const after = mergeSystemField(builtIn, raw);
      system.set(code, after);
      renamed.set(code, after.code);
    } else if (before !== undefined) {
      const merged = mergeDefinition(before, raw);
      issues.push(...merged.issues);
      if (merged.definition === null) continue;
      definitions.set(code, merged.definition);
      renamed.set(code, merged.definition.code);
      for (const [from, to] of columnRenames(before, raw)) renamed.set(from, to);
    } else {
      throw unknownField(code);
    }
  }
  throwIssues(issues);
  return { definitions: [...definitions.values()], system: [...system.values()], renamed };
}

/** PUT `preview/app/form/fields.json`: keys that are absent keep their value (kintone-rest §12). */
export function putPreviewFields(services: Services, call: Call): Result {
  return changePreview(services, call, ({ preview }) =>
    settle(preview, changeForm(preview, readProperties(call))),
  );
}

/** DELETE `preview/app/form/fields.json`: at most 100 codes; columns of tables can be named too (kintone-rest §12). */
export function deletePreviewFields(services: Services, call: Call): Result {
  return changePreview(services, call, ({ preview }) => {
    const list = optionalList(call.params.fields);
    if (list === null || list.length === 0) throw invalid("fields", TEXT.parameterRequired);
    if (list.length > MAX_CODES) throw invalid("fields", SETTINGS_TEXT.deleteFieldLimit);
    const dropped = new Set(list.map(String));
    const known = new Set(codesOf(preview.definitions));
    for (const code of dropped) if (!known.has(code)) throw unknownField(code);
    const definitions = preview.definitions
      .filter((definition) => !dropped.has(definition.code))
      .map((definition) => ({
        ...definition,
        fields: definition.fields.filter((column) => !dropped.has(column.code)),
      }));
    return settle(preview, { definitions, system: preview.system, renamed: new Map() });
  });
}
