import type { Condition, Expression, Predicate } from "../dialect/ast.ts";
import { unsupported } from "../dialect/diagnostic.ts";
import type { ColumnType } from "../values/column-type.ts";
import type { DescribedBranch, ResolvedKey } from "./describe.ts";
import { columnIndex, comparisonType, constantOf, type Environment, type Scope, typeOf } from "./scope.ts";

/** SQL of our own making with its bound texts and the types its functions speak of by number. */
export interface EmittedSelect {
  readonly sql: string;
  readonly parameters: readonly string[];
  readonly types: readonly ColumnType[];
}

interface Emitter {
  value(expression: Expression): string;
  condition(condition: Condition): string;
  key(key: ResolvedKey): string;
}

/**
 * SQLite text for a described branch over the table `t0(pos, c0, c1, …)` (job-dialect §9.1). No text of the
 * job is in it: names became `cN`, every literal a bound parameter, every comparison one of our functions.
 */
export function emitSelect(
  described: DescribedBranch,
  where: Condition | null,
  scope: Scope,
  environment: Environment,
): EmittedSelect {
  const parameters: string[] = [];
  const types: ColumnType[] = [];
  const emitter = createEmitter(scope, environment, parameters, types);
  const columns = described.outputs.map((output, index) => `${emitter.value(output.value)} as o${index}`);
  const parts = [`select ${columns.join(", ")} from t0`];
  if (where !== null) parts.push(`where ${emitter.condition(where)}`);
  if (described.groupBy.length > 0) {
    parts.push(`group by ${described.groupBy.map((key) => emitter.value(key.value)).join(", ")}`);
  }
  const order = described.orderBy.map((key) => emitter.key(key));
  parts.push(`order by ${[...order, described.grouped ? "min(pos)" : "pos"].join(", ")}`);
  return { sql: parts.join(" "), parameters, types };
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
  types: ColumnType[],
): Emitter {
  const bind = (text: string): string => {
    parameters.push(text);
    return "?";
  };
  const typeNumber = (type: ColumnType): number => types.push(type) - 1;

  function value(expression: Expression): string {
    switch (expression.kind) {
      case "column":
        return `c${columnIndex(scope, expression.name, expression.at)}`;
      case "concat":
        return `(${expression.parts.map(value).join(" || ")})`;
      case "arithmetic":
        return `k_arithmetic('${expression.operator}', ${value(expression.left)}, ${value(expression.right)})`;
      case "aggregate": {
        if (expression.argument === null) return "cast(count(*) as text)";
        const type = typeNumber(typeOf(expression.argument, scope, environment));
        return `k_${expression.name.toLowerCase()}(${value(expression.argument)}, ${type})`;
      }
      case "serverTime":
        throw unsupported("A server-time function that kintone cannot evaluate here", expression.at);
      default:
        return bind(constantOf(expression, environment)?.text ?? "");
    }
  }

  function ordered(left: Expression, operator: string, right: Expression): string {
    const type = typeNumber(comparisonType(left, right, scope, environment));
    return `k_cmp(${value(left)}, ${value(right)}, ${type}) ${operator} 0`;
  }

  function predicate(leaf: Predicate): string {
    const not = leaf.kind !== "compare" && leaf.negated ? "not " : "";
    switch (leaf.kind) {
      case "compare": {
        if (leaf.operator !== "=" && leaf.operator !== "!=") {
          return ordered(leaf.left, leaf.operator, leaf.right);
        }
        const type = typeNumber(comparisonType(leaf.left, leaf.right, scope, environment));
        const equal = `k_eq(${value(leaf.left)}, ${value(leaf.right)}, ${type})`;
        return leaf.operator === "=" ? equal : `not ${equal}`;
      }
      case "in": {
        const items = leaf.items.map((item) => constantOf(item, environment)?.text ?? "");
        const type = typeNumber(typeOf(leaf.operand, scope, environment));
        return `${not}k_in(${value(leaf.operand)}, ${bind(JSON.stringify(items))}, ${type})`;
      }
      case "like":
        return `${not}k_like(${value(leaf.operand)}, ${value(leaf.pattern)})`;
      case "between":
        return `${not}(${ordered(leaf.operand, ">=", leaf.low)} and ${ordered(leaf.operand, "<=", leaf.high)})`;
      case "empty":
        return `${not}k_empty(${value(leaf.operand)}, ${typeNumber(typeOf(leaf.operand, scope, environment))})`;
    }
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

  return {
    value,
    condition,
    key: ({ value: expression, descending }) => {
      const type = typeNumber(typeOf(expression, scope, environment));
      return `k_key(${value(expression)}, ${type})${descending ? " desc" : ""}`;
    },
  };
}
