import type { Statement } from "../dialect/ast.ts";
import { stripLiterals } from "./masking.ts";
import { type StatementOutcome, statementType } from "./statements.ts";

const LONGEST = 55_100;
const KEPT_HEAD = 40_000;
const KEPT_TAIL = 15_000;

export type StatementEnd =
  | { readonly status: "success"; readonly outcome: StatementOutcome }
  | { readonly status: "error"; readonly message: string }
  | { readonly status: "skipped"; readonly reason: "exit" | "assertion" | "timeout" };

function endText(end: StatementEnd): string {
  if (end.status === "error") return ` error: ${end.message}`;
  if (end.status === "skipped") return ` skipped (${end.reason})`;
  const { kind, rowCount, message } = end.outcome;
  if (kind === "STATEMENT") return rowCount === null ? "" : ` rows=${rowCount}`;
  if (kind === "ASSERT_VIOLATION") return ` error: ${message}`;
  return ` ${kind}${kind === "ASSERT_WARNING" ? `: ${message}` : ""}`;
}

/** One line of `log_detail` (execution-contract §6.2). `strip` hides the literals of the SQL. */
export function statementLine(statement: Statement, end: StatementEnd, strip: boolean): string {
  const first = statement.text.split("\n")[0]?.trim() ?? "";
  const sql = strip ? stripLiterals(first) : first;
  return `#${statement.index + 1} ${statementType(statement.body)}${endText(end)} | ${sql}`;
}

/** Cuts a text that is too long for the log app, keeping its head and tail (execution-contract §6.2). */
export function fitDetail(text: string): string {
  if (text.length <= LONGEST) return text;
  const dropped = text.length - KEPT_HEAD - KEPT_TAIL;
  return `${text.slice(0, KEPT_HEAD)}\n… ${dropped} characters left out …\n${text.slice(-KEPT_TAIL)}`;
}
