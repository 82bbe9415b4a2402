import type { Branch, Expression, Query, Statement } from "../dialect/ast.ts";
import { CODES, type Diagnostic, DialectError, syntaxError, unsupported } from "../dialect/diagnostic.ts";
import type { ParsedScript } from "../dialect/parse-script.ts";
import { itemValues, operandsOf, queriesOf, whereValues, withParts } from "../dialect/walk.ts";
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

function checkBranch(branch: Branch, names: Names, apps: readonly KnownApp[], report: Report): void {
  const { source } = branch;
  if (source !== null && source.kind !== "temp") {
    attempt(report, () => {
      resolveApp(source, apps);
    });
  }
  if (source?.kind === "temp" && !names.tables.has(foldName(source.name))) {
    report(
      syntaxError(`The temp table #${source.name} is not created before this place.`, source.at),
      "error",
    );
  }
  for (const value of whereValues(branch)) {
    attempt(report, () => checkVariable(value, names));
    if (value.kind !== "serverTime") continue;
    const message = `${value.query} is evaluated by kintone when the job runs, not fixed by the as-of time.`;
    report(new DialectError(CODES.serverTime, message, value.at), "warning");
  }
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

/** What the statement adds for those after it. */
function declareNames({ body }: Statement, names: Names): void {
  if (body.kind === "createTemp") {
    if (names.tables.has(foldName(body.name))) {
      throw syntaxError(`The temp table #${body.name} exists already.`, body.at);
    }
    if (names.tables.size === MAX_TEMP_TABLES) {
      throw syntaxError(`A script has at most ${MAX_TEMP_TABLES} temp tables.`, body.at);
    }
    names.tables.add(foldName(body.name));
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
  if (second === undefined && !broken && only.body.kind === "createTemp") {
    return syntaxError("A script of nothing but one CREATE TEMP TABLE has no effect.", only.start);
  }
  return null;
}

/**
 * Checks that need no form definition (job-dialect §2, §7): apps resolve (KSQL1101), temp tables and variables
 * exist and are not made twice, server-time functions are pointed at (KSQL1306). In the order of positions
 * within a statement as far as the checks meet them.
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
