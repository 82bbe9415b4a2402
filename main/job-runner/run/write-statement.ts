import type { Branch, Condition, FieldRef, Payload, WriteBody } from "../dialect/ast.ts";
import type { Environment } from "../evaluation/scope.ts";
import type { Table } from "../evaluation/workspace.ts";
import { readImportRows } from "../files/import-text.ts";
import { type AppSource, resolveApp } from "../plan/apps.ts";
import type { SourceField } from "../sources/form.ts";
import type { ImportSources } from "../sources/import-sources.ts";
import { foldName, TEXT } from "../values/column-type.ts";
import { deleteAll, updateAll } from "../writing/change.ts";
import { checkRows, refuseBadRows } from "../writing/import.ts";
import { insertAll } from "../writing/insert.ts";
import type { Target } from "../writing/read-back.ts";
import { rejectColumns, rejectRow } from "../writing/reject-table.ts";
import { recordBody } from "../writing/rows.ts";
import type { SendDeps } from "../writing/send-chunk.ts";
import { upsertByLookup, upsertNative } from "../writing/upsert.ts";
import { constantText } from "./constant.ts";
import { RunFailure } from "./failure.ts";
import { materialize, type QueryDeps } from "./queries.ts";

export interface WriteDeps extends QueryDeps, SendDeps {
  readonly imports: ImportSources;
  /** Keeps a temp table a statement made. */
  readonly keep: (name: string, table: Table) => void;
}

/** Runs one write. Gives how many records were written. Throws DialectError, RunFailure or Stopped. */
export async function runWrite(
  body: WriteBody,
  index: number,
  environment: Environment,
  deps: WriteDeps,
): Promise<number> {
  let written = 0;
  const counting: WriteDeps = {
    ...deps,
    onChunk: (done) => {
      written += done.chunk.records;
      deps.onChunk(done);
    },
  };
  const target = targetOf(body.target, deps);
  switch (body.kind) {
    case "insert":
    case "upsert":
      await store(body, target, environment, counting);
      break;
    case "update":
    case "delete":
      await change(body, target, environment, counting);
      break;
    case "import":
      await importRows(body, index, target, counting);
      break;
  }
  return written;
}

function targetOf(source: AppSource, deps: WriteDeps): Target {
  const { appId, name } = resolveApp(source, deps.apps);
  const label = source.kind === "app" ? `APP${appId}` : `LAPP_${name}`;
  return { appId, label, fields: deps.forms.get(appId) ?? [] };
}

function fieldsOf(refs: readonly FieldRef[], target: Target): readonly SourceField[] {
  return refs.map(({ name }) => {
    const field = target.fields.find((candidate) => candidate.name === name);
    if (field !== undefined) return field;
    throw new RunFailure("SQL_ERROR", "ArgumentError", `unknown field code(s): ${name}`);
  });
}

type StoreBody = Extract<WriteBody, { kind: "insert" | "upsert" }>;

/** The rows of a write as a table: those of VALUES, or what its query makes. */
async function payloadTable(
  payload: Payload,
  width: number,
  environment: Environment,
  deps: WriteDeps,
): Promise<Table> {
  if (payload.kind === "query") return materialize(payload.query, environment, deps);
  const columns = Array.from({ length: width }, (_, place) => ({ name: `v${place}`, type: TEXT }));
  const table = deps.workspace.createTable(columns);
  deps.workspace.insert(
    table,
    payload.rows.map((row) => row.map((value) => constantText(value, environment).text)),
  );
  return table;
}

async function store(
  body: StoreBody,
  target: Target,
  environment: Environment,
  deps: WriteDeps,
): Promise<void> {
  const { workspace, timeZone } = deps;
  const fields = fieldsOf(body.fields, target);
  const table = await payloadTable(body.payload, fields.length, environment, deps);
  function* bodies() {
    let row = 0;
    for (const cells of workspace.rows(table)) yield recordBody(cells, fields, ++row, timeZone);
  }
  // Values written out in the script are all looked at before the first is sent.
  if (body.payload.kind === "values") Array.from(bodies());
  const key = fields.find(({ name }) => name === body.key[0]?.name);
  if (key === undefined) await insertAll(bodies(), target, deps);
  else if (workspace.isKey({ ...table, columns: fields }, fields.indexOf(key))) {
    await upsertNative(bodies(), key, target, deps);
  } else {
    await upsertByLookup(bodies(), key, target, deps);
  }
  workspace.drop(table);
}

/** `$id`s of the records a condition finds (job-dialect §5.6, first phase). */
async function matching(
  target: AppSource,
  where: Condition,
  at: number,
  environment: Environment,
  deps: WriteDeps,
): Promise<Table> {
  const branch: Branch = {
    items: [
      {
        kind: "value",
        value: { kind: "column", name: "$id", table: null, at },
        name: "$id",
        aliased: false,
        at,
      },
    ],
    source: target,
    alias: null,
    joins: [],
    where,
    groupBy: [],
    orderBy: [],
    at,
  };
  return materialize({ branches: [branch], orderBy: [] }, environment, deps);
}

type ChangeBody = Extract<WriteBody, { kind: "update" | "delete" }>;

async function change(
  body: ChangeBody,
  target: Target,
  environment: Environment,
  deps: WriteDeps,
): Promise<void> {
  const { workspace, timeZone } = deps;
  const table = await matching(body.target, body.where, body.at, environment, deps);
  function* ids() {
    for (const [id = ""] of workspace.rows(table)) yield id;
  }
  if (body.kind === "delete") {
    await deleteAll(ids(), target, deps);
  } else {
    const fields = fieldsOf(
      body.assignments.map(({ field }) => field),
      target,
    );
    const cells = body.assignments.map(({ value }) => constantText(value, environment).text);
    await updateAll(ids(), recordBody(cells, fields, 1, timeZone), target, deps);
  }
  workspace.drop(table);
}

type ImportBody = Extract<WriteBody, { kind: "import" }>;

async function importRows(body: ImportBody, index: number, target: Target, deps: WriteDeps): Promise<void> {
  const { workspace, timeZone } = deps;
  const name = body.sourceName;
  const encoding = body.encoding ?? "UTF8";
  const { header, rows } = readImportRows(name, deps.imports.bytesOf(name), encoding, deps.maxReadRows);
  deps.imports.decoded(name, rows.length, encoding);
  const fields = fieldsOf(body.fields, target);
  if (header.length !== fields.length) {
    const message = `The import source ${name} has ${header.length} columns for ${fields.length} fields. Nothing was written.`;
    throw new RunFailure("SQL_ERROR", "ImportSourceError", message);
  }
  const key = fields.find(({ name }) => name === body.key[0]?.name) ?? null;
  const checked = checkRows(rows, fields, key, timeZone);
  refuseBadRows(checked, body.rejects !== null, body.rejects?.limit ?? null);
  if (body.rejects !== null) {
    const table = workspace.createTable(rejectColumns(body.fields));
    const operation = key === null ? "INSERT" : "UPSERT";
    workspace.insert(
      table,
      checked.bad.map(({ cells, error }) => rejectRow(cells, index + 1, operation, error)),
    );
    deps.keep(foldName(body.rejects.table), table);
  }
  if (key === null) await insertAll(checked.good, target, deps);
  else await upsertByLookup(checked.good, key, target, deps);
}
