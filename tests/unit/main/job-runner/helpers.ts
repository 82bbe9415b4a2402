import { parseScript } from "../../../../main/job-runner/dialect/parse-script.ts";
import { evaluateBranch, orderTable } from "../../../../main/job-runner/evaluation/evaluate.ts";
import type { Environment } from "../../../../main/job-runner/evaluation/scope.ts";
import type { BranchSource } from "../../../../main/job-runner/evaluation/sources.ts";
import {
  createWorkspace,
  type Table,
  type Workspace,
} from "../../../../main/job-runner/evaluation/workspace.ts";
import { asOfValues } from "../../../../main/job-runner/values/as-of.ts";
import type { Column } from "../../../../main/job-runner/values/column-type.ts";
import { createComparison } from "../../../../main/job-runner/values/compare.ts";

/** Rows of texts under named columns: what a source delivers and what a query makes. */
export interface Relation {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

export const ZONE = "Asia/Tokyo";
export const ENVIRONMENT: Environment = {
  asOf: asOfValues(Date.parse("2026-03-31T16:00:00Z"), ZONE),
  variables: new Map(),
};
export const HEADER = "-- @ksql name: t\n-- @ksql dialect: 1\n";

/** Findings of a script as `code line:column`. */
export function findings(sql: string): readonly string[] {
  return parseScript(sql).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

/** The first finding's message, or "" when there is none. */
export function firstMessage(sql: string): string {
  return parseScript(sql).diagnostics[0]?.message ?? "";
}

/** A workspace that holds `relation`. */
export function stored(workspace: Workspace, relation: Relation): Table {
  const table = workspace.createTable(relation.columns);
  workspace.insert(table, relation.rows);
  return table;
}

/** A table as plain values. */
export function relationOf(workspace: Workspace, table: Table): Relation {
  return { columns: table.columns, rows: [...workspace.rows(table)] };
}

/** Runs one SELECT over `relation`, which stands for the first source; `joined` for those after it, in order. */
export function select(
  sql: string,
  relation: Relation,
  exact = false,
  joined: readonly Relation[] = [],
): Relation {
  const script = parseScript(HEADER + sql);
  const body = script.statements[0]?.body;
  if (script.diagnostics.length > 0 || body?.kind !== "select") {
    throw new Error(`not a SELECT: ${JSON.stringify(script.diagnostics)}`);
  }
  const workspace = createWorkspace(createComparison(ZONE));
  try {
    let result: Table | null = null;
    for (const branch of body.query.branches) {
      const sources: BranchSource[] = [];
      if (branch.source !== null) {
        const name = branch.alias ?? "t";
        sources.push({ table: stored(workspace, relation), name, exact, join: null });
      }
      for (const [place, join] of branch.joins.entries()) {
        const table = stored(workspace, joined[place] ?? relation);
        const source = join.source.kind === "temp" ? join.source.name : "";
        sources.push({ table, name: join.alias ?? source, exact, join });
      }
      result = evaluateBranch(branch, sources, branch.where, ENVIRONMENT, workspace, result);
    }
    if (result === null) throw new Error("no branch");
    const { orderBy } = body.query;
    if (orderBy.length > 0) result = orderTable(result, orderBy, ENVIRONMENT, workspace);
    return relationOf(workspace, result);
  } finally {
    workspace.dispose();
  }
}
