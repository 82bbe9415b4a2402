import { basename } from "node:path";
import type { RunnerProfile } from "../../../shared/contract/index.ts";
import { WRITE_RECORDS_MAX } from "../../kintone-client/index.ts";
import { knownApps } from "../config.ts";
import type { Statement, StatementBody, WriteBody } from "../dialect/ast.ts";
import { type Diagnostic, DialectError } from "../dialect/diagnostic.ts";
import { isWrite, queriesOf } from "../dialect/walk.ts";
import { type KnownApp, resolveApp } from "../plan/apps.ts";
import { appsOf, planScript } from "../plan/plan-script.ts";
import { type Job, scriptFindings } from "../run/load-job.ts";
import { statementType } from "../run/statements.ts";
import { fieldsOfForm, type SourceField } from "../sources/form.ts";
import { splitWhere } from "../sources/push-down.ts";
import { asOfValues } from "../values/as-of.ts";
import { foldName, TEXT } from "../values/column-type.ts";
import { hostZone } from "../values/zone.ts";
import { columnsOf, type ExplainState, explainBranch, sourceLabel } from "./explain-branch.ts";
import type { ExplainedStatement, formsFileSchema, JobExplanation } from "./explanation.ts";

export interface ExplainInput {
  readonly profile: RunnerProfile;
  readonly asOfMs: number;
  /** As written in the file of forms; keys are app names or ids. */
  readonly forms: ReturnType<typeof formsFileSchema.parse>;
}

function givenForms(apps: readonly KnownApp[], forms: ExplainInput["forms"]) {
  const found = new Map<number, readonly SourceField[]>();
  for (const { name, appId } of apps) {
    const properties = forms[name] ?? forms[String(appId)];
    if (properties !== undefined) found.set(appId, fieldsOfForm(properties));
  }
  return found;
}

/**
 * What a job would read, hand to kintone, join and write (job-dialect §6), from the script and the given forms
 * alone: nobody is asked. A statement that cannot be read stands as a diagnostic and ends the list.
 */
export function explainJob(job: Job, input: ExplainInput): JobExplanation {
  const { profile, asOfMs } = input;
  const apps = knownApps(profile);
  const timeZone = profile.timezone ?? hostZone();
  const variables: ExplainState["variables"] = new Map();
  const state: ExplainState = {
    apps,
    forms: givenForms(apps, input.forms),
    tables: new Map(),
    environment: { asOf: asOfValues(asOfMs, timeZone), variables },
    variables,
    timeZone,
  };
  const findings = [...scriptFindings(job, apps)];
  const statements: ExplainedStatement[] = [];
  const broken = findings.some(({ severity }) => severity === "error");
  for (const statement of broken ? [] : job.script.statements) {
    try {
      statements.push(explainStatement(statement, job, state));
    } catch (error) {
      if (!(error instanceof DialectError)) throw error;
      // With every form at hand the plan tells it too, and tells all others.
      if (unknownForms(job, state)) findings.push(findingOf(error, job));
      break;
    }
  }
  const used = broken ? [] : appsOf(job.script, apps);
  const missing = used.filter(({ appId }) => !state.forms.has(appId));
  if (!broken && missing.length === 0) {
    findings.push(
      ...planScript(job.script, { apps, forms: state.forms, asOf: state.environment.asOf, timeZone }),
    );
  }
  return {
    formatVersion: 1,
    kind: "JOB_EXPLANATION",
    jobId: job.name,
    fileName: basename(job.scriptName),
    profile: profile.name,
    asOf: new Date(asOfMs).toISOString(),
    timezone: timeZone,
    timeoutSec: job.script.header.timeoutSec,
    maxReadRows: profile.limits.maxReadRows,
    maxTempRows: profile.limits.maxTempRows,
    diagnostics: findings.map(({ statementIndex: _index, ...finding }) => finding),
    formsMissing: missing.map(({ name }) => `LAPP_${name}`),
    statements,
  };
}

const unknownForms = (job: Job, { apps, forms }: ExplainState): boolean =>
  appsOf(job.script, apps).some(({ appId }) => !forms.has(appId));

const findingOf = ({ code, message, offset }: DialectError, { script }: Job): Diagnostic => ({
  code,
  severity: "error",
  ...script.positionOf(offset),
  message,
});

function explainStatement(statement: Statement, job: Job, state: ExplainState): ExplainedStatement {
  const { body } = statement;
  const branches = queriesOf(body)
    .flatMap((query) => query.branches)
    .map((branch) => explainBranch(branch, state));
  const explained: ExplainedStatement = {
    index: statement.index,
    type: statementType(body),
    line: job.script.positionOf(statement.start).line,
    sql: statement.text.split("\n")[0]?.trim() ?? "",
    branches,
    makes: madeBy(body),
    writes: isWrite(body) ? explainWrite(body, state) : null,
  };
  remember(body, state);
  return explained;
}

function madeBy(body: StatementBody): string | null {
  if (body.kind === "createTemp") return `#${body.name}`;
  return body.kind === "import" && body.rejects !== null ? `#${body.rejects.table}` : null;
}

/** What the statement leaves behind for those after it. */
function remember(body: StatementBody, state: ExplainState): void {
  if (body.kind === "createTemp") state.tables.set(foldName(body.name), columnsOf(body.query, state));
  if (body.kind === "set") state.variables.set(foldName(body.name), { text: "", type: TEXT });
}

const OPERATIONS = {
  insert: "INSERT",
  upsert: "UPSERT",
  update: "UPDATE",
  delete: "DELETE",
  import: "IMPORT",
} as const;

function explainWrite(body: WriteBody, state: ExplainState): ExplainedStatement["writes"] {
  const { appId } = resolveApp(body.target, state.apps);
  const form = state.forms.get(appId);
  const refs = body.kind === "update" ? body.assignments.map(({ field }) => field) : fieldsOf(body);
  const key = body.kind === "update" || body.kind === "delete" ? null : (body.key[0]?.name ?? null);
  return {
    app: sourceLabel(body.target),
    appId,
    operation: OPERATIONS[body.kind],
    fields: refs.map(({ name }) => name),
    key,
    chunk: WRITE_RECORDS_MAX,
    query: form === undefined ? null : conditionOf(body, form, state),
    importSource: body.kind === "import" ? body.sourceName : null,
  };
}

const fieldsOf = (body: WriteBody): readonly { readonly name: string }[] =>
  body.kind === "update" || body.kind === "delete" ? [] : body.fields;

function conditionOf(body: WriteBody, fields: readonly SourceField[], state: ExplainState): string | null {
  if (body.kind !== "update" && body.kind !== "delete") return null;
  return splitWhere(body.where, { fields, environment: state.environment, timeZone: state.timeZone }).query;
}
