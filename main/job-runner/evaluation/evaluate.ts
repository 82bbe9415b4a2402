import type { Branch, Condition, OrderKey } from "../dialect/ast.ts";
import type { Column, Relation } from "../values/column-type.ts";
import type { Comparison } from "../values/compare.ts";
import { runSelect } from "./back-end.ts";
import { describeBranch } from "./describe.ts";
import { emitSelect } from "./emit.ts";
import type { Environment, Scope } from "./scope.ts";

/** What one branch reads: its rows, and whether its column names are field codes (compared exactly). */
export interface BranchInput {
  readonly relation: Relation;
  readonly exact: boolean;
}

/** A SELECT without FROM: one row without columns. */
export const NO_SOURCE: BranchInput = { relation: { columns: [], rows: [[]] }, exact: false };

/**
 * One SELECT over rows already read. `where` is what the source has not decided yet, which may be less than
 * the branch's own condition (job-dialect §6). Throws DialectError for names the source lacks.
 */
export function evaluateBranch(
  branch: Branch,
  input: BranchInput,
  where: Condition | null,
  environment: Environment,
  comparison: Comparison,
): Relation {
  const scope: Scope = { columns: input.relation.columns, exact: input.exact };
  const described = describeBranch({ ...branch, where }, scope, environment);
  const select = emitSelect(described, where, scope, environment);
  return {
    columns: described.outputs.map(({ name, type }) => ({ name, type })),
    rows: runSelect(input.relation, select, comparison),
  };
}

/** The branches of a UNION ALL one after the other under `columns`, ordered as a whole where asked for. */
export function uniteBranches(
  parts: readonly Relation[],
  columns: readonly Column[],
  orderBy: readonly OrderKey[],
  environment: Environment,
  comparison: Comparison,
): Relation {
  const united: Relation = { columns, rows: parts.flatMap((part) => part.rows) };
  if (orderBy.length === 0) return united;
  const all: Branch = {
    items: [{ kind: "star", at: 0 }],
    source: { kind: "temp", name: "", at: 0 },
    where: null,
    groupBy: [],
    orderBy,
    at: 0,
  };
  return evaluateBranch(all, { relation: united, exact: false }, null, environment, comparison);
}
