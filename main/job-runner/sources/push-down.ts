import type { Condition } from "../dialect/ast.ts";
import { type LeafContext, leafQuery, type Pushed } from "./leaf-query.ts";
import { conjunction, conjuncts, normalForm } from "./normal-form.ts";

/** A WHERE split between kintone and this process. */
export interface SplitWhere {
  /** Condition for kintone, "" when it decides nothing. */
  readonly query: string;
  /** What is left to decide locally; null when nothing is. */
  readonly rest: Condition | null;
}

function translate(condition: Condition, context: LeafContext): Pushed | null {
  if (condition.kind === "and" || condition.kind === "or") {
    const left = translate(condition.left, context);
    const right = translate(condition.right, context);
    if (left !== null && right !== null) {
      const query = `(${left.query} ${condition.kind} ${right.query})`;
      return { query, exact: left.exact && right.exact };
    }
    // Half of an AND lets more rows through; half of an OR would lose rows.
    const half = left ?? right;
    return condition.kind === "and" && half !== null ? { query: half.query, exact: false } : null;
  }
  return condition.kind === "not" ? null : leafQuery(condition, context);
}

/**
 * Hands kintone every AND-part it can express and keeps the others, and those it may answer too generously,
 * for the local filter (job-dialect §6). What kintone decides exactly is not decided again: its own rules for
 * empty cells hold there, as with the peer.
 */
export function splitWhere(where: Condition | null, context: LeafContext): SplitWhere {
  if (where === null) return { query: "", rest: null };
  const parts = conjuncts(normalForm(where)).map((condition) => ({
    condition,
    pushed: translate(condition, context),
  }));
  const queries = parts.flatMap(({ pushed }) => (pushed === null ? [] : [pushed.query]));
  const rest = parts.filter(({ pushed }) => pushed === null || !pushed.exact);
  return {
    query: queries.join(" and "),
    rest: conjunction(rest.map(({ condition }) => condition)),
  };
}
