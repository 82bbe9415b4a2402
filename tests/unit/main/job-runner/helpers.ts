import { createLineIndex } from "../../../../main/job-runner/dialect/diagnostic.ts";
import { parseScript } from "../../../../main/job-runner/dialect/parse-script.ts";
import { evaluateBranch, uniteBranches } from "../../../../main/job-runner/evaluation/evaluate.ts";
import type { Environment } from "../../../../main/job-runner/evaluation/scope.ts";
import { asOfValues } from "../../../../main/job-runner/values/as-of.ts";
import type { Relation } from "../../../../main/job-runner/values/column-type.ts";
import { createComparison } from "../../../../main/job-runner/values/compare.ts";

export const ZONE = "Asia/Tokyo";
export const ENVIRONMENT: Environment = {
  asOf: asOfValues(Date.parse("2026-03-31T16:00:00Z"), ZONE),
  variables: new Map(),
};
export const HEADER = "-- @ksql name: t\n-- @ksql dialect: 1\n";

/** Findings of a script as `code line:column`. */
export function findings(sql: string): readonly string[] {
  return parseScript(sql).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

/** The first finding's message, or "" when there is none. */
export function firstMessage(sql: string): string {
  return parseScript(sql).diagnostics[0]?.message ?? "";
}

/** Runs one SELECT over `relation`, which stands for the temp table every branch names. */
export function select(sql: string, relation: Relation, exact = false): Relation {
  const script = parseScript(HEADER + sql);
  const body = script.statements[0]?.body;
  if (script.diagnostics.length > 0 || body?.kind !== "select") {
    throw new Error(`not a SELECT: ${JSON.stringify(script.diagnostics)}`);
  }
  const comparison = createComparison(ZONE);
  const parts = body.query.branches.map((branch) => {
    const input =
      branch.source === null ? { relation: { columns: [], rows: [[]] }, exact: false } : { relation, exact };
    return evaluateBranch(branch, input, branch.where, ENVIRONMENT, comparison);
  });
  return uniteBranches(parts, parts[0]?.columns ?? [], body.query.orderBy, ENVIRONMENT, comparison);
}

export { createLineIndex };
