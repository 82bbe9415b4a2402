import type { Branch, Condition, OrderKey } from "../dialect/ast.ts";
import { describeBranch, joinPairs } from "./describe.ts";
import { emitSelect } from "./emit.ts";
import { joinKey } from "./emitted.ts";
import type { Environment, Scope } from "./scope.ts";
import { type BranchSource, scopeOfSources } from "./sources.ts";
import type { Table, Workspace } from "./workspace.ts";

/**
 * One SELECT over sources already read; its rows go into a new table, or behind those of `into`. `where` is
 * what the sources have not decided yet, which may be less than the branch's own condition (job-dialect §6).
 * Throws DialectError for names the sources lack.
 */
export function evaluateBranch(
  branch: Branch,
  sources: readonly BranchSource[],
  where: Condition | null,
  environment: Environment,
  workspace: Workspace,
  into: Table | null = null,
): Table {
  const scope = scopeOfSources(sources, workspace);
  const described = describeBranch({ ...branch, where }, scope, environment);
  indexJoins(sources, scope, workspace);
  const select = emitSelect(described, sources, where, scope, environment, workspace.typeNumber);
  const table = into ?? workspace.createTable(described.outputs.map(({ name, type }) => ({ name, type })));
  workspace.fill(table, select);
  return table;
}

/** An index on the right side of every JOIN, so that each left row finds its partners at once. */
function indexJoins(sources: readonly BranchSource[], scope: Scope, workspace: Workspace): void {
  for (const [place, { table, join }] of sources.entries()) {
    if (join === null) continue;
    const keys = joinPairs(join, scope).map(([left, right]) => {
      const own = left.raw.startsWith(`s${place}.`) ? left : right;
      const type = left.type.kind === right.type.kind ? own.type : ({ kind: "text" } as const);
      return joinKey(own.raw.slice(own.raw.indexOf(".") + 1), type, workspace.typeNumber);
    });
    workspace.index(table, keys.join(", "));
  }
}

/** `table` in the order of `orderBy`, as a new table; the old one is dropped. Throws DialectError. */
export function orderTable(
  table: Table,
  orderBy: readonly OrderKey[],
  environment: Environment,
  workspace: Workspace,
): Table {
  const all: Branch = {
    items: [{ kind: "star", at: 0 }],
    source: { kind: "temp", name: "", at: 0 },
    alias: null,
    joins: [],
    where: null,
    groupBy: [],
    orderBy,
    at: 0,
  };
  const ordered = evaluateBranch(
    all,
    [{ table, name: "", exact: false, join: null }],
    null,
    environment,
    workspace,
  );
  workspace.drop(table);
  return ordered;
}
