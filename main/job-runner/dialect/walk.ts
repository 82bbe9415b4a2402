import type {
  Branch,
  Condition,
  Expression,
  Operand,
  Predicate,
  Query,
  Source,
  StatementBody,
  WriteBody,
} from "./ast.ts";
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
  if (body.kind === "insert" || body.kind === "upsert") {
    return body.payload.kind === "query" ? [body.payload.query] : [];
  }
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

/** Every value of a condition, with its parts. */
export function conditionValues(condition: Condition | null): readonly Expression[] {
  return predicatesOf(condition).flatMap(predicateValues).flatMap(withParts);
}

/** Every value in WHERE, with its parts. */
export function whereValues(branch: Branch): readonly Expression[] {
  return conditionValues(branch.where);
}

/** Every value in the conditions of the joins, with its parts. */
export function joinValues(branch: Branch): readonly Expression[] {
  return branch.joins.flatMap(({ on }) => conditionValues(on));
}

/** Everything a branch reads, in the order it is written. */
export function sourcesOf(branch: Branch): readonly Source[] {
  return branch.source === null ? [] : [branch.source, ...branch.joins.map(({ source }) => source)];
}

/** True for a statement that changes an app. */
export function isWrite(body: StatementBody): body is WriteBody {
  return ["insert", "upsert", "update", "delete", "import"].includes(body.kind);
}

/** The values a write is given directly, without those of its query. */
export function givenValues(body: StatementBody): readonly Expression[] {
  if (body.kind === "update") return [...body.assignments.map(({ value }) => value)];
  if (body.kind !== "insert" && body.kind !== "upsert") return [];
  return body.payload.kind === "values" ? body.payload.rows.flat() : [];
}

/** Every value in the select list, with its parts. */
export function itemValues(branch: Branch): readonly Expression[] {
  return branch.items.flatMap((item) => (item.kind === "value" ? withParts(item.value) : []));
}
