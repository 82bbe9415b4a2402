import type { Statement } from "../dialect/ast.ts";
import type { EventLog } from "./event-log.ts";
import { failed, type Verdict, verdictOf } from "./failure.ts";
import type { Job } from "./load-job.ts";
import { type StatementEnd, statementLine } from "./log-detail.ts";
import type { Progress } from "./progress.ts";
import { type StatementRunner, statementType } from "./statements.ts";
import { Stopped } from "./stop.ts";

export interface StatementLoopDeps {
  /** Throws when the run has to end; asked before the first and after each statement (execution-contract §9). */
  readonly check: () => void;
  readonly progress: Progress;
  readonly events: EventLog;
  readonly stripLiterals: boolean;
}

interface Counts {
  readonly read: number;
  readonly written: number;
}

/** Runs the statements in order; a violated ASSERT or a fulfilled EXIT skips the rest. Throws what they throw. */
export async function runStatements(
  job: Job,
  runner: StatementRunner,
  deps: StatementLoopDeps,
): Promise<Verdict> {
  const { statements } = job.script;
  const counts = (): Counts => ({
    read: deps.progress.readCount(),
    written: deps.progress.written().writtenCount,
  });
  const note = (statement: Statement, end: StatementEnd, since: Counts): void => {
    const now = counts();
    deps.progress.addDetail(statementLine(statement, end, deps.stripLiterals));
    deps.events.write("statement", {
      ...eventOf(job.name, statement, end),
      readCount: now.read - since.read,
      writtenCount: now.written - since.written,
      apiCalls: deps.progress.apiCalls(),
    });
  };
  const skipAfter = (index: number, reason: "exit" | "assertion" | "timeout"): void => {
    for (const later of statements.slice(index + 1)) note(later, { status: "skipped", reason }, counts());
  };
  deps.check();
  for (const [index, statement] of statements.entries()) {
    const before = counts();
    try {
      const outcome = await runner.run(statement);
      note(statement, { status: "success", outcome }, before);
      if (outcome.kind === "ASSERT_VIOLATION") {
        skipAfter(index, "assertion");
        return failed("ASSERT_FAILED", "ASSERT_VIOLATION", outcome.message ?? "");
      }
      if (outcome.kind === "EXIT_NO_DATA") {
        skipAfter(index, "exit");
        deps.check();
        return { resultCode: "NO_DATA", error: null };
      }
    } catch (error) {
      const message =
        error instanceof Stopped ? error.message : (verdictOf(error, true).error?.message ?? "");
      note(statement, { status: "error", message }, before);
      if (error instanceof Stopped && error.reason === "timeout") skipAfter(index, "timeout");
      throw error;
    }
    deps.check();
  }
  return { resultCode: "OK", error: null };
}

function eventOf(job: string, statement: Statement, end: StatementEnd) {
  return {
    job,
    index: statement.index,
    type: statementType(statement.body),
    status: end.status,
    kind: end.status === "success" ? end.outcome.kind : null,
    rowCount: end.status === "success" ? end.outcome.rowCount : null,
    skippedReason: end.status === "skipped" ? end.reason : null,
    error: end.status === "error" ? end.message : null,
  };
}
