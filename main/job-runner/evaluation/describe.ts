import type { Branch, Expression, Query, SelectItem } from "../dialect/ast.ts";
import { syntaxError, unsupported } from "../dialect/diagnostic.ts";
import { expressionParts } from "../dialect/parse-expression.ts";
import { predicatesOf } from "../dialect/walk.ts";
import { type Column, foldName } from "../values/column-type.ts";
import {
  checkPredicate,
  columnIndex,
  type Environment,
  findColumn,
  isGrouped,
  type Scope,
  typeOf,
} from "./scope.ts";

/** An output column and the value it is made from. */
export interface Output extends Column {
  readonly value: Expression;
}

/** A grouping or ordering key, resolved: the value to group or order by. */
export interface ResolvedKey {
  readonly value: Expression;
  readonly descending: boolean;
}

/** A branch whose names are all known (job-dialect §5.1). */
export interface DescribedBranch {
  readonly outputs: readonly Output[];
  readonly grouped: boolean;
  readonly groupBy: readonly ResolvedKey[];
  readonly orderBy: readonly ResolvedKey[];
}

function expandItem(
  item: SelectItem,
  branch: Branch,
  scope: Scope,
  environment: Environment,
): readonly Output[] {
  if (item.kind === "value") {
    return [{ name: item.name, type: typeOf(item.value, scope, environment), value: item.value }];
  }
  if (branch.source === null) throw syntaxError("SELECT * needs a FROM.", item.at);
  return scope.columns.map((column) => ({
    ...column,
    value: { kind: "column", name: column.name, at: item.at },
  }));
}

function checkValue(value: Expression, scope: Scope, environment: Environment): void {
  if (value.kind === "serverTime") {
    throw unsupported("A server-time function outside a WHERE comparison", value.at);
  }
  typeOf(value, scope, environment);
  for (const part of expressionParts(value)) checkValue(part, scope, environment);
}

/** GROUP BY: physical column first, then SELECT alias; never an aggregate (job-dialect §3). */
function groupKeys(branch: Branch, scope: Scope, outputs: readonly Output[]): readonly ResolvedKey[] {
  return branch.groupBy.map(({ name, at }) => {
    if (findColumn(scope.columns, name, scope.exact) !== -1) {
      return { value: { kind: "column", name, at }, descending: false };
    }
    const output = outputs.find((candidate) => foldName(candidate.name) === foldName(name));
    if (output === undefined) columnIndex(scope, name, at);
    const value: Expression = output?.value ?? { kind: "column", name, at };
    if (hasAggregate(value)) throw syntaxError(`GROUP BY "${name}" names an aggregate.`, at);
    return { value, descending: false };
  });
}

/** ORDER BY: SELECT alias first, then column (job-dialect §3). */
function orderKeys(branch: Branch, scope: Scope, outputs: readonly Output[]): readonly ResolvedKey[] {
  return branch.orderBy.map(({ name, at, descending }) => {
    const output = outputs.find((candidate) => foldName(candidate.name) === foldName(name));
    if (output !== undefined) return { value: output.value, descending };
    columnIndex(scope, name, at);
    return { value: { kind: "column", name, at }, descending };
  });
}

function hasAggregate(value: Expression): boolean {
  return value.kind === "aggregate" || expressionParts(value).some(hasAggregate);
}

function sameValue(left: Expression, right: Expression): boolean {
  const plain = (value: Expression): string =>
    JSON.stringify(value, (key, part) => (key === "at" ? undefined : part));
  return plain(left) === plain(right);
}

/** In a grouped branch every column outside an aggregate must be a grouping key. */
function checkGrouped(value: Expression, keys: readonly ResolvedKey[]): void {
  if (value.kind === "aggregate" || keys.some((key) => sameValue(key.value, value))) return;
  if (value.kind === "column") {
    throw syntaxError(`"${value.name}" is neither grouped (GROUP BY) nor inside an aggregate.`, value.at);
  }
  for (const part of expressionParts(value)) checkGrouped(part, keys);
}

/**
 * Resolves every name of a branch against its source and types its columns. Throws DialectError:
 * `ArgumentError` for an unknown field, KSQL1202 for what cannot be evaluated.
 */
export function describeBranch(branch: Branch, scope: Scope, environment: Environment): DescribedBranch {
  const outputs = branch.items.flatMap((item) => expandItem(item, branch, scope, environment));
  for (const output of outputs) checkValue(output.value, scope, environment);
  for (const predicate of predicatesOf(branch.where)) checkPredicate(predicate, scope, environment);
  const groupBy = groupKeys(branch, scope, outputs);
  const orderBy = orderKeys(branch, scope, outputs);
  const grouped = isGrouped(branch);
  if (grouped) {
    for (const { value } of [...outputs, ...orderBy]) checkGrouped(value, groupBy);
  }
  return { outputs, grouped, groupBy, orderBy };
}

/** Columns of a query: names and types of the first branch; all branches must be equally wide. Throws DialectError. */
export function unionColumns(query: Query, branches: readonly DescribedBranch[]): readonly Column[] {
  const first = branches[0]?.outputs ?? [];
  for (const [index, branch] of branches.entries()) {
    if (branch.outputs.length === first.length) continue;
    throw syntaxError(
      `Branch ${index + 1} of the UNION has ${branch.outputs.length} columns, the first has ${first.length}.`,
      query.branches[index]?.at ?? 0,
    );
  }
  return first.map(({ name, type }, place) => ({
    name,
    type: branches.every((branch) => branch.outputs[place]?.type.kind === type.kind)
      ? type
      : { kind: "text" },
  }));
}
