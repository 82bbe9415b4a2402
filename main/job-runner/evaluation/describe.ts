import type { Branch, Condition, Expression, Join, Query, SelectItem } from "../dialect/ast.ts";
import { syntaxError, unsupported } from "../dialect/diagnostic.ts";
import { containsAggregate, expressionParts } from "../dialect/parse-expression.ts";
import { predicatesOf } from "../dialect/walk.ts";
import { type Column, foldName } from "../values/column-type.ts";
import {
  checkPredicate,
  columnOf,
  type Environment,
  findColumn,
  isGrouped,
  type Scope,
  type ScopeColumn,
  typeOf,
} from "./scope.ts";
import { sourceName } from "./source-names.ts";

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
    name: column.name,
    type: column.type,
    value: { kind: "column", name: column.name, table: column.table, at: item.at },
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
  return branch.groupBy.map((ref) => {
    if (findColumn(scope, ref) !== -1) return { value: { kind: "column", ...ref }, descending: false };
    const output = ref.table === null ? outputNamed(outputs, ref.name) : undefined;
    if (output === undefined) columnOf(scope, ref);
    const value: Expression = output?.value ?? { kind: "column", ...ref };
    if (containsAggregate(value)) throw syntaxError(`GROUP BY "${ref.name}" names an aggregate.`, ref.at);
    return { value, descending: false };
  });
}

function outputNamed(outputs: readonly Output[], name: string): Output | undefined {
  return outputs.find((candidate) => foldName(candidate.name) === foldName(name));
}

/** ORDER BY: SELECT alias first, then column (job-dialect §3). */
function orderKeys(branch: Branch, scope: Scope, outputs: readonly Output[]): readonly ResolvedKey[] {
  return branch.orderBy.map(({ descending, ...ref }) => {
    const output = ref.table === null ? outputNamed(outputs, ref.name) : undefined;
    if (output !== undefined) return { value: output.value, descending };
    columnOf(scope, ref);
    return { value: { kind: "column", ...ref }, descending };
  });
}

/** Equal but for their places in the text; `a.x` and `x` are the same when they name the same column. */
function sameValue(left: Expression, right: Expression, scope: Scope): boolean {
  const plain = (value: Expression): string =>
    JSON.stringify(value, (key, part: unknown) => {
      if (key === "at") return undefined;
      return isColumn(part) ? { column: findColumn(scope, part) } : part;
    });
  return plain(left) === plain(right);
}

function isColumn(part: unknown): part is Extract<Expression, { kind: "column" }> {
  return typeof part === "object" && part !== null && "kind" in part && part.kind === "column";
}

/** In a grouped branch every column outside an aggregate must be a grouping key. */
function checkGrouped(value: Expression, keys: readonly ResolvedKey[], scope: Scope): void {
  if (value.kind === "aggregate" || keys.some((key) => sameValue(key.value, value, scope))) return;
  if (value.kind === "column") {
    throw syntaxError(`"${value.name}" is neither grouped (GROUP BY) nor inside an aggregate.`, value.at);
  }
  for (const part of expressionParts(value)) checkGrouped(part, keys, scope);
}

/**
 * Resolves every name of a branch against its source and types its columns. Throws DialectError:
 * `ArgumentError` for an unknown field, KSQL1202 for what cannot be evaluated.
 */
export function describeBranch(branch: Branch, scope: Scope, environment: Environment): DescribedBranch {
  const outputs = branch.items.flatMap((item) => expandItem(item, branch, scope, environment));
  for (const output of outputs) checkValue(output.value, scope, environment);
  for (const predicate of predicatesOf(branch.where)) checkPredicate(predicate, scope, environment);
  for (const join of branch.joins) joinPairs(join, scope);
  const groupBy = groupKeys(branch, scope, outputs);
  const orderBy = orderKeys(branch, scope, outputs);
  const grouped = isGrouped(branch);
  if (grouped) {
    for (const { value } of [...outputs, ...orderBy]) checkGrouped(value, groupBy, scope);
  }
  return { outputs, grouped, groupBy, orderBy };
}

/**
 * The columns a JOIN ties together. Throws DialectError KSQL1202 for any other condition than equal columns
 * joined by AND: nothing else can be answered without comparing every pair of rows.
 */
export function joinPairs(join: Join, scope: Scope): readonly (readonly [ScopeColumn, ScopeColumn])[] {
  return conjunctsOf(join.on).map((part) => {
    const { left, right } = part.kind === "compare" ? part : { left: null, right: null };
    const equal = part.kind === "compare" && part.operator === "=";
    if (!equal || left?.kind !== "column" || right?.kind !== "column") {
      throw unsupported("A JOIN condition other than equal columns joined by AND", join.at);
    }
    const pair = [columnOf(scope, left), columnOf(scope, right)] as const;
    const own = foldName(sourceName(join.source, join.alias));
    if (pair[0].table === pair[1].table || pair.every(({ table }) => table !== own)) {
      throw syntaxError("A JOIN condition must tie the joined source to one before it.", left.at);
    }
    return pair;
  });
}

function conjunctsOf(condition: Condition): readonly Condition[] {
  if (condition.kind !== "and") return [condition];
  return [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)];
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
