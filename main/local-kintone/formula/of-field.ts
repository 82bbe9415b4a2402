import type { FieldDefinition } from "../model.ts";
import { FormulaError } from "./lexer.ts";
import { type Formula, parseFormula } from "./parser.ts";

/**
 * The formula a field is calculated by, or null. A text field whose formula this server cannot follow keeps its
 * definition and is written like any other text.
 */
export function formulaOf({ type, expression }: FieldDefinition): Formula | null {
  if (expression === "" || (type !== "CALC" && type !== "SINGLE_LINE_TEXT")) return null;
  try {
    return parseFormula(expression);
  } catch (error) {
    if (error instanceof FormulaError) return null;
    throw error;
  }
}
