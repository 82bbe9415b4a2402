import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { recordKeys } from "../../../shared/domain/keys.ts";
import { codeOf } from "../config.ts";
import { CODES, type Diagnostic } from "../dialect/diagnostic.ts";
import { type ParsedScript, parseScript } from "../dialect/parse-script.ts";
import type { KnownApp } from "../plan/apps.ts";
import { checkReferences } from "../plan/check-references.ts";
import { jobNameOf } from "../plan/job-name.ts";
import { RunFailure } from "./failure.ts";

/** A job read from its file: parsed, not yet checked. */
export interface Job {
  readonly name: string;
  readonly scriptName: string;
  /** `<profile>:<job>`, what the job lock stands under (execution-contract §7.1). */
  readonly key: string;
  readonly script: ParsedScript;
}

const invalid = (code: string, message: string): RunFailure =>
  new RunFailure("VALIDATION_ERROR", code, message);

/** Steps 4 and 5 of execution-contract §4.2. Throws RunFailure `VALIDATION_ERROR`. */
export function loadJob(sqlPath: string, profile: string, expectedJobId: string | null): Job {
  let text: string;
  try {
    text = readFileSync(sqlPath, "utf8");
  } catch (error) {
    throw invalid("VALIDATION_ERROR", `The SQL file cannot be read: ${codeOf(error)}.`);
  }
  const script = parseScript(text);
  const name = jobNameOf(script.header.name, sqlPath);
  if (expectedJobId !== null && expectedJobId !== name) {
    throw invalid(
      "VALIDATION_ERROR",
      `The script is the job "${name}", not the expected "${expectedJobId}". It was not started.`,
    );
  }
  const key = recordKeys.jobKey(profile, name);
  if (!key.ok) throw invalid("VALIDATION_ERROR", key.error.message);
  return { name, scriptName: basename(sqlPath), key: key.value, script };
}

/** The first error among findings as a failure whose code is the finding's; null when there is none. */
export function firstError(findings: readonly Diagnostic[]): RunFailure | null {
  const first = findings.find(({ severity }) => severity === "error");
  if (first === undefined) return null;
  return invalid(first.code, `${first.line}:${first.column} ${first.message}`);
}

/** Syntax and the checks that need no form (step 11). */
export function scriptFindings(job: Job, apps: readonly KnownApp[]): readonly Diagnostic[] {
  const findings = [...job.script.diagnostics, ...checkReferences(job.script, apps)];
  const [only, second] = job.script.statements;
  if (findings.some(({ severity }) => severity === "error")) return findings;
  if (only?.body.kind !== "set" || second !== undefined) return findings;
  const { line, column } = job.script.positionOf(only.start);
  const word = only.text.split(/\s/)[0];
  const message = `${word} alone has no effect; a script needs a statement that uses it.`;
  return [...findings, { code: CODES.syntax, severity: "error", line, column, message, statementIndex: 0 }];
}
