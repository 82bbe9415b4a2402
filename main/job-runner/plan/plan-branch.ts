import type { Branch, Condition, NameRef } from "../dialect/ast.ts";
import { conditionValues, itemValues, joinValues, whereValues } from "../dialect/walk.ts";
import { type Environment, findColumn, type Scope, scopeOf } from "../evaluation/scope.ts";
import { sourceNames } from "../evaluation/source-names.ts";
import type { SourceField } from "../sources/form.ts";
import { conjunction, conjuncts, normalForm } from "../sources/normal-form.ts";
import { splitWhere } from "../sources/push-down.ts";
import { type Column, foldName } from "../values/column-type.ts";

/** What is known of a source before it is read: the fields of an app, or the columns of a temp table. */
export type KnownSource =
  | { readonly kind: "app"; readonly fields: readonly SourceField[] }
  | { readonly kind: "temp"; readonly columns: readonly Column[] };

/** What one app is asked for. */
export interface SourcePlan {
  /** Fields the branch speaks of, in the order of the form (job-dialect §6, "Fields"). */
  readonly fields: readonly SourceField[];
  /** Condition for kintone, "" for all records. */
  readonly query: string;
}

/** How a branch is answered: what each app is asked for, and what is left to decide here. */
export interface BranchPlan {
  /** One for each source; null for a temp table. */
  readonly sources: readonly (SourcePlan | null)[];
  readonly rest: Condition | null;
  /** All columns of all sources. */
  readonly scope: Scope;
}

/**
 * Splits a branch between its apps and this process (job-dialect §6). A condition goes to the app all its
 * columns belong to, but never to the right side of a LEFT JOIN: there it would make rows without a partner.
 * Throws DialectError for ambiguous names.
 */
export function planBranch(
  branch: Branch,
  known: readonly KnownSource[],
  context: { readonly environment: Environment; readonly timeZone: string },
): BranchPlan {
  const names = sourceNames(branch);
  const scopes = known.map((source, place) =>
    source.kind === "app"
      ? scopeOf(source.fields, names[place] ?? "", true)
      : scopeOf(source.columns, names[place] ?? "", false),
  );
  const scope: Scope = { columns: scopes.flatMap(({ columns }) => columns) };
  const queries = known.map((): string[] => []);
  const rest: Condition[] = [];
  for (const part of branch.where === null ? [] : conjuncts(normalForm(branch.where))) {
    const place = ownerOf(part, scope, names);
    const source = place === null ? undefined : known[place];
    const askable = place === 0 || branch.joins[(place ?? 0) - 1]?.left === false;
    if (place === null || source?.kind !== "app" || !askable) {
      rest.push(part);
      continue;
    }
    const split = splitWhere(part, { fields: source.fields, ...context });
    if (split.query !== "") queries[place]?.push(split.query);
    if (split.rest !== null) rest.push(part);
  }
  const used = usedColumns(branch, scope);
  return {
    sources: known.map((source, place) =>
      source.kind === "app"
        ? {
            fields: source.fields.filter(({ name }) => used.has(`${foldName(names[place] ?? "")}\n${name}`)),
            query: (queries[place] ?? []).join(" and "),
          }
        : null,
    ),
    rest: conjunction(rest),
    scope,
  };
}

/** The one source all columns of a condition belong to; the only one there is when it names none. */
function ownerOf(part: Condition, scope: Scope, names: readonly string[]): number | null {
  const owners = new Set<number>();
  for (const value of conditionValues(part)) {
    if (value.kind !== "column") continue;
    const column = scope.columns[findColumn(scope, value)];
    owners.add(names.findIndex((name) => foldName(name) === column?.table));
  }
  const [only] = owners;
  if (owners.size === 0) return names.length === 1 ? 0 : null;
  return owners.size > 1 || only === undefined || only === -1 ? null : only;
}

/** Columns the branch speaks of as `source\nname`; for `*` all but `$id`. */
function usedColumns(branch: Branch, scope: Scope): ReadonlySet<string> {
  const used = new Set<string>();
  const use = (ref: NameRef): void => {
    const column = scope.columns[findColumn(scope, ref)];
    if (column !== undefined) used.add(`${column.table}\n${column.name}`);
  };
  for (const value of [...itemValues(branch), ...whereValues(branch), ...joinValues(branch)]) {
    if (value.kind === "column") use(value);
  }
  const isAlias = ({ name, table }: NameRef): boolean =>
    table === null &&
    branch.items.some((item) => item.kind === "value" && foldName(item.name) === foldName(name));
  for (const key of [...branch.groupBy, ...branch.orderBy]) if (!isAlias(key)) use(key);
  if (branch.items.some((item) => item.kind === "star")) {
    for (const { table, name } of scope.columns) if (name !== "$id") used.add(`${table}\n${name}`);
  }
  return used;
}
