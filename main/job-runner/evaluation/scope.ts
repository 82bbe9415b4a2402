import type { AggregateName, Branch, Expression, NameRef, Predicate } from "../dialect/ast.ts";
import { DialectError, syntaxError, unsupported } from "../dialect/diagnostic.ts";
import { containsAggregate, expressionParts } from "../dialect/parse-expression.ts";
import { predicateValues } from "../dialect/walk.ts";
import type { AsOfValues } from "../values/as-of.ts";
import { type Column, type ColumnType, foldName, NUMBER, TEXT } from "../values/column-type.ts";
import { arithmetic } from "../values/text.ts";

/** What a statement may refer to beside its source: fixed texts of this run. */
export interface Environment {
  readonly asOf: AsOfValues;
  /** By folded name. */
  readonly variables: ReadonlyMap<string, Cell>;
}

export interface Cell {
  readonly text: string;
  readonly type: ColumnType;
}

/** A column of one of a branch's sources. */
export interface ScopeColumn extends Column {
  /** What the source is called in this branch, folded: its alias, or its own name. */
  readonly table: string;
  /** True for an app, whose field codes are compared exactly. */
  readonly exact: boolean;
  /** Its text in our SQL; "" while a script is only checked. */
  readonly sql: string;
  /** The same without a stand-in for rows that found no partner in a LEFT JOIN. */
  readonly raw: string;
  /** True when every cell is empty or a short plain decimal, or a written-out day: SQLite then compares it itself. */
  readonly isPlain: () => boolean;
}

/** The columns a branch may speak of, over all its sources. */
export interface Scope {
  readonly columns: readonly ScopeColumn[];
}

/** Columns as a scope of one source called `table`; for checks before anything is read. */
export function scopeOf(columns: readonly Column[], table: string, exact: boolean): Scope {
  const isPlain = (): boolean => false;
  return {
    columns: columns.map((column) => ({
      ...column,
      table: foldName(table),
      exact,
      sql: "",
      raw: "",
      isPlain,
    })),
  };
}

/**
 * Index of a column: exact name first, then without regard to ASCII case (job-dialect §2.2); -1 when unknown.
 * Throws DialectError `ArgumentError` for a name that more than one source has (§5.1).
 */
export function findColumn(scope: Scope, { name, table, at }: NameRef): number {
  const inTable = (column: ScopeColumn): boolean => table === null || column.table === foldName(table);
  const same = (column: ScopeColumn): boolean => column.name === name && inTable(column);
  const alike = (column: ScopeColumn): boolean =>
    !column.exact && foldName(column.name) === foldName(name) && inTable(column);
  const matches = scope.columns.some(same) ? same : alike;
  const found = scope.columns.filter(matches);
  if (new Set(found.map((column) => column.table)).size > 1) {
    const tables = found.map((column) => column.table).join(", ");
    throw new DialectError(
      "ArgumentError",
      `ambiguous name: ${name} (in ${tables}); put the alias before it`,
      at,
    );
  }
  return scope.columns.findIndex(matches);
}

/** The column a name stands for. Throws DialectError `ArgumentError` when no source has it. */
export function columnOf(scope: Scope, ref: NameRef): ScopeColumn {
  const column = scope.columns[findColumn(scope, ref)];
  if (column !== undefined) return column;
  const shown = ref.table === null ? ref.name : `${ref.table}.${ref.name}`;
  throw new DialectError("ArgumentError", `unknown field code(s): ${shown}`, ref.at);
}

const AS_OF_INSTANT: ColumnType = { kind: "datetime" };
const AS_OF_DAY: ColumnType = { kind: "date" };

/** Type of a value (job-dialect §5.2: column types travel with the table). Throws DialectError. */
export function typeOf(expression: Expression, scope: Scope, environment: Environment): ColumnType {
  switch (expression.kind) {
    case "literal":
      return expression.type === "number" ? NUMBER : TEXT;
    case "column":
      return columnOf(scope, expression).type;
    case "asOf":
      return expression.name === "NOW" ? AS_OF_INSTANT : AS_OF_DAY;
    case "variable":
      return variable(expression, environment).type;
    case "arithmetic":
      return NUMBER;
    case "aggregate":
      return aggregateType(expression.name, expression.argument, scope, environment);
    default:
      return TEXT;
  }
}

function aggregateType(
  name: AggregateName,
  argument: Expression | null,
  scope: Scope,
  environment: Environment,
): ColumnType {
  if (argument === null || (name !== "MIN" && name !== "MAX")) return NUMBER;
  return typeOf(argument, scope, environment);
}

function variable(expression: Extract<Expression, { kind: "variable" }>, environment: Environment): Cell {
  const cell = environment.variables.get(foldName(expression.name));
  if (cell !== undefined) return cell;
  throw syntaxError(`The variable @${expression.name} is not set before this place.`, expression.at);
}

/** A value that needs no row, or null when it needs one. */
export function constantOf(expression: Expression, environment: Environment): Cell | null {
  switch (expression.kind) {
    case "literal":
      return { text: expression.text, type: expression.type === "number" ? NUMBER : TEXT };
    case "asOf":
      return {
        text: environment.asOf[expression.name],
        type: expression.name === "NOW" ? AS_OF_INSTANT : AS_OF_DAY,
      };
    case "variable":
      return variable(expression, environment);
    case "arithmetic": {
      const left = constantOf(expression.left, environment);
      const right = constantOf(expression.right, environment);
      if (left === null || right === null) return null;
      return { text: arithmetic(expression.operator, left.text, right.text), type: NUMBER };
    }
    case "concat": {
      const parts = expression.parts.map((part) => constantOf(part, environment));
      if (parts.some((part) => part === null)) return null;
      return { text: parts.map((part) => part?.text ?? "").join(""), type: TEXT };
    }
    default:
      return null;
  }
}

/**
 * The type two values are compared by: the column's, where only one of them is a column or made from one;
 * text where two columns differ (job-dialect §3).
 */
export function comparisonType(
  left: Expression,
  right: Expression,
  scope: Scope,
  environment: Environment,
): ColumnType {
  const leftType = typeOf(left, scope, environment);
  const rightType = typeOf(right, scope, environment);
  if (constantOf(right, environment) !== null && constantOf(left, environment) === null) return leftType;
  if (constantOf(left, environment) !== null && constantOf(right, environment) === null) return rightType;
  return leftType.kind === rightType.kind ? leftType : TEXT;
}

/** Every name a predicate's values use must exist; aggregates and lists of rows have no place there. */
export function checkPredicate(predicate: Predicate, scope: Scope, environment: Environment): void {
  for (const value of predicateValues(predicate)) checkRowValue(value, scope, environment);
  if (predicate.kind === "in" && predicate.items.some((item) => constantOf(item, environment) === null)) {
    const at = predicate.items.find((item) => constantOf(item, environment) === null)?.at ?? 0;
    throw unsupported("A field in the list of IN (…)", at);
  }
  if (predicate.kind === "like" && constantOf(predicate.pattern, environment) === null) {
    throw unsupported("A field as the pattern of LIKE", predicate.pattern.at);
  }
}

function checkRowValue(value: Expression, scope: Scope, environment: Environment): void {
  if (value.kind === "aggregate") {
    throw syntaxError(`The aggregate ${value.name}() cannot stand in WHERE.`, value.at);
  }
  typeOf(value, scope, environment);
  for (const part of expressionParts(value)) checkRowValue(part, scope, environment);
}

/** True when the branch makes one row a group, or one row in all. */
export function isGrouped(branch: Branch): boolean {
  return (
    branch.groupBy.length > 0 ||
    branch.items.some((item) => item.kind === "value" && containsAggregate(item.value))
  );
}
