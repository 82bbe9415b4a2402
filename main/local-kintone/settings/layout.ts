import type { FieldDefinition } from "../model.ts";
import type { LayoutField, LayoutPart } from "./settings-model.ts";

/** Old code to new code of the fields a change renamed. */
export type Renamed = ReadonlyMap<string, string>;

const place = ({ type, code }: FieldDefinition): LayoutField => ({ type, code });

function fresh(definition: FieldDefinition): LayoutPart {
  const { type, code } = definition;
  if (type === "SUBTABLE") return { type, code, fields: definition.fields.map(place) };
  if (type === "GROUP") return { type, code, layout: [] };
  return { type: "ROW", fields: [place(definition)] };
}

interface Form {
  readonly byCode: ReadonlyMap<string, FieldDefinition>;
  /** Codes that may stand in a row beside form fields: those of the system. */
  readonly others: ReadonlySet<string>;
  readonly renamed: Renamed;
}

function followFields(fields: readonly LayoutField[], form: Form): LayoutField[] {
  return fields.flatMap((field) => {
    if (field.code === undefined) return [field];
    const code = form.renamed.get(field.code) ?? field.code;
    return form.byCode.has(code) || form.others.has(code) ? [{ ...field, code }] : [];
  });
}

function followPart(part: LayoutPart, form: Form): LayoutPart[] {
  if (part.type === "ROW") {
    const fields = followFields(part.fields, form);
    return fields.length === 0 && part.fields.length > 0 ? [] : [{ ...part, fields }];
  }
  const code = form.renamed.get(part.code) ?? part.code;
  const definition = form.byCode.get(code);
  if (part.type === "GROUP") {
    const rows = part.layout.flatMap((row) => followPart(row, form)).filter((row) => row.type === "ROW");
    // The fields of a group that goes away stay on the form.
    return definition === undefined ? rows : [{ ...part, code, layout: rows }];
  }
  if (definition === undefined) return [];
  const columns = new Map(definition.fields.map((column) => [column.code, column]));
  const kept = followFields(part.fields, { ...form, byCode: columns, others: new Set() });
  const named = new Set(kept.map((field) => field.code));
  const added = definition.fields.filter((column) => !named.has(column.code)).map(place);
  return [{ ...part, code, fields: [...kept, ...added] }];
}

/** Codes of the top-level fields, groups and tables a layout names. */
export function placedCodes(layout: readonly LayoutPart[]): readonly string[] {
  return layout.flatMap((part) => {
    if (part.type === "SUBTABLE") return [part.code];
    if (part.type === "GROUP") return [part.code, ...placedCodes(part.layout)];
    return part.fields.flatMap(({ code }) => (code === undefined ? [] : [code]));
  });
}

/**
 * Brings a layout in step with a form (kintone-rest §12): renamed fields stay in their place, dropped ones go, new ones
 * come as rows at the end.
 */
export function followForm(
  layout: readonly LayoutPart[],
  definitions: readonly FieldDefinition[],
  systemCodes: readonly string[],
  renamed: Renamed = new Map(),
): readonly LayoutPart[] {
  const byCode = new Map(definitions.map((definition) => [definition.code, definition]));
  const followed = layout.flatMap((part) =>
    followPart(part, { byCode, others: new Set(systemCodes), renamed }),
  );
  const placed = new Set(placedCodes(followed));
  return [...followed, ...definitions.filter(({ code }) => !placed.has(code)).map(fresh)];
}
