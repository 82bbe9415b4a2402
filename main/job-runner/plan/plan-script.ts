import type { Branch, Operand, Query, Statement } from "../dialect/ast.ts";
import { type Diagnostic, DialectError, syntaxError, unsupported } from "../dialect/diagnostic.ts";
import type { ParsedScript } from "../dialect/parse-script.ts";
import { predicatesOf, predicateValues, queriesOf } from "../dialect/walk.ts";
import { type DescribedBranch, describeBranch, unionColumns } from "../evaluation/describe.ts";
import { type Cell, type Environment, typeOf } from "../evaluation/scope.ts";
import type { SourceField } from "../sources/form.ts";
import { splitWhere } from "../sources/push-down.ts";
import type { AsOfValues } from "../values/as-of.ts";
import { type Column, foldName, TEXT } from "../values/column-type.ts";
import { type KnownApp, resolveApp } from "./apps.ts";

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

function checkBranch(branch: Branch, state: State, input: PlanInput): DescribedBranch {
  const environment: Environment = { asOf: input.asOf, variables: state.variables };
  const { source } = branch;
  if (source === null || source.kind === "temp") {
    const columns = source === null ? NO_COLUMNS : (state.tables.get(foldName(source.name)) ?? NO_COLUMNS);
    refuseServerTime(branch.where);
    return describeBranch(branch, { columns, exact: false }, environment);
  }
  const fields = input.forms.get(resolveApp(source, input.apps).appId) ?? [];
  const described = describeBranch(branch, { columns: fields, exact: true }, environment);
  refuseServerTime(splitWhere(branch.where, { fields, environment, timeZone: input.timeZone }).rest);
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
      where: null,
      groupBy: [],
      orderBy: query.orderBy,
      at: 0,
    };
    describeBranch(all, { columns, exact: false }, { asOf: input.asOf, variables: state.variables });
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
  const type = typeOf(operand.expression, { columns: [], exact: false }, environment);
  return { text: "", type };
}

function planStatement({ body }: Statement, state: State, input: PlanInput): void {
  const shapes = queriesOf(body).map((query) => checkQuery(query, state, input));
  if (body.kind === "createTemp") {
    const columns = shapes[0] ?? NO_COLUMNS;
    refuseDuplicates(columns, body.at);
    state.tables.set(foldName(body.name), columns);
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

/** Apps the script reads, each once, in the order of first use. */
export function appsOf(script: ParsedScript, apps: readonly KnownApp[]): readonly KnownApp[] {
  const sources = script.statements
    .flatMap(({ body }) => queriesOf(body))
    .flatMap((query) => query.branches)
    .flatMap(({ source }) => (source === null || source.kind === "temp" ? [] : [resolveApp(source, apps)]));
  return [...new Map(sources.map((app) => [app.appId, app])).values()];
}
