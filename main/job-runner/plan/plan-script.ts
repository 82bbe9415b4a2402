import type { Branch, Operand, Query, Source, Statement } from "../dialect/ast.ts";
import { type Diagnostic, DialectError, syntaxError, unsupported } from "../dialect/diagnostic.ts";
import type { ParsedScript } from "../dialect/parse-script.ts";
import { isWrite, predicatesOf, predicateValues, queriesOf, sourcesOf } from "../dialect/walk.ts";
import { type DescribedBranch, describeBranch, unionColumns } from "../evaluation/describe.ts";
import { type Cell, type Environment, scopeOf, typeOf } from "../evaluation/scope.ts";
import type { SourceField } from "../sources/form.ts";
import type { AsOfValues } from "../values/as-of.ts";
import { type Column, foldName, TEXT } from "../values/column-type.ts";
import { rejectColumns } from "../writing/reject-table.ts";
import { type KnownApp, resolveApp } from "./apps.ts";
import { checkWrite } from "./check-write.ts";
import { type KnownSource, planBranch } from "./plan-branch.ts";

/** What typed checks need to know of the outside. */
export interface PlanInput {
  readonly apps: readonly KnownApp[];
  /** By app id. */
  readonly forms: ReadonlyMap<number, readonly SourceField[]>;
  readonly asOf: AsOfValues;
  readonly timeZone: string;
}

interface State {
  readonly tables: Map<string, readonly Column[]>;
  readonly variables: Map<string, Cell>;
}

const NO_COLUMNS: readonly Column[] = [];

function knownSource(source: Source, state: State, input: PlanInput): KnownSource {
  if (source.kind === "temp") {
    return { kind: "temp", columns: state.tables.get(foldName(source.name)) ?? NO_COLUMNS };
  }
  return { kind: "app", fields: input.forms.get(resolveApp(source, input.apps).appId) ?? [] };
}

function checkBranch(branch: Branch, state: State, input: PlanInput): DescribedBranch {
  const environment: Environment = { asOf: input.asOf, variables: state.variables };
  const known = sourcesOf(branch).map((source) => knownSource(source, state, input));
  const plan = planBranch(branch, known, { environment, timeZone: input.timeZone });
  const described = describeBranch(branch, plan.scope, environment);
  refuseServerTime(plan.rest);
  return described;
}

function refuseServerTime(where: Branch["where"]): void {
  for (const value of predicatesOf(where).flatMap(predicateValues)) {
    if (value.kind !== "serverTime") continue;
    throw unsupported(`${value.query} in a condition that kintone cannot evaluate on its own`, value.at);
  }
}

function checkQuery(query: Query, state: State, input: PlanInput): readonly Column[] {
  const branches = query.branches.map((branch) => checkBranch(branch, state, input));
  const columns = unionColumns(query, branches);
  if (query.orderBy.length > 0) {
    const all: Branch = {
      items: [{ kind: "star", at: 0 }],
      source: { kind: "temp", name: "", at: 0 },
      alias: null,
      joins: [],
      where: null,
      groupBy: [],
      orderBy: query.orderBy,
      at: 0,
    };
    describeBranch(all, scopeOf(columns, "", false), { asOf: input.asOf, variables: state.variables });
  }
  return columns;
}

/** Two output columns of one name would silently become one (job-dialect §13); a temp table refuses them. */
function refuseDuplicates(columns: readonly Column[], at: number): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(foldName(name))) {
      throw syntaxError(`The temp table would have two columns "${name}"; name them apart with AS.`, at);
    }
    seen.add(foldName(name));
  }
}

function variableType(
  operand: Operand,
  columns: readonly Column[] | undefined,
  environment: Environment,
): Cell {
  if (operand.kind === "query") return { text: "", type: columns?.[0]?.type ?? TEXT };
  const type = typeOf(operand.expression, scopeOf([], "", false), environment);
  return { text: "", type };
}

function planStatement({ body }: Statement, state: State, input: PlanInput): void {
  const shapes = queriesOf(body).map((query) => checkQuery(query, state, input));
  if (body.kind === "createTemp") {
    const columns = shapes[0] ?? NO_COLUMNS;
    refuseDuplicates(columns, body.at);
    state.tables.set(foldName(body.name), columns);
  }
  if (body.kind === "dropTemp") state.tables.delete(foldName(body.name));
  if (isWrite(body)) {
    const fields = input.forms.get(resolveApp(body.target, input.apps).appId) ?? [];
    checkWrite(body, shapes[0] ?? null, {
      fields,
      environment: { asOf: input.asOf, variables: state.variables },
      timeZone: input.timeZone,
    });
    if (body.kind === "import" && body.rejects !== null) {
      state.tables.set(foldName(body.rejects.table), rejectColumns(body.fields));
    }
  }
  if (body.kind === "set") {
    const environment: Environment = { asOf: input.asOf, variables: state.variables };
    state.variables.set(foldName(body.name), variableType(body.value, shapes[0], environment));
  }
}

/**
 * Checks every field name and type against the apps' forms before anything runs (job-dialect §2, §13). One
 * finding a statement; `ArgumentError` for an unknown field, KSQL1202 for what cannot be evaluated.
 */
export function planScript(script: ParsedScript, input: PlanInput): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const state: State = { tables: new Map(), variables: new Map() };
  for (const statement of script.statements) {
    try {
      planStatement(statement, state, input);
    } catch (error) {
      if (!(error instanceof DialectError)) throw error;
      const { code, message } = error;
      const position = script.positionOf(error.offset);
      found.push({ code, severity: "error", ...position, message, statementIndex: statement.index });
    }
  }
  return found;
}

/** Apps the script reads or writes, each once, in the order of first use. */
export function appsOf(script: ParsedScript, apps: readonly KnownApp[]): readonly KnownApp[] {
  const sources = script.statements.flatMap(({ body }) => [
    ...(isWrite(body) ? [resolveApp(body.target, apps)] : []),
    ...queriesOf(body)
      .flatMap((query) => query.branches)
      .flatMap(sourcesOf)
      .flatMap((source) => (source.kind === "temp" ? [] : [resolveApp(source, apps)])),
  ]);
  return [...new Map(sources.map((app) => [app.appId, app])).values()];
}
