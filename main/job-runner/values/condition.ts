import type { CompareOperator } from "../dialect/ast.ts";
import { compareCodePoints } from "./compare.ts";
import { compareDecimals, parseDecimal } from "./decimal.ts";

/** Does a difference (negative, zero, positive) satisfy the operator? */
function satisfies(operator: CompareOperator, difference: number): boolean {
  if (operator === "=") return difference === 0;
  if (operator === "!=") return difference !== 0;
  if (operator === "<") return difference < 0;
  if (operator === "<=") return difference <= 0;
  return operator === ">" ? difference > 0 : difference >= 0;
}

/**
 * The comparison of ASSERT and EXIT (job-dialect §3): exact decimals when both sides are decimals, else texts;
 * an empty left side against a number counts as minus infinity, except for equality.
 */
export function compareOperands(operator: CompareOperator, left: string, right: string): boolean {
  const a = parseDecimal(left);
  const b = parseDecimal(right);
  if (a !== null && b !== null) return satisfies(operator, compareDecimals(a, b));
  if (left === "" && b !== null) return satisfies(operator, -1);
  return satisfies(operator, compareCodePoints(left, right));
}
