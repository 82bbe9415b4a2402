import type { Branch, Expression, Query, Statement, WriteBody } from "../dialect/ast.ts";
import { CODES, type Diagnostic, DialectError, syntaxError, unsupported } from "../dialect/diagnostic.ts";
import type { ParsedScript } from "../dialect/parse-script.ts";
import {
  conditionValues,
  givenValues,
  isWrite,
  itemValues,
  joinValues,
  operandsOf,
  queriesOf,
  sourcesOf,
  whereValues,
  withParts,
} from "../dialect/walk.ts";
import { sourceNames } from "../evaluation/source-names.ts";
import { foldName } from "../values/column-type.ts";
import { type KnownApp, resolveApp } from "./apps.ts";

/** Limits of one script (job-dialect §2). */
const MAX_TEMP_TABLES = 16;
const MAX_VARIABLES = 64;

interface Names {
  readonly tables: Set<string>;
  readonly variables: Set<string>;
}

type Report = (error: DialectError, severity: Diagnostic["severity"]) => void;

function attempt(report: Report, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof DialectError)) throw error;
    report(error, "error");
  }
}

function checkVariable(value: Expression, names: Names): void {
  if (value.kind !== "variable" || names.variables.has(foldName(value.name))) return;
  throw syntaxError(`The variable @${value.name} is not set before this place.`, value.at);
}

function checkConditionValues(values: readonly Expression[], names: Names, report: Report): void {
  for (const value of values) {
    attempt(report, () => checkVariable(value, names));
    if (value.kind !== "serverTime") continue;
    const message = `${value.query} is evaluated by kintone when the job runs, not fixed by the as-of time.`;
    report(new DialectError(CODES.serverTime, message, value.at), "warning");
  }
}

function checkBranch(branch: Branch, names: Names, apps: readonly KnownApp[], report: Report): void {
  attempt(report, () => {
    sourceNames(branch);
  });
  for (const source of sourcesOf(branch)) {
    if (source.kind !== "temp") {
      attempt(report, () => {
        resolveApp(source, apps);
      });
    } else if (!names.tables.has(foldName(source.name))) {
      const message = `The temp table #${source.name} does not exist at this place.`;
      report(syntaxError(message, source.at), "error");
    }
  }
  checkConditionValues([...joinValues(branch), ...whereValues(branch)], names, report);
  for (const value of itemValues(branch)) {
    attempt(report, () => checkVariable(value, names));
    if (value.kind === "serverTime") {
      report(unsupported("A server-time function outside WHERE", value.at), "error");
    }
  }
}

function checkQuery(query: Query, names: Names, apps: readonly KnownApp[], report: Report): void {
  for (const branch of query.branches) checkBranch(branch, names, apps, report);
}

/** What a write is checked for without a form: its app, its key (KSQL1301) and repeatability (KSQL1305). */
function checkWrite(body: WriteBody, names: Names, apps: readonly KnownApp[], report: Report): void {
  attempt(report, () => {
    resolveApp(body.target, apps);
  });
  for (const value of givenValues(body)) {
    for (const part of withParts(value)) attempt(report, () => checkVariable(part, names));
  }
  if (body.kind === "update" || body.kind === "delete") {
    checkConditionValues(conditionValues(body.where), names, report);
    return;
  }
  const [key, second] = body.key;
  if (second !== undefined) {
    const message = "The update key is made of several fields; kintone finds a record by exactly one.";
    report(new DialectError(CODES.compositeKey, message, second.at), "error");
  }
  if (key !== undefined && !body.fields.some(({ name }) => name === key.name)) {
    report(syntaxError(`The key "${key.name}" is not in the list of fields.`, key.at), "error");
  }
  if (key === undefined) {
    const word = body.kind === "import" ? "An IMPORT without ON DUPLICATE" : "A plain INSERT";
    const message = `${word} adds its records again when the job is repeated.`;
    report(new DialectError(CODES.plainInsert, message, body.at), "warning");
  }
}

function declareTable(name: string, at: number, names: Names): void {
  if (names.tables.has(foldName(name))) throw syntaxError(`The temp table #${name} exists already.`, at);
  if (names.tables.size === MAX_TEMP_TABLES) {
    throw syntaxError(`A script has at most ${MAX_TEMP_TABLES} temp tables.`, at);
  }
  names.tables.add(foldName(name));
}

/** What the statement adds for those after it, or takes away. */
function declareNames({ body }: Statement, names: Names): void {
  if (body.kind === "createTemp") declareTable(body.name, body.at, names);
  if (body.kind === "import" && body.rejects !== null) {
    declareTable(body.rejects.table, body.rejects.at, names);
  }
  if (body.kind === "dropTemp" && !names.tables.delete(foldName(body.name))) {
    throw syntaxError(`The temp table #${body.name} does not exist at this place.`, body.at);
  }
  if (body.kind === "set") {
    if (names.variables.has(foldName(body.name))) {
      throw syntaxError(`The variable @${body.name} has a value already; it cannot be set again.`, body.at);
    }
    if (names.variables.size === MAX_VARIABLES) {
      throw syntaxError(`A script has at most ${MAX_VARIABLES} variables.`, body.at);
    }
    names.variables.add(foldName(body.name));
  }
}

function checkStatement(statement: Statement, names: Names, apps: readonly KnownApp[], report: Report): void {
  if (isWrite(statement.body)) checkWrite(statement.body, names, apps, report);
  for (const query of queriesOf(statement.body)) checkQuery(query, names, apps, report);
  for (const operand of operandsOf(statement.body)) {
    if (operand.kind !== "expression") continue;
    for (const value of withParts(operand.expression)) attempt(report, () => checkVariable(value, names));
  }
  attempt(report, () => declareNames(statement, names));
}

function wholeScript(script: ParsedScript): DialectError | null {
  const [only, second] = script.statements;
  const broken = script.diagnostics.some((finding) => finding.severity === "error");
  if (only === undefined) {
    return broken ? null : new DialectError("ArgumentError", "The script contains no statement.", 0);
  }
  const { kind } = only.body;
  if (second === undefined && !broken && (kind === "createTemp" || kind === "dropTemp")) {
    const word = kind === "createTemp" ? "CREATE" : "DROP";
    return syntaxError(`A script of nothing but one ${word} TEMP TABLE has no effect.`, only.start);
  }
  return null;
}

/**
 * Checks that need no form definition (job-dialect §2, §7): apps resolve (KSQL1101), temp tables and variables
 * exist and are not made twice, keys are single (KSQL1301), plain inserts (KSQL1305) and
 * server-time functions (KSQL1306) are pointed at. In the order of positions within a statement as far as the
 * checks meet them.
 */
export function checkReferences(script: ParsedScript, apps: readonly KnownApp[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const names: Names = { tables: new Set(), variables: new Set() };
  const reportAt =
    (index: number | null): Report =>
    (error, severity) => {
      const place = index === null ? {} : { statementIndex: index };
      const { code, message } = error;
      found.push({ code, severity, ...script.positionOf(error.offset), message, ...place });
    };
  const whole = wholeScript(script);
  if (whole !== null) reportAt(null)(whole, "error");
  for (const statement of script.statements)
    checkStatement(statement, names, apps, reportAt(statement.index));
  return found;
}
