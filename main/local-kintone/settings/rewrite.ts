import { isObject } from "../api/params.ts";
import type { Services } from "../api/services.ts";
import type { Issues } from "../errors.ts";
import type { AppField, AppState } from "../model.ts";
import { integer, type Row, text } from "../storage/database.ts";
import { ID_SPAN, recordKey } from "../storage/render.ts";
import { moveMembers, type RecordChanges } from "./plan.ts";
import { checkStored } from "./tighten.ts";

interface Rewriting {
  readonly live: AppState;
  readonly next: AppState;
  readonly changes: RecordChanges;
  /** Collects what the stored values violate. */
  readonly issues: Issues;
}

const PAGE = 500;
function allFields(app: AppState): readonly AppField[] {
  return [...app.fields.values()].flatMap((field) => [field, ...field.columns.values()]);
}

function dropIndexRows(services: Services, app: AppState): void {
  for (const { no } of allFields(app)) {
    for (const table of ["field_index", "unique_index"]) {
      services.database.sql(`DELETE FROM ${table} WHERE field = ?`).run(no);
    }
  }
}

function rewriteRow(services: Services, rewriting: Rewriting, row: Row): void {
  const { live, next, changes, issues } = rewriting;
  const body: unknown = JSON.parse(text(row, "body"));
  if (!isObject(body)) throw new TypeError("a stored record is not an object");
  const moved = JSON.stringify(moveMembers(live, changes.kept, body));
  const record = services.records.rewrite(next, { ...row, body: moved }, issues);
  for (const code of changes.tightened) {
    const field = next.fields.get(code);
    if (field !== undefined) checkStored(services, next, field.definition, record.values[code], issues);
  }
}

/**
 * Brings the records of an app in step with its new form: values move with their field's code, those of dropped fields
 * go, and the index is built anew. Revisions and times of the records stay. Runs inside a write.
 */
export function rewriteRecords(services: Services, rewriting: Rewriting): void {
  const { next, issues } = rewriting;
  dropIndexRows(services, next);
  const page = services.database.sql(
    `SELECT key, revision, form, created_at, updated_at, body FROM records WHERE key > ? AND key < ? ORDER BY key LIMIT ${PAGE}`,
  );
  const end = recordKey(next.id, 0) + ID_SPAN;
  for (let after = recordKey(next.id, 0); ; ) {
    const rows = page.all(after, end);
    for (const row of rows) rewriteRow(services, rewriting, row);
    const last = rows.at(-1);
    if (last === undefined || issues.map.size > 0) return;
    after = integer(last, "key");
  }
}
