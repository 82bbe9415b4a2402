import type { Expression } from "./ast.ts";
import { unsupported } from "./diagnostic.ts";
import { expressionParts } from "./parse-expression.ts";

/**
 * Outside a SELECT there is no row: fields, aggregates and server functions have no value there. Throws
 * DialectError; `place` ends the message "… directly in".
 */
export function refuseRowValues(expression: Expression, place: string): void {
  if (expression.kind === "column") {
    throw unsupported(`A field ("${expression.name}") directly in ${place}`, expression.at);
  }
  if (expression.kind === "aggregate") throw unsupported(`An aggregate directly in ${place}`, expression.at);
  if (expression.kind === "serverTime") throw unsupported(`A function directly in ${place}`, expression.at);
  for (const part of expressionParts(expression)) refuseRowValues(part, place);
}
