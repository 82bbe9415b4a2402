import type { Join } from "../dialect/ast.ts";
import { foldName } from "../values/column-type.ts";
import type { Scope } from "./scope.ts";
import type { Table, Workspace } from "./workspace.ts";

/** One source of a branch, read into a table. */
export interface BranchSource {
  readonly table: Table;
  /** What the branch calls it. */
  readonly name: string;
  /** True for an app, whose field codes are compared exactly. */
  readonly exact: boolean;
  /** Null for the first source. */
  readonly join: Join | null;
}

/** The columns of all sources under their SQL names `s0.c0`, `s0.c1`, … */
export function scopeOfSources(sources: readonly BranchSource[], workspace: Workspace): Scope {
  const columns = sources.flatMap(({ table, name, exact, join }, place) =>
    table.columns.map((column, index) => {
      const raw = `s${place}.c${index}`;
      return {
        ...column,
        table: foldName(name),
        exact,
        raw,
        // A row without a partner has no cells, and a missing cell is the empty text (job-dialect §3).
        sql: join?.left === true ? `coalesce(${raw}, '')` : raw,
        isPlain: () => workspace.isPlain(table, index),
      };
    }),
  );
  return { columns };
}
