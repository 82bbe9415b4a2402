import type { Services } from "../api/services.ts";
import type { Issues } from "../errors.ts";
import type { AppField, AppState, FieldDefinition } from "../model.ts";
import { isUniqueViolation } from "../storage/database.ts";
import { recordKey } from "../storage/render.ts";
import { TEXT } from "../texts.ts";
import { normalizeValue } from "../values/normalize.ts";

interface Tightening {
  readonly live: AppState;
  readonly next: AppState;
  /** Fields whose limits changed; their codes did not. */
  readonly codes: readonly string[];
  /** Collects what the stored values violate. */
  readonly issues: Issues;
}

/** Types whose limits can be set over values that are stored. */
const LIMITED: ReadonlySet<string> = new Set(["SINGLE_LINE_TEXT", "LINK", "NUMBER"]);

/** A value that is there is checked like a written one; an empty one was allowed to be (kintone-rest §12). */
export function checkStored(
  services: Services,
  app: AppState,
  definition: FieldDefinition,
  value: unknown,
  issues: Issues,
): void {
  if (!LIMITED.has(definition.type) || typeof value !== "string" || value === "") return;
  const { numberPrecision: precision } = app;
  const { people } = services;
  normalizeValue(definition, value, "record", { issues, precision, people, inTable: false });
}

/** Moves the index rows of a field that became unique, or no longer is: the keys are the same in both tables. */
function moveIndexRows(services: Services, { no, definition }: AppField, issues: Issues): void {
  const [from, to] = definition.unique ? ["field_index", "unique_index"] : ["unique_index", "field_index"];
  try {
    services.database
      .sql(
        `INSERT INTO ${to} (field, value, record) SELECT field, value, record FROM ${from} WHERE field = ?`,
      )
      .run(no);
    services.database.sql(`DELETE FROM ${from} WHERE field = ?`).run(no);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    issues.add(`record.${definition.code}.value`, TEXT.unique);
  }
}

function checkAll(services: Services, app: AppState, { definition }: AppField, issues: Issues): void {
  // Field codes hold no quote (fields/check.ts), so the path needs no escaping.
  const rows = services.database
    .sql(
      `SELECT json_extract(body, '$."${definition.code}".value') AS value FROM records WHERE key > ? AND key < ?`,
    )
    .iterate(recordKey(app.id, 0), recordKey(app.id + 1, 0));
  for (const { value } of rows) {
    checkStored(services, app, definition, value, issues);
    if (issues.map.size > 0) return;
  }
}

/**
 * Sets changed limits over stored values without touching the bodies; what violates them is collected. Runs inside a
 * write.
 */
export function tightenFields(services: Services, { live, next, codes, issues }: Tightening): void {
  for (const code of codes) {
    const field = next.fields.get(code);
    if (field === undefined) continue;
    if (live.fields.get(code)?.definition.unique !== field.definition.unique) {
      moveIndexRows(services, field, issues);
    }
    checkAll(services, next, field, issues);
    if (issues.map.size > 0) return;
  }
}
