import type { BusinessReading, BusinessTarget } from "../../../shared/api/index.ts";
import { verifyBundle } from "../../../shared/bundle/index.ts";
import { FlowError, fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { sqlStartOf } from "../../../shared/domain/unknown-evidence.ts";
import type { JobReader, JobTarget } from "../../job-runner/index.ts";
import { getCountedRecords, getFormFields, type RawRecord, recordIdOf } from "../../kintone-client/index.ts";
import { currentAttempt, notFound, type RunReading, readRun } from "./detail.ts";
import { factsOf, readAttempt } from "./facts.ts";
import type { UnknownDeps } from "./ports.ts";
import { changedSince, checkedCondition, pageQuery, type SystemFields, systemFieldsOf } from "./question.ts";

export interface BusinessQuestion {
  readonly runId: string;
  readonly nodeId: string;
  readonly appId?: number | undefined;
  /** In kintone's own words; changes since the start of the SQL without it. */
  readonly condition?: string | undefined;
}

/** Values shown of a record at most, and characters of each. */
const FIELDS_SHOWN = 8;
const VALUE_CHARS = 200;

/**
 * What stands in the apps a node's own SQL writes to (screens, 業務データ): how many records there are, and which of them
 * changed from the minute on in which the SQL started. The SQL is that of the Run's bundle, the tokens are the runner's,
 * and only reads are sent. Codes `RECORD_NOT_FOUND`, those of the bundle, `JOB_SCRIPT_UNREADABLE`, `CONFIG_ERROR`,
 * `CONDITION_*`. An app that cannot be asked says so in its own part.
 */
export async function readBusinessData(
  deps: UnknownDeps,
  question: BusinessQuestion,
  signal?: AbortSignal,
): Promise<Result<BusinessReading>> {
  const condition = question.condition === undefined ? ok(null) : checkedCondition(question.condition);
  if (!condition.ok) return condition;
  const read = await readRun(deps, question.runId, signal);
  if (!read.ok) return read;
  const script = await scriptOf(deps, read.value, question.nodeId, signal);
  if (!script.ok) return script;
  const since = await startOf(deps, read.value, question.nodeId, signal);
  const opened = await deps.openJobReader();
  if (!opened.ok) return opened;
  const reader = opened.value;
  try {
    const targets = reader.targets(script.value);
    if (!targets.ok) return targets;
    const wanted = targets.value.filter(
      ({ appId }) => question.appId === undefined || appId === question.appId,
    );
    const ask = { condition: condition.value, since, signal };
    return ok({
      since,
      condition: condition.value,
      targets: await Promise.all(wanted.map((target) => askTarget(deps, reader, target, ask))),
      readAt: new Date(deps.nowMs()).toISOString(),
    });
  } finally {
    await reader.dispose();
  }
}

/** The SQL of the node as the Run's own bundle holds it, every byte proven. */
async function scriptOf(
  { bundles }: UnknownDeps,
  { graph: { run } }: RunReading,
  nodeId: string,
  signal: AbortSignal | undefined,
): Promise<Result<string>> {
  if (run.bundleFileKey === null) return fail(notFound("bundle", run.runId));
  const bundle = verifyBundle(await bundles.downloadBundle(run.bundleFileKey, signal), run.bundleSha256);
  if (!bundle.ok) return bundle;
  const job = bundle.value.jobs.find((each) => each.nodeId === nodeId);
  if (job === undefined) return fail(notFound("nodeId", nodeId));
  return ok(new TextDecoder().decode(job.sql));
}

async function startOf(
  deps: UnknownDeps,
  { graph }: RunReading,
  nodeId: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const state = graph.states.find((each) => each.nodeId === nodeId);
  const attempt = state === undefined ? null : currentAttempt(state, graph.attempts);
  if (attempt === null) return null;
  if (attempt.runnerExecutionStartedAt !== null) return attempt.runnerExecutionStartedAt;
  // Our own start marker is a safe lower bound where the log has none: the SQL cannot have begun before it.
  return sqlStartOf(factsOf(await readAttempt(deps, attempt, null, signal))) ?? attempt.executionStartedAt;
}

interface Ask {
  readonly condition: string | null;
  readonly since: string | null;
  readonly signal: AbortSignal | undefined;
}

async function askTarget(
  deps: UnknownDeps,
  reader: JobReader,
  target: JobTarget,
  ask: Ask,
): Promise<BusinessTarget> {
  const { app, appId, operations, key } = target;
  const begun = deps.nowMs();
  const told = (parts: Pick<BusinessTarget, "fields" | "asked" | "total" | "matching" | "records">) => ({
    app,
    appId,
    operations,
    key,
    askedAt: new Date(begun).toISOString(),
    tookMs: Math.max(0, Math.round(deps.nowMs() - begun)),
    ...parts,
  });
  try {
    const answered = await answersOf(reader, target, ask);
    return { ...told(answered), problem: null };
  } catch (cause) {
    const problem = problemOf(cause);
    return { ...told({ fields: [], asked: [], total: null, matching: null, records: [] }), problem };
  }
}

async function answersOf(
  reader: JobReader,
  { appId, app, fields: written, key }: JobTarget,
  { condition, since, signal }: Ask,
): Promise<Pick<BusinessTarget, "fields" | "asked" | "total" | "matching" | "records">> {
  const form = await reader.read(getFormFields(appId), `read the form of ${app}`, signal);
  const system = systemFieldsOf(form);
  const shown = [...new Set([...(key === null ? [] : [key]), ...written])]
    .filter((code) => Object.hasOwn(form, code))
    .slice(0, FIELDS_SHOWN);
  const codes = [...shown, "$id", ...Object.values(system).filter((code) => code !== null)];
  const all = "limit 1";
  const { total } = await reader.read(getCountedRecords(appId, all, ["$id"]), `count ${app}`, signal);
  const wish = wishOf(condition, since, system);
  const query = pageQuery(wish, system.updatedTime);
  const page = await reader.read(getCountedRecords(appId, query, codes), `ask ${app}`, signal);
  return {
    fields: shown,
    asked: [all, query],
    total,
    matching: page.total,
    records: page.records.map((record) => shownRecord(record, shown, system)),
  };
}

function wishOf(condition: string | null, since: string | null, { updatedTime }: SystemFields): string {
  if (condition !== null) return `(${condition})`;
  return since === null || updatedTime === null ? "$id > 0" : changedSince(updatedTime, since);
}

function shownRecord(
  record: RawRecord,
  fields: readonly string[],
  { updatedTime, modifier, createdTime }: SystemFields,
): BusinessTarget["records"][number] {
  const textOf = (code: string | null): string | null =>
    code === null || record[code] === undefined ? null : cellText(record[code]);
  return {
    recordId: recordIdOf(record) ?? "",
    updatedAt: textOf(updatedTime),
    updatedBy: textOf(modifier),
    createdAt: textOf(createdTime),
    values: fields.map((code) => cut(textOf(code) ?? "")),
  };
}

const cut = (text: string): string => (text.length <= VALUE_CHARS ? text : `${text.slice(0, VALUE_CHARS)}…`);

/** A cell in words: a person by its name, several choices one after another, rows of a table by their number. */
function cellText(cell: unknown): string {
  if (typeof cell !== "object" || cell === null || !("value" in cell)) return "";
  const { value } = cell;
  if (Array.isArray(value)) return value.map(nameOf).join(", ");
  return nameOf(value);
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const named = ["name", "code", "id"].flatMap((part) => {
    const text: unknown = Object.entries(value).find(([name]) => name === part)?.[1];
    return typeof text === "string" && text !== "" ? [text] : [];
  });
  return named[0] ?? "…";
}

const problemOf = (cause: unknown): Problem =>
  cause instanceof FlowError
    ? cause.problem
    : { code: "CONSOLE_INTERNAL", message: cause instanceof Error ? cause.message : String(cause) };
