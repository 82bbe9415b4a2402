import type { AggregateName, Condition, Expression, Predicate } from "../dialect/ast.ts";
import { unsupported } from "../dialect/diagnostic.ts";
import type { ColumnType } from "../values/column-type.ts";
import { type DescribedBranch, joinPairs, type ResolvedKey } from "./describe.ts";
import { type EmittedSelect, joinKey, type TypeNumber } from "./emitted.ts";
import {
  comparesAsText,
  isPlainConstant,
  nativeLike,
  ordersAsText,
  plainAggregate,
  plainConstant,
  plainOperand,
  SQL_OPERATORS,
} from "./native.ts";
import { columnOf, comparisonType, constantOf, type Environment, type Scope, typeOf } from "./scope.ts";
import type { BranchSource } from "./sources.ts";

interface Emitter {
  value(expression: Expression): string;
  condition(condition: Condition): string;
  key(key: ResolvedKey): string;
}

/**
 * SQLite text for a described branch over its tables `tN(pos, c0, c1, …)` (job-dialect §9.1). No text of the
 * job is in it: names became `cN`, every literal a bound parameter or a checked number, every comparison one of
 * our functions or one that SQLite decides alike.
 */
export function emitSelect(
  described: DescribedBranch,
  sources: readonly BranchSource[],
  where: Condition | null,
  scope: Scope,
  environment: Environment,
  typeNumber: TypeNumber,
): EmittedSelect {
  const parameters: string[] = [];
  const emitter = createEmitter(scope, environment, parameters, typeNumber, sources.length > 1);
  const columns = described.outputs.map((output, index) => `${emitter.value(output.value)} as o${index}`);
  const parts = [`select ${columns.join(", ")}${emitFrom(sources, scope, typeNumber)}`];
  if (where !== null) parts.push(`where ${emitter.condition(where)}`);
  if (described.groupBy.length > 0) {
    parts.push(`group by ${described.groupBy.map((key) => emitter.value(key.value)).join(", ")}`);
  }
  const places = sources.map((_, index) => (described.grouped ? `min(s${index}.pos)` : `s${index}.pos`));
  const order = [...described.orderBy.map((key) => emitter.key(key)), ...places];
  if (order.length > 0) parts.push(`order by ${order.join(", ")}`);
  return { sql: parts.join(" "), parameters };
}

/** FROM with its joins. CROSS keeps SQLite from turning the tables round: the right one has the index. */
function emitFrom(sources: readonly BranchSource[], scope: Scope, typeNumber: TypeNumber): string {
  const [first, ...rest] = sources;
  if (first === undefined) return "";
  const joins = rest.map(({ table, join }, index) => {
    if (join === null) return "";
    const pairs = joinPairs(join, scope).map(([left, right]) => {
      const type = left.type.kind === right.type.kind ? left.type : ({ kind: "text" } as const);
      return `${joinKey(left.raw, type, typeNumber)} = ${joinKey(right.raw, type, typeNumber)}`;
    });
    return ` ${join.left ? "left" : "cross"} join ${table.id} s${index + 1} on ${pairs.join(" and ")}`;
  });
  return ` from ${first.table.id} s0${joins.join("")}`;
}

/** Operands of a chain of one operator, from left to right. */
function chainOf(condition: Condition, kind: "and" | "or"): readonly Condition[] {
  const parts: Condition[] = [];
  let rest = condition;
  while (rest.kind === kind) {
    parts.unshift(rest.right);
    rest = rest.left;
  }
  return [rest, ...parts];
}

function createEmitter(
  scope: Scope,
  environment: Environment,
  parameters: string[],
  typeNumber: TypeNumber,
  joined: boolean,
): Emitter {
  const bind = (text: string): string => {
    parameters.push(text);
    return "?";
  };

  function value(expression: Expression): string {
    switch (expression.kind) {
      case "column":
        return columnOf(scope, expression).sql;
      case "concat":
        return `(${expression.parts.map(value).join(" || ")})`;
      case "arithmetic":
        return `k_arithmetic('${expression.operator}', ${value(expression.left)}, ${value(expression.right)})`;
      case "aggregate":
        return expression.argument === null
          ? "cast(count(*) as text)"
          : aggregate(expression.name, expression.argument);
      case "serverTime":
        throw unsupported("A server-time function that kintone cannot evaluate here", expression.at);
      default:
        return bind(constantOf(expression, environment)?.text ?? "");
    }
  }

  const isPlainColumn = (expression: Expression): boolean =>
    expression.kind === "column" && columnOf(scope, expression).isPlain();

  function aggregate(name: AggregateName, argument: Expression): string {
    const type = typeOf(argument, scope, environment);
    if (name === "COUNT") {
      const filled = type.kind === "multi" ? "not in ('', '[]')" : "<> ''";
      return `cast(count(case when ${value(argument)} ${filled} then 1 end) as text)`;
    }
    const native = isPlainColumn(argument) ? plainAggregate(name, value(argument), type, joined) : null;
    if (native !== null) return native;
    if ((name === "MIN" || name === "MAX") && ordersAsText(type)) {
      return `coalesce(${name.toLowerCase()}(nullif(${value(argument)}, '')), '0')`;
    }
    return `k_${name.toLowerCase()}(${value(argument)}, ${typeNumber(type)})`;
  }

  /** A side of a comparison that SQLite can decide, or null. */
  function plainSide(expression: Expression, type: ColumnType): (() => string) | null {
    if (isPlainColumn(expression) && columnOfType(expression, type)) {
      return () => plainOperand(value(expression), type);
    }
    const constant = constantOf(expression, environment);
    if (constant === null || !isPlainConstant(constant.text, type)) return null;
    return () => plainConstant(constant.text, type);
  }

  const columnOfType = (expression: Expression, { kind }: ColumnType): boolean =>
    typeOf(expression, scope, environment).kind === kind;

  function compared(left: Expression, operator: keyof typeof SQL_OPERATORS, right: Expression): string {
    const type = comparisonType(left, right, scope, environment);
    const equality = operator === "=" || operator === "!=";
    const sign = SQL_OPERATORS[operator];
    if (equality ? comparesAsText(type) : ordersAsText(type)) {
      return `${value(left)} ${sign} ${value(right)}`;
    }
    const plainLeft = plainSide(left, type);
    const plainRight = plainSide(right, type);
    if (plainLeft !== null && plainRight !== null) return `${plainLeft()} ${sign} ${plainRight()}`;
    const call = equality ? "k_eq" : "k_cmp";
    const ours = `${call}(${value(left)}, ${value(right)}, ${typeNumber(type)})`;
    if (equality) return operator === "=" ? ours : `not ${ours}`;
    return `${ours} ${sign} 0`;
  }

  function predicate(leaf: Predicate): string {
    const not = leaf.kind !== "compare" && leaf.negated ? "not " : "";
    switch (leaf.kind) {
      case "compare":
        return compared(leaf.left, leaf.operator, leaf.right);
      case "in": {
        const items = leaf.items.map((item) => constantOf(item, environment)?.text ?? "");
        const type = typeOf(leaf.operand, scope, environment);
        const list = JSON.stringify(items);
        if (comparesAsText(type)) {
          return `${not}${value(leaf.operand)} in (select value from json_each(${bind(list)}))`;
        }
        return `${not}k_in(${value(leaf.operand)}, ${bind(list)}, ${typeNumber(type)})`;
      }
      case "like":
        return `${not}(${like(leaf.operand, leaf.pattern)})`;
      case "between": {
        const from = compared(leaf.operand, ">=", leaf.low);
        return `${not}(${from} and ${compared(leaf.operand, "<=", leaf.high)})`;
      }
      case "empty": {
        const list = typeOf(leaf.operand, scope, environment).kind === "multi" ? "('', '[]')" : "('')";
        return `${value(leaf.operand)} ${not}in ${list}`;
      }
    }
  }

  function like(operand: Expression, pattern: Expression): string {
    const cell = value(operand);
    const text = constantOf(pattern, environment)?.text ?? "";
    const native = nativeLike(cell, text);
    bind(native?.text ?? text);
    return native?.sql ?? `k_like(${cell}, ?)`;
  }

  /** SQLite bounds the depth of an expression, so a long chain becomes a balanced tree. */
  function balanced(parts: readonly Condition[], kind: "and" | "or"): string {
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return condition(only);
    const middle = Math.ceil(parts.length / 2);
    return `(${balanced(parts.slice(0, middle), kind)} ${kind} ${balanced(parts.slice(middle), kind)})`;
  }

  function condition(node: Condition): string {
    if (node.kind === "not") return `not (${condition(node.operand)})`;
    if (node.kind === "and" || node.kind === "or") return balanced(chainOf(node, node.kind), node.kind);
    return `(${predicate(node)})`;
  }

  function key({ value: expression, descending }: ResolvedKey): string {
    const type = typeOf(expression, scope, environment);
    const direction = descending ? " desc" : "";
    if (type.kind !== "number") return value(expression) + direction;
    if (isPlainColumn(expression)) return plainOperand(value(expression), type) + direction;
    return `k_key(${value(expression)}, ${typeNumber(type)})${direction}`;
  }

  return { value, condition, key };
}
