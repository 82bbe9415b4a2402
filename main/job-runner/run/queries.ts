import type { Branch, Query, Source } from "../dialect/ast.ts";
import { sourcesOf } from "../dialect/walk.ts";
import { describeBranch, unionColumns } from "../evaluation/describe.ts";
import { evaluateBranch, orderTable } from "../evaluation/evaluate.ts";
import type { Environment } from "../evaluation/scope.ts";
import { sourceNames } from "../evaluation/source-names.ts";
import type { BranchSource } from "../evaluation/sources.ts";
import type { Table, Workspace } from "../evaluation/workspace.ts";
import { type KnownApp, resolveApp } from "../plan/apps.ts";
import { type BranchPlan, type KnownSource, planBranch, type SourcePlan } from "../plan/plan-branch.ts";
import type { SourceField } from "../sources/form.ts";
import { type ReadDeps, readPages } from "../sources/read-app.ts";
import { foldName } from "../values/column-type.ts";
import { RunFailure } from "./failure.ts";

/** What queries are answered from. */
export interface QueryDeps extends ReadDeps {
  readonly apps: readonly KnownApp[];
  readonly forms: ReadonlyMap<number, readonly SourceField[]>;
  readonly timeZone: string;
  readonly maxReadRows: number;
  readonly workspace: Workspace;
  /** By folded name. */
  readonly tables: ReadonlyMap<string, Table>;
}

function tempTable(name: string, deps: QueryDeps): Table {
  const table = deps.tables.get(foldName(name));
  if (table !== undefined) return table;
  throw new RunFailure("SQL_ERROR", "ArgumentError", `The temp table #${name} does not exist.`);
}

function knownSource(source: Source, deps: QueryDeps): KnownSource {
  if (source.kind === "temp") return { kind: "temp", columns: tempTable(source.name, deps).columns };
  const { appId } = resolveApp(source, deps.apps);
  return { kind: "app", fields: deps.forms.get(appId) ?? [] };
}

/** Reads an app page by page into a table of its own; on any failure the table is gone again. */
async function loadApp(
  appId: number,
  label: string,
  { fields, query }: SourcePlan,
  deps: QueryDeps,
): Promise<Table> {
  const { workspace } = deps;
  const table = workspace.createTable(fields);
  const read = { appId, label, fields: fields.map(({ name }) => name), query, maxRows: deps.maxReadRows };
  for await (const rows of readPages(read, deps)) workspace.insert(table, rows);
  return table;
}

async function loadSource(source: Source, plan: SourcePlan | null, deps: QueryDeps): Promise<Table> {
  if (source.kind === "temp" || plan === null) {
    return tempTable(source.kind === "temp" ? source.name : "", deps);
  }
  const app = resolveApp(source, deps.apps);
  return loadApp(app.appId, source.kind === "app" ? `APP${app.appId}` : `LAPP_${app.name}`, plan, deps);
}

async function loadBranch(
  branch: Branch,
  plan: BranchPlan,
  deps: QueryDeps,
): Promise<readonly BranchSource[]> {
  const names = sourceNames(branch);
  const loaded: BranchSource[] = [];
  for (const [place, source] of sourcesOf(branch).entries()) {
    const table = await loadSource(source, plan.sources[place] ?? null, deps);
    const join = branch.joins[place - 1] ?? null;
    loaded.push({ table, name: names[place] ?? "", exact: source.kind !== "temp", join });
  }
  return loaded;
}

/**
 * Answers a query into a table of its own, which the caller drops (job-dialect §5.1): every branch reads its
 * own sources, again even if an earlier branch or statement read them (§1). Throws DialectError, RunFailure or
 * Stopped.
 */
export async function materialize(query: Query, environment: Environment, deps: QueryDeps): Promise<Table> {
  const { workspace } = deps;
  const described = [];
  let result: Table | null = null;
  for (const branch of query.branches) {
    const known = sourcesOf(branch).map((source) => knownSource(source, deps));
    const plan = planBranch(branch, known, { environment, timeZone: deps.timeZone });
    described.push(describeBranch(branch, plan.scope, environment));
    unionColumns({ ...query, branches: query.branches.slice(0, described.length) }, described);
    const sources = await loadBranch(branch, plan, deps);
    result = evaluateBranch(branch, sources, plan.rest, environment, workspace, result);
    for (const [place, { table }] of sources.entries()) {
      if (sourcesOf(branch)[place]?.kind !== "temp") workspace.drop(table);
    }
  }
  if (result === null) throw new Error("a query has at least one branch");
  const united: Table = { id: result.id, columns: unionColumns(query, described) };
  if (query.orderBy.length === 0) return united;
  return orderTable(united, query.orderBy, environment, workspace);
}
