import type { ExplainedBranch, ExplainedStatement, JobExplanation } from "./explanation.ts";

type Read = ExplainedBranch["reads"][number];

function readLine({ source, appId, fields, query, formKnown }: Read): string {
  if (appId === null) return `    reads ${source} (temp table)`;
  const asked = fields === null ? "all fields" : `fields ${fields.join(", ")}`;
  if (!formKnown)
    return `    reads ${source} (app ${appId}): ${asked}; the condition needs its form (--forms)`;
  const condition = query === "" || query === null ? "all records" : `where ${query}`;
  return `    reads ${source} (app ${appId}): ${asked}; ${condition}`;
}

function branchLines(branch: ExplainedBranch): readonly string[] {
  const filter =
    branch.filteredHere === true
      ? ["    filters the rest here, row by row"]
      : branch.filteredHere === null
        ? ["    may filter here: not known without the forms"]
        : [];
  return [
    ...branch.reads.map(readLine),
    ...branch.joins.map(({ kind, source, on }) => `    joins ${source} (${kind}) on ${on.join(" and ")}`),
    ...filter,
    ...(branch.groupBy.length > 0 ? [`    groups by ${branch.groupBy.join(", ")}`] : []),
  ];
}

function writeLine(written: NonNullable<ExplainedStatement["writes"]>): string {
  const { operation, app, appId, fields, key, query, chunk, importSource } = written;
  const parts = [
    ...(fields.length > 0 ? [`fields ${fields.join(", ")}`] : []),
    ...(key === null ? [] : [`by ${key}`]),
    ...(importSource === null ? [] : [`from the file "${importSource}"`]),
    ...(query === null ? [] : [`where ${query === "" ? "(every record)" : query}`]),
  ];
  return `    writes ${operation} ${app} (app ${appId}): ${parts.join("; ")}; ${chunk} records a request`;
}

function statementLines(statement: ExplainedStatement): readonly string[] {
  return [
    `  #${statement.index + 1} ${statement.type} (line ${statement.line})  ${statement.sql}`,
    ...statement.branches.flatMap(branchLines),
    ...(statement.makes === null ? [] : [`    makes ${statement.makes}`]),
    ...(statement.writes === null ? [] : [writeLine(statement.writes)]),
  ];
}

/** An explanation for people; ends with a line feed. */
export function explanationText(explanation: JobExplanation): string {
  const { jobId, fileName, profile, asOf, timezone, maxReadRows, maxTempRows } = explanation;
  const lines = [
    `${jobId} (${fileName}), profile ${profile}, as of ${asOf} in ${timezone}`,
    `  at most ${maxReadRows} records a read and ${maxTempRows} rows a temp table`,
    ...explanation.diagnostics.map(
      ({ line, column, severity, code, message }) =>
        `  ${fileName}:${line}:${column} ${severity} ${code} ${message}`,
    ),
    ...explanation.statements.flatMap(statementLines),
  ];
  if (explanation.formsMissing.length > 0) {
    lines.push(`  forms not given: ${explanation.formsMissing.join(", ")}`);
  }
  return `${lines.join("\n")}\n`;
}
