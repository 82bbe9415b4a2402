import { z } from "zod";
import { createIssues } from "../../errors.ts";
import type { FieldDefinition } from "../../model.ts";
import { followForm, placedCodes } from "../../settings/layout.ts";
import type { LayoutField, LayoutPart } from "../../settings/settings-model.ts";
import type { Preview } from "../../storage/previews.ts";
import { TEXT, unknownField } from "../../texts.ts";
import type { Result } from "../record-endpoints.ts";
import type { Call, Services } from "../services.ts";
import { readShape } from "../shape.ts";
import { changePreview, liveSide, previewSide, type Side } from "./preview.ts";
import { SETTINGS_TEXT } from "./texts.ts";

const numeric = z.union([z.string(), z.number()]).transform(String);
const fieldInput = z.object({
  type: z.string(),
  code: z.string().optional(),
  label: z.string().optional(),
  elementId: z.string().optional(),
  size: z.record(z.string(), numeric).optional(),
});
const rowInput = z.object({ type: z.literal("ROW"), fields: z.array(fieldInput) });
const layoutInput = z.array(
  z.discriminatedUnion("type", [
    rowInput,
    z.object({ type: z.literal("SUBTABLE"), code: z.string(), fields: z.array(fieldInput) }),
    z.object({ type: z.literal("GROUP"), code: z.string(), layout: z.array(rowInput) }),
  ]),
);
type FieldRead = z.output<typeof fieldInput>;
type RowRead = z.output<typeof rowInput>;
type PartRead = z.output<typeof layoutInput>[number];

/** Types of a row that hold no value and have no code. */
const DECORATIONS: ReadonlySet<string> = new Set(["LABEL", "SPACER", "HR"]);

function showLayout({ preview }: Side): Result {
  const { definitions, system, settings } = preview;
  const codes = system.map((field) => field.code);
  return {
    layout: followForm(settings.layout ?? [], definitions, codes),
    revision: String(preview.revision),
  };
}

/** GET `app/form/layout.json`, live (kintone-rest §12). */
export const getLayout = (services: Services, call: Call): Result => showLayout(liveSide(services, call));

/** GET `preview/app/form/layout.json`. */
export const getPreviewLayout = (services: Services, call: Call): Result =>
  showLayout(previewSide(services, call));

interface Checks {
  readonly types: ReadonlyMap<string, string>;
  readonly fail: (at: string) => void;
}

function readField(field: FieldRead, at: string, checks: Checks): LayoutField {
  const { type, code, label, elementId, size } = field;
  if (!DECORATIONS.has(type)) {
    const known = checks.types.get(code ?? "");
    if (known === undefined) throw unknownField(code ?? "");
    if (known !== type) checks.fail(`${at}.type`);
  }
  return {
    type,
    ...(code === undefined ? {} : { code }),
    ...(label === undefined ? {} : { label }),
    ...(elementId === undefined ? {} : { elementId }),
    ...(size === undefined ? {} : { size }),
  };
}

const readFields = (fields: readonly FieldRead[], at: string, checks: Checks): LayoutField[] =>
  fields.map((field, index) => readField(field, `${at}.fields[${index}]`, checks));

function readRow(row: RowRead, at: string, checks: Checks): LayoutPart & { readonly type: "ROW" } {
  return { type: "ROW", fields: readFields(row.fields, at, checks) };
}

function readPart(
  part: PartRead,
  at: string,
  checks: Checks,
  definitions: readonly FieldDefinition[],
): LayoutPart {
  if (part.type === "ROW") return readRow(part, at, checks);
  const definition = definitions.find(({ code }) => code === part.code);
  if (definition === undefined) throw unknownField(part.code);
  if (definition.type !== part.type) checks.fail(`${at}.type`);
  if (part.type === "GROUP") {
    const layout = part.layout.map((row, index) => readRow(row, `${at}.layout[${index}]`, checks));
    return { type: "GROUP", code: part.code, layout };
  }
  const columns = new Map(definition.fields.map((column) => [column.code, column.type]));
  return {
    type: "SUBTABLE",
    code: part.code,
    fields: readFields(part.fields, at, { ...checks, types: columns }),
  };
}

/** A field twice, or a form field without a place, is a defect of the whole layout. */
function isComplete(layout: readonly LayoutPart[], definitions: readonly FieldDefinition[]): boolean {
  const placed = placedCodes(layout);
  const set = new Set(placed);
  return set.size === placed.length && definitions.every(({ code }) => set.has(code));
}

function readLayout(call: Call, preview: Preview): LayoutPart[] {
  const issues = createIssues();
  const flat = [...preview.definitions, ...preview.system];
  const checks: Checks = {
    types: new Map(flat.map(({ code, type }) => [code, type])),
    fail: (at) => issues.add(at, TEXT.enumValue),
  };
  const parts = readShape(layoutInput, call.params.layout, "layout");
  const layout = parts.map((part, index) => readPart(part, `layout[${index}]`, checks, preview.definitions));
  if (!isComplete(layout, preview.definitions)) issues.add("layout", SETTINGS_TEXT.layoutIncomplete);
  issues.throwIfAny();
  return layout;
}

/** PUT `preview/app/form/layout.json`: every form field exactly once (kintone-rest §12). */
export function putPreviewLayout(services: Services, call: Call): Result {
  return changePreview(services, call, ({ preview }) => ({
    ...preview,
    settings: { ...preview.settings, layout: readLayout(call, preview) },
  }));
}
