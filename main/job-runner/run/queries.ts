import type { Branch, Query } from "../dialect/ast.ts";
import { itemValues, whereValues } from "../dialect/walk.ts";
import { describeBranch, unionColumns } from "../evaluation/describe.ts";
import { type BranchInput, evaluateBranch, NO_SOURCE, uniteBranches } from "../evaluation/evaluate.ts";
import type { Environment } from "../evaluation/scope.ts";
import { type AppSource, type KnownApp, resolveApp } from "../plan/apps.ts";
import type { SourceField } from "../sources/form.ts";
import { splitWhere } from "../sources/push-down.ts";
import { type ReadDeps, readApp } from "../sources/read-app.ts";
import { foldName, type Relation } from "../values/column-type.ts";
import type { Comparison } from "../values/compare.ts";
import { RunFailure } from "./failure.ts";

/** What queries are answered from. */
export interface QueryDeps extends ReadDeps {
  readonly apps: readonly KnownApp[];
  readonly forms: ReadonlyMap<number, readonly SourceField[]>;
  readonly timeZone: string;
  readonly comparison: Comparison;
  readonly maxReadRows: number;
  readonly tables: ReadonlyMap<string, Relation>;
}

interface Loaded {
  readonly input: BranchInput;
  /** What is left of WHERE to decide locally. */
  readonly where: Branch["where"];
}

/** Fields a branch speaks of, in the order of the form; all of them for `*` (job-dialect §6, "Fields"). */
function referencedFields(branch: Branch, fields: readonly SourceField[]): readonly SourceField[] {
  if (branch.items.some((item) => item.kind === "star"))
    return fields.filter(({ name }) => name !== "$id" || speaksOf(branch, name));
  return fields.filter(({ name }) => speaksOf(branch, name));
}

function speaksOf(branch: Branch, name: string): boolean {
  const values = [...itemValues(branch), ...whereValues(branch)];
  if (values.some((value) => value.kind === "column" && value.name === name)) return true;
  return [...branch.groupBy, ...branch.orderBy].some((key) => key.name === name);
}

async function loadApp(
  branch: Branch,
  source: AppSource,
  environment: Environment,
  deps: QueryDeps,
): Promise<Loaded> {
  const app = resolveApp(source, deps.apps);
  const form = deps.forms.get(app.appId) ?? [];
  const split = splitWhere(branch.where, { fields: form, environment, timeZone: deps.timeZone });
  const columns = referencedFields(branch, form);
  const rows = await readApp(
    {
      appId: app.appId,
      label: source.kind === "app" ? `APP${app.appId}` : `LAPP_${app.name}`,
      fields: columns.map(({ name }) => name),
      query: split.query,
      maxRows: deps.maxReadRows,
    },
    deps,
  );
  return { input: { relation: { columns, rows }, exact: true }, where: split.rest };
}

async function loadBranch(branch: Branch, environment: Environment, deps: QueryDeps): Promise<Loaded> {
  const { source } = branch;
  if (source === null) return { input: NO_SOURCE, where: branch.where };
  if (source.kind !== "temp") return loadApp(branch, source, environment, deps);
  const relation = deps.tables.get(foldName(source.name));
  if (relation === undefined) {
    throw new RunFailure("SQL_ERROR", "ArgumentError", `The temp table #${source.name} does not exist.`);
  }
  return { input: { relation, exact: false }, where: branch.where };
}

/**
 * Answers a query (job-dialect §5.1): every branch reads its own source, again even if an earlier branch or
 * statement read it (§1). Throws DialectError, RunFailure or Stopped.
 */
export async function materialize(
  query: Query,
  environment: Environment,
  deps: QueryDeps,
): Promise<Relation> {
  const parts: Relation[] = [];
  const described = [];
  for (const branch of query.branches) {
    const { input, where } = await loadBranch(branch, environment, deps);
    const scope = { columns: input.relation.columns, exact: input.exact };
    described.push(describeBranch(branch, scope, environment));
    parts.push(evaluateBranch(branch, input, where, environment, deps.comparison));
  }
  const columns = unionColumns(query, described);
  return uniteBranches(parts, columns, query.orderBy, environment, deps.comparison);
}
