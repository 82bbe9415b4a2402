import type { Check, Operand, Statement, StatementBody } from "../dialect/ast.ts";
import { isWrite } from "../dialect/walk.ts";
import type { Cell, Environment } from "../evaluation/scope.ts";
import type { Table } from "../evaluation/workspace.ts";
import type { AsOfValues } from "../values/as-of.ts";
import { foldName, TEXT } from "../values/column-type.ts";
import { compareOperands } from "../values/condition.ts";
import { constantText } from "./constant.ts";
import { RunFailure } from "./failure.ts";
import { materialize } from "./queries.ts";
import { runWrite, type WriteDeps } from "./write-statement.ts";

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
  if (body.kind === "dropTemp") return "DROP_TEMP_TABLE";
  if (body.kind === "insert" || body.kind === "upsert") {
    return body.kind.toUpperCase() + (body.payload.kind === "query" ? "_SELECT" : "");
  }
  if (isWrite(body)) return body.kind.toUpperCase();
  if (body.kind === "set") return body.declare ? "DECLARE" : "SET";
  return body.kind === "assert" ? "ASSERT" : "EXIT";
}

export interface StatementDeps extends Omit<WriteDeps, "tables" | "keep"> {
  readonly asOf: AsOfValues;
  readonly maxTempRows: number;
  /** True when the rows of a SELECT are wanted afterwards, for an export without a name. */
  readonly keepSelected: boolean;
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
  /** A temp table by name; null when no statement made it. */
  tableNamed(name: string): Table | null;
  /** Rows of the last SELECT, kept only when the deps ask for it. */
  selected(): Table | null;
}

/** One runner a script: its temp tables and variables live and end with it (job-dialect §2). */
export function createStatementRunner(deps: StatementDeps): StatementRunner {
  const tables = new Map<string, Table>();
  let selected: Table | null = null;
  const variables = new Map<string, Cell>();
  const environment: Environment = { asOf: deps.asOf, variables };
  const { workspace } = deps;
  const writeDeps: WriteDeps = { ...deps, tables, keep: (name, table) => tables.set(name, table) };

  async function scalar(operand: Operand): Promise<Cell> {
    if (operand.kind === "expression") return constantText(operand.expression, environment);
    const table = await materialize(operand.query, environment, writeDeps);
    const { columns } = table;
    if (columns.length !== 1) {
      throw new ScalarError(`scalar subquery returned ${columns.length} columns (expected 1 column).`);
    }
    const [row, second] = workspace.rows(table, 2);
    const count = row === undefined || second !== undefined ? workspace.count(table) : 1;
    workspace.drop(table);
    if (count !== 1) {
      const found = count === 0 ? "no" : String(count);
      throw new ScalarError(`scalar subquery returned ${found} rows (expected 1 row).`);
    }
    return { text: row?.[0] ?? "", type: columns[0]?.type ?? TEXT };
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
    const table = await materialize(body.query, environment, writeDeps);
    const rows = workspace.count(table);
    if (rows > deps.maxTempRows) throw tooManyRows(body.name, rows, deps);
    tables.set(foldName(body.name), table);
    return plain(rows);
  }

  async function select(body: Extract<StatementBody, { kind: "select" }>): Promise<StatementOutcome> {
    const table = await materialize(body.query, environment, writeDeps);
    const rows = workspace.count(table);
    if (deps.keepSelected) selected = table;
    else workspace.drop(table);
    return plain(rows);
  }

  function dropTable(name: string): StatementOutcome {
    const table = tables.get(foldName(name));
    if (table !== undefined) workspace.drop(table);
    tables.delete(foldName(name));
    return plain(null);
  }

  async function perform({ body, index }: Statement): Promise<StatementOutcome> {
    switch (body.kind) {
      case "select":
        return select(body);
      case "createTemp":
        return createTable(body);
      case "dropTemp":
        return dropTable(body.name);
      case "assert":
        return assert(body);
      case "exit":
        return exit(body);
      case "set":
        variables.set(foldName(body.name), await scalar(body.value));
        return plain(null);
      default:
        return plain(await runWrite(body, index, environment, writeDeps));
    }
  }

  return {
    tableNamed: (name) => tables.get(foldName(name)) ?? null,
    selected: () => selected,
    async run(statement) {
      try {
        return await perform(statement);
      } catch (error) {
        if (!(error instanceof ScalarError)) throw error;
        if (statement.body.kind === "set") throw new RunFailure("SQL_ERROR", "ArgumentError", error.message);
        return { kind: "ASSERT_VIOLATION", rowCount: null, message: error.message };
      }
    },
  };
}

function tooManyRows(name: string, rows: number, limits: StatementDeps): RunFailure {
  return new RunFailure(
    "SQL_ERROR",
    "TempTableLimitError",
    `The temp table #${name} would hold ${rows} rows, more than limits.maxTempRows (${limits.maxTempRows}; ` +
      `limits.maxReadRows is ${limits.maxReadRows}). Nothing was cut off.`,
  );
}
