import type { Branch, Condition, Expression, Operand, Predicate, Query, StatementBody } from "./ast.ts";
import { expressionParts } from "./parse-expression.ts";

/** The values ASSERT, EXIT and SET work on. */
export function operandsOf(body: StatementBody): readonly Operand[] {
  if (body.kind === "set") return [body.value];
  if (body.kind !== "assert" && body.kind !== "exit") return [];
  const { check } = body;
  return check.kind === "compare" ? [check.left, check.right] : [check.operand, check.low, check.high];
}

/** Queries of a statement in the order they are written. */
export function queriesOf(body: StatementBody): readonly Query[] {
  if (body.kind === "select" || body.kind === "createTemp") return [body.query];
  return operandsOf(body).flatMap((operand) => (operand.kind === "query" ? [operand.query] : []));
}

/** Leaves of a condition, from left to right. */
export function predicatesOf(condition: Condition | null): readonly Predicate[] {
  if (condition === null) return [];
  if (condition.kind === "not") return predicatesOf(condition.operand);
  if (condition.kind === "and" || condition.kind === "or") {
    return [...predicatesOf(condition.left), ...predicatesOf(condition.right)];
  }
  return [condition];
}

/** The values a predicate compares. */
export function predicateValues(predicate: Predicate): readonly Expression[] {
  if (predicate.kind === "compare") return [predicate.left, predicate.right];
  if (predicate.kind === "in") return [predicate.operand, ...predicate.items];
  if (predicate.kind === "like") return [predicate.operand, predicate.pattern];
  if (predicate.kind === "between") return [predicate.operand, predicate.low, predicate.high];
  return [predicate.operand];
}

/** An expression and everything inside it. */
export function withParts(expression: Expression): readonly Expression[] {
  return [expression, ...expressionParts(expression).flatMap(withParts)];
}

/** Every value in WHERE, with its parts. */
export function whereValues(branch: Branch): readonly Expression[] {
  return predicatesOf(branch.where).flatMap(predicateValues).flatMap(withParts);
}

/** Every value in the select list, with its parts. */
export function itemValues(branch: Branch): readonly Expression[] {
  return branch.items.flatMap((item) => (item.kind === "value" ? withParts(item.value) : []));
}
