import type { Branch, Query, Source } from "../dialect/ast.ts";
import { itemValues, joinValues, predicatesOf, sourcesOf, whereValues } from "../dialect/walk.ts";
import type { Cell, Environment } from "../evaluation/scope.ts";
import { type KnownApp, resolveApp } from "../plan/apps.ts";
import { type KnownSource, planBranch } from "../plan/plan-branch.ts";
import type { SourceField } from "../sources/form.ts";
import { type Column, foldName, TEXT } from "../values/column-type.ts";
import type { ExplainedBranch } from "./explanation.ts";

/** What an explanation knows while it walks the statements. */
export interface ExplainState {
  readonly apps: readonly KnownApp[];
  /** By app id; only the forms that were given. */
  readonly forms: ReadonlyMap<number, readonly SourceField[]>;
  readonly tables: Map<string, readonly Column[]>;
  readonly environment: Environment;
  /** Those of the environment, to be added to. */
  readonly variables: Map<string, Cell>;
  readonly timeZone: string;
}

/** How a source is called in the script. */
export function sourceLabel(source: Source): string {
  if (source.kind === "temp") return `#${source.name}`;
  return source.kind === "app" ? `APP${source.appId}` : `LAPP_${source.name}`;
}

/** Every column name a branch speaks of: all that is known of a form nobody gave. */
function namedColumns(branch: Branch): readonly string[] {
  const values = [...itemValues(branch), ...whereValues(branch), ...joinValues(branch)];
  const named = values.flatMap((value) => (value.kind === "column" ? [value.name] : []));
  return [...new Set([...named, ...branch.groupBy.map(({ name }) => name)])];
}

function knownSource(source: Source, branch: Branch, state: ExplainState): KnownSource {
  if (source.kind === "temp") {
    return { kind: "temp", columns: state.tables.get(foldName(source.name)) ?? [] };
  }
  const form = state.forms.get(resolveApp(source, state.apps).appId);
  if (form !== undefined) return { kind: "app", fields: form };
  const taken = new Set(
    sourcesOf(branch).flatMap((other) =>
      other.kind === "temp" ? (state.tables.get(foldName(other.name)) ?? []).map(({ name }) => name) : [],
    ),
  );
  const fields = namedColumns(branch).filter((name) => !taken.has(name));
  return {
    kind: "app",
    fields: fields.map((name) => ({
      name,
      type: TEXT,
      fieldType: "UNKNOWN",
      unique: false,
      options: [],
      write: null,
    })),
  };
}

/** One SELECT: what each source is asked for, how they are tied, what is left to this process. Throws DialectError. */
export function explainBranch(branch: Branch, state: ExplainState): ExplainedBranch {
  const sources = sourcesOf(branch);
  const known = sources.map((source) => knownSource(source, branch, state));
  const plan = planBranch(branch, known, state);
  const star = branch.items.some(({ kind }) => kind === "star");
  const reads = sources.map((source, place) => {
    const asked = plan.sources[place] ?? null;
    if (source.kind === "temp" || asked === null) {
      return { source: sourceLabel(source), appId: null, fields: null, query: null, formKnown: true };
    }
    const { appId } = resolveApp(source, state.apps);
    const formKnown = state.forms.has(appId);
    const fields = asked.fields.map(({ name }) => name);
    return {
      source: sourceLabel(source),
      appId,
      fields: !formKnown && star ? null : [...new Set([...fields, "$id"])],
      query: formKnown ? asked.query : null,
      formKnown,
    };
  });
  const decided = reads.every(({ formKnown }) => formKnown);
  return {
    reads,
    joins: branch.joins.map(({ source, left, on }) => ({
      kind: left ? "left" : "inner",
      source: sourceLabel(source),
      on: predicatesOf(on).map(equality),
    })),
    filteredHere: branch.where === null ? false : decided ? plan.rest !== null : null,
    groupBy: branch.groupBy.map(({ name, table }) => (table === null ? name : `${table}.${name}`)),
  };
}

function equality(leaf: ReturnType<typeof predicatesOf>[number]): string {
  if (leaf.kind !== "compare" || leaf.left.kind !== "column" || leaf.right.kind !== "column") return "…";
  const side = ({ table, name }: { readonly table: string | null; readonly name: string }): string =>
    table === null ? name : `${table}.${name}`;
  return `${side(leaf.left)} ${leaf.operator} ${side(leaf.right)}`;
}

/** Names a query gives its rows; enough to follow a temp table through later statements. */
export function columnsOf({ branches }: Query, state: ExplainState): readonly Column[] {
  const [first] = branches;
  if (first === undefined) return [];
  const names = first.items.flatMap((item) => {
    if (item.kind === "value") return [item.name];
    return sourcesOf(first).flatMap((source) => {
      const known = knownSource(source, first, state);
      return (known.kind === "app" ? known.fields : known.columns).map(({ name }) => name);
    });
  });
  return [...new Set(names)].map((name) => ({ name, type: TEXT }));
}
