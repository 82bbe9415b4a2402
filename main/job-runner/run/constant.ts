import type { Expression } from "../dialect/ast.ts";
import { type Cell, constantOf, type Environment } from "../evaluation/scope.ts";
import { RunFailure } from "./failure.ts";

/** A value that stands outside a SELECT. Throws RunFailure `ArgumentError` for one that needs a row. */
export function constantText(expression: Expression, environment: Environment): Cell {
  const cell = constantOf(expression, environment);
  if (cell !== null) return cell;
  throw new RunFailure("SQL_ERROR", "ArgumentError", "A value outside a SELECT needs a row.");
}
