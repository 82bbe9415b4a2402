import type { PeerClient } from "./engine-client.ts";
import { holds, type PeerScript, type PeerStatement, parsePeerScript } from "./engine-script.ts";

/**
 * Stand-in for the SQL engine package of the published runner, which is not in the registry: exactly the
 * module surface the runner uses (job-dialect §11), over a few statements.
 */
export const version = "3.77.0-stand-in";
export { createPeerClient as createKintoneClient } from "./engine-client.ts";

interface Options {
  readonly apps?: Readonly<Record<string, number>>;
}

interface ContextInput {
  readonly client: PeerClient;
  readonly statements: readonly PeerStatement[];
  readonly timeoutMs?: number;
  readonly onChunkWritten?: (info: object) => Promise<void> | void;
}

interface PeerContext extends ContextInput {
  readonly startedAt: number;
  readonly metrics: Record<string, number>;
  done: "exit" | "assertion" | null;
}

const METRICS = [
  ...["fetchedRows", "getCalls", "postCalls", "putCalls", "deleteCalls", "fieldCalls", "appsCalls"],
  ...["numberPrecisionCalls", "processStatusCalls"],
  ...["cursorCreateCalls", "cursorGetCalls", "cursorDeleteCalls"],
];

export const parseScript = (source: string, { apps = {} }: Options = {}): PeerScript =>
  parsePeerScript(source, apps);

export const validateScript = async (source: string, { apps = {} }: Options = {}) =>
  parsePeerScript(source, apps).diagnostics;

export function createExecutionContext(input: ContextInput): PeerContext {
  if (input.statements.length === 0) throw new Error("empty script");
  const metrics = Object.fromEntries(METRICS.map((name) => [name, 0]));
  return { ...input, startedAt: Date.now(), metrics, done: null };
}

export async function disposeExecutionContext(): Promise<void> {}

function add(context: PeerContext, name: string, count: number): void {
  context.metrics[name] = (context.metrics[name] ?? 0) + count;
}

async function count(context: PeerContext, app: number): Promise<number> {
  for (let after = "0", rows = 0; ; ) {
    const query = `$id > ${after} order by $id asc limit 500`;
    const { records } = await context.client.getRecords({ app, query, fields: ["$id"] });
    add(context, "getCalls", 1);
    add(context, "fetchedRows", records.length);
    rows += records.length;
    if (records.length < 500) return rows;
    after = String(records.at(-1)?.$id?.value ?? after);
  }
}

async function insert(context: PeerContext, statement: PeerStatement, index: number) {
  const app = statement.app ?? 0;
  const createdIds: string[] = [];
  for (let at = 0, chunkIndex = 1; at < statement.rows.length; at += 100, chunkIndex += 1) {
    const records = statement.rows
      .slice(at, at + 100)
      .map((row) => Object.fromEntries(statement.fields.map((field, cell) => [field, { value: row[cell] }])));
    const { ids } = await context.client.postRecords({ app, records });
    add(context, "postCalls", 1);
    createdIds.push(...ids);
    const chunk = { statementIndex: index, appId: app, operation: "INSERT", chunkIndex };
    await context.onChunkWritten?.({ ...chunk, records: ids.length });
  }
  return { type: "INSERT", createdIds, insertedCount: createdIds.length };
}

interface Ended {
  readonly kind?: string;
  readonly result?: object;
  readonly rowCount?: number;
  readonly error?: object;
  readonly status?: string;
}

async function perform(context: PeerContext, statement: PeerStatement, index: number): Promise<Ended> {
  const { check, app } = statement;
  if (statement.type === "INSERT") return { result: await insert(context, statement, index) };
  if (check === null) {
    await count(context, app ?? 0);
    return { rowCount: 1 };
  }
  const actual = "count" in check.left ? String(await count(context, check.left.count)) : check.left.value;
  const held = holds(check, actual);
  if (statement.type === "EXIT") {
    if (!held) return {};
    context.done = "exit";
    return { kind: "EXIT_NO_DATA", result: { message: statement.message } };
  }
  if (held) return { kind: "ASSERT_PASSED" };
  context.done = "assertion";
  const message = `assertion failed: ${check.text} (actual: ${actual}). ${statement.message}`;
  return { status: "error", kind: "ASSERT_VIOLATION", error: { code: "AssertError", message } };
}

/** One statement; after an EXIT or a violation the rest is `skipped`, as the real engine answers. */
export async function executeStatement(statement: PeerStatement, context: PeerContext) {
  const index = context.statements.indexOf(statement);
  const base = { index, type: statement.type, kind: "STATEMENT", status: "success" };
  const metrics = () => ({ ...context.metrics });
  if (context.done !== null) {
    return { ...base, status: "skipped", skippedReason: context.done, metrics: metrics() };
  }
  try {
    const ended = await perform(context, statement, index);
    return { ...base, ...ended, metrics: metrics() };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const error = { code: "KintoneError", message, cause };
    return { ...base, status: "error", error, metrics: metrics() };
  }
}

export const isDmlResult = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "type" in value && value.type === "INSERT";

export async function previewStatement(): Promise<never> {
  throw new Error("the stand-in has no previews");
}

export const createImportSourceResolver = (sources: readonly unknown[]) => sources;

export class FlowImportProviderError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
