import { FormulaError } from "../formula/lexer.ts";
import { formulaOf } from "../formula/of-field.ts";
import { fieldsOf, parseFormula } from "../formula/parser.ts";
import type { FieldDefinition } from "../model.ts";
import { formulaCycle, formulaField, formulaUnsupported, TEXT } from "../texts.ts";
import type { DefinitionIssue } from "./issue.ts";

interface Place {
  readonly field: FieldDefinition;
  readonly table: string | null;
}

const refuse = (place: Place, code: string, text: DefinitionIssue["text"]): DefinitionIssue => ({
  code,
  path: `properties[${place.field.code}].expression`,
  text,
});

function placesOf(definitions: readonly FieldDefinition[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const field of definitions) {
    places.set(field.code, { field, table: null });
    for (const inner of field.fields) places.set(inner.code, { field: inner, table: field.code });
  }
  return places;
}

function checkOne(place: Place, places: ReadonlyMap<string, Place>): readonly DefinitionIssue[] {
  const { type, expression } = place.field;
  if (type !== "CALC") return [];
  if (expression === "") return [refuse(place, "CB_VA01", TEXT.parameterRequired)];
  try {
    return fieldsOf(parseFormula(expression)).flatMap(({ code, inSum }) => {
      const found = places.get(code);
      // A column is read in its own row, or by SUM over all rows.
      const reachable = found !== undefined && (found.table === null || found.table === place.table || inSum);
      return reachable ? [] : [refuse(place, "GAIA_FC01", formulaField(code))];
    });
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return [refuse(place, "LOCAL_FORMULA_UNSUPPORTED", formulaUnsupported(error.message))];
  }
}

function reaches(from: string, goal: string, edges: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const open = [...(edges.get(from) ?? [])];
  for (let code = open.pop(); code !== undefined; code = open.pop()) {
    if (code === goal) return true;
    if (seen.has(code)) continue;
    seen.add(code);
    open.push(...(edges.get(code) ?? []));
  }
  return false;
}

/** Checks every calculation of a form: syntax, the fields it reads, and that none reads itself (kintone-rest §8.4). */
export function checkFormulas(definitions: readonly FieldDefinition[]): readonly DefinitionIssue[] {
  const places = placesOf(definitions);
  const edges = new Map<string, readonly string[]>();
  for (const [code, { field }] of places) {
    const formula = formulaOf(field);
    if (formula !== null)
      edges.set(
        code,
        fieldsOf(formula).map((read) => read.code),
      );
  }
  return [...places].flatMap(([code, place]) => {
    const issues = checkOne(place, places);
    return reaches(code, code, edges) ? [...issues, refuse(place, "CB_VA01", formulaCycle)] : issues;
  });
}
