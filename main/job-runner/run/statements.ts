import type { Check, Expression, Operand, Statement, StatementBody } from "../dialect/ast.ts";
import { type Cell, constantOf, type Environment } from "../evaluation/scope.ts";
import type { AsOfValues } from "../values/as-of.ts";
import { foldName, type Relation, TEXT } from "../values/column-type.ts";
import { compareOperands } from "../values/condition.ts";
import { RunFailure } from "./failure.ts";
import { materialize, type QueryDeps } from "./queries.ts";

/** How one statement ended (job-dialect §7, "Statement outcome values"). */
export interface StatementOutcome {
  readonly kind: "STATEMENT" | "ASSERT_PASSED" | "ASSERT_WARNING" | "ASSERT_VIOLATION" | "EXIT_NO_DATA";
  readonly rowCount: number | null;
  /** Text of a warning, a violation or an exit; null otherwise. */
  readonly message: string | null;
}

/** Name of a statement's type in the log (job-dialect §11, §12 Q6). */
export function statementType(body: StatementBody): string {
  if (body.kind === "select") return body.query.branches.length > 1 ? "UNION" : "SELECT";
  if (body.kind === "createTemp") return "CREATE_TEMP_TABLE";
  if (body.kind === "set") return body.declare ? "DECLARE" : "SET";
  return body.kind === "assert" ? "ASSERT" : "EXIT";
}

export interface StatementDeps extends Omit<QueryDeps, "tables"> {
  readonly asOf: AsOfValues;
  readonly maxTempRows: number;
}

/** A scalar subquery without exactly one row and column: ends like a violation (job-dialect §5.3). */
class ScalarError extends Error {
  override readonly name = "AssertError";
}

const plain = (rowCount: number | null): StatementOutcome => ({ kind: "STATEMENT", rowCount, message: null });

/** Runs the statements of one script in order, holding its temp tables and variables. */
export interface StatementRunner {
  /** Throws DialectError, RunFailure or Stopped; a violated ASSERT is an outcome. */
  run(statement: Statement): Promise<StatementOutcome>;
}

/** One runner a script: its temp tables and variables live and end with it (job-dialect §2). */
export function createStatementRunner(deps: StatementDeps): StatementRunner {
  const tables = new Map<string, Relation>();
  const variables = new Map<string, Cell>();
  const environment: Environment = { asOf: deps.asOf, variables };
  const queryDeps: QueryDeps = { ...deps, tables };

  async function scalar(operand: Operand): Promise<Cell> {
    if (operand.kind === "expression") return constant(operand.expression, environment);
    const { columns, rows } = await materialize(operand.query, environment, queryDeps);
    if (columns.length !== 1) {
      throw new ScalarError(`scalar subquery returned ${columns.length} columns (expected 1 column).`);
    }
    if (rows.length !== 1) {
      const found = rows.length === 0 ? "no" : String(rows.length);
      throw new ScalarError(`scalar subquery returned ${found} rows (expected 1 row).`);
    }
    return { text: rows[0]?.[0] ?? "", type: columns[0]?.type ?? TEXT };
  }

  async function holds(check: Check): Promise<{ readonly holds: boolean; readonly actual: string }> {
    if (check.kind === "compare") {
      const left = await scalar(check.left);
      const right = await scalar(check.right);
      return { holds: compareOperands(check.operator, left.text, right.text), actual: left.text };
    }
    const value = await scalar(check.operand);
    const low = await scalar(check.low);
    const high = await scalar(check.high);
    const inside =
      compareOperands(">=", value.text, low.text) && compareOperands("<=", value.text, high.text);
    return { holds: inside, actual: value.text };
  }

  async function assert(body: Extract<StatementBody, { kind: "assert" }>): Promise<StatementOutcome> {
    const { holds: passed, actual } = await holds(body.check);
    if (passed) return { kind: "ASSERT_PASSED", rowCount: null, message: null };
    const own = body.message === null ? "" : ` ${body.message}`;
    const message = `assertion failed: ${body.check.text} (actual: ${actual}).${own}`;
    return { kind: body.warn ? "ASSERT_WARNING" : "ASSERT_VIOLATION", rowCount: null, message };
  }

  async function exit(body: Extract<StatementBody, { kind: "exit" }>): Promise<StatementOutcome> {
    const { holds: leaves } = await holds(body.check);
    if (!leaves) return plain(null);
    return { kind: "EXIT_NO_DATA", rowCount: null, message: body.message };
  }

  async function createTable(
    body: Extract<StatementBody, { kind: "createTemp" }>,
  ): Promise<StatementOutcome> {
    const relation = await materialize(body.query, environment, queryDeps);
    if (relation.rows.length > deps.maxTempRows) throw tooManyRows(body.name, relation.rows.length, deps);
    tables.set(foldName(body.name), relation);
    return plain(relation.rows.length);
  }

  async function perform(body: StatementBody): Promise<StatementOutcome> {
    switch (body.kind) {
      case "select":
        return plain((await materialize(body.query, environment, queryDeps)).rows.length);
      case "createTemp":
        return createTable(body);
      case "assert":
        return assert(body);
      case "exit":
        return exit(body);
      case "set":
        variables.set(foldName(body.name), await scalar(body.value));
        return plain(null);
    }
  }

  return {
    async run({ body }) {
      try {
        return await perform(body);
      } catch (error) {
        if (!(error instanceof ScalarError)) throw error;
        if (body.kind === "set") throw new RunFailure("SQL_ERROR", "ArgumentError", error.message);
        return { kind: "ASSERT_VIOLATION", rowCount: null, message: error.message };
      }
    },
  };
}

function constant(expression: Expression, environment: Environment): Cell {
  const cell = constantOf(expression, environment);
  if (cell !== null) return cell;
  throw new RunFailure("SQL_ERROR", "ArgumentError", "A value outside a SELECT needs a row.");
}

function tooManyRows(name: string, rows: number, limits: StatementDeps): RunFailure {
  return new RunFailure(
    "SQL_ERROR",
    "TempTableLimitError",
    `The temp table #${name} would hold ${rows} rows, more than limits.maxTempRows (${limits.maxTempRows}; ` +
      `limits.maxReadRows is ${limits.maxReadRows}). Nothing was cut off.`,
  );
}
