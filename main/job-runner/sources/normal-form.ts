import type { CompareOperator, Condition, Predicate } from "../dialect/ast.ts";

const OPPOSITE: Readonly<Record<CompareOperator, CompareOperator>> = {
  "=": "!=",
  "!=": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

function negateLeaf(leaf: Predicate): Predicate {
  if (leaf.kind === "compare") return { ...leaf, operator: OPPOSITE[leaf.operator] };
  return { ...leaf, negated: !leaf.negated };
}

function expandBetween(leaf: Predicate): Condition {
  if (leaf.kind !== "between") return leaf;
  const bound = (operator: CompareOperator, right: typeof leaf.low): Condition => ({
    kind: "compare",
    operator,
    left: leaf.operand,
    right,
  });
  return leaf.negated
    ? { kind: "or", left: bound("<", leaf.low), right: bound(">", leaf.high) }
    : { kind: "and", left: bound(">=", leaf.low), right: bound("<=", leaf.high) };
}

/**
 * The same condition with every NOT moved into the leaves and BETWEEN spelled out. Sound because the logic is
 * two-valued (job-dialect §3). A kintone query has no general `not`.
 */
export function normalForm(condition: Condition, negated = false): Condition {
  switch (condition.kind) {
    case "not":
      return normalForm(condition.operand, !negated);
    case "and":
    case "or": {
      const kind = (condition.kind === "and") !== negated ? "and" : "or";
      return {
        kind,
        left: normalForm(condition.left, negated),
        right: normalForm(condition.right, negated),
      };
    }
    default:
      return expandBetween(negated ? negateLeaf(condition) : condition);
  }
}

/** The parts of a condition joined by AND at the top. */
export function conjuncts(condition: Condition): readonly Condition[] {
  if (condition.kind !== "and") return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
}

/** AND over the parts; null when there is none. */
export function conjunction(parts: readonly Condition[]): Condition | null {
  return parts.reduce<Condition | null>(
    (left, right) => (left === null ? right : { kind: "and", left, right }),
    null,
  );
}
