import { z } from "zod";
import { flatten, parseDefinitions, parseSystemFields } from "../fields/index.ts";
import { formulaOf } from "../formula/of-field.ts";
import { type AppField, type AppState, type FieldDefinition, type Person, SYSTEM_FIELDS } from "../model.ts";
import { type AppSettings, parseSettings } from "../settings/settings-model.ts";
import { type Database, integer, type Row, text } from "./database.ts";
import type { Preview } from "./previews.ts";

const personSchema = z.object({ code: z.string(), name: z.string() });

function person(row: Row, column: string): Person {
  return personSchema.parse(JSON.parse(text(row, column)));
}

const optional = (row: Row, column: string): number | null => {
  const value = row[column];
  return typeof value === "number" ? value : null;
};

/** Fields with their numbers; a definition without a number, as in a preview, has 0. */
export function numberedFields(
  definitions: readonly FieldDefinition[],
  numbers: ReadonlyMap<string, number>,
): ReadonlyMap<string, AppField> {
  const numbered = (definition: FieldDefinition): AppField => ({
    no: numbers.get(definition.code) ?? 0,
    definition,
    columns: new Map(definition.fields.map((column) => [column.code, numbered(column)] as const)),
    formula: formulaOf(definition),
  });
  return new Map(definitions.map((definition) => [definition.code, numbered(definition)] as const));
}

/** What follows from the settings of an app. */
export function settingsParts(
  settings: AppSettings,
): Pick<AppState, "settings" | "numberPrecision" | "process"> {
  const { numberPrecision, process } = settings;
  const states = Object.values(process.states ?? {}).sort((a, b) => Number(a.index) - Number(b.index));
  const [first] = states;
  return {
    settings,
    numberPrecision: {
      digits: Number(numberPrecision.digits),
      decimalPlaces: Number(numberPrecision.decimalPlaces),
      roundingMode: numberPrecision.roundingMode,
    },
    process:
      process.enable && first !== undefined
        ? { initial: first.name, states: states.map((state) => state.name) }
        : null,
  };
}

/** Reads a row of `apps` with its numbered fields. */
export function readApp(database: Database, row: Row): AppState {
  const id = integer(row, "id");
  const numbers = new Map<string, number>();
  for (const field of database.sql("SELECT no, code FROM app_fields WHERE app = ?").all(id)) {
    numbers.set(text(field, "code"), integer(field, "no"));
  }
  const guestSpaceId = optional(row, "guest_space");
  return {
    id,
    name: text(row, "name"),
    code: text(row, "code"),
    revision: integer(row, "revision"),
    form: integer(row, "form"),
    deployed: integer(row, "deployed") === 1,
    guestSpaceId,
    spaceId: optional(row, "space") ?? guestSpaceId,
    threadId: optional(row, "thread") ?? guestSpaceId,
    createdAt: text(row, "created_at"),
    creator: person(row, "creator"),
    modifiedAt: text(row, "modified_at"),
    modifier: person(row, "modifier"),
    ...settingsParts(parseSettings(text(row, "settings"))),
    fields: numberedFields(parseDefinitions(text(row, "definitions")), numbers),
    system: parseSystemFields(text(row, "system")) ?? SYSTEM_FIELDS,
  };
}

/** Row of one app, which must be there. */
export function loadApp(database: Database, id: number): AppState {
  const row = database.sql("SELECT * FROM apps WHERE id = ?").get(id);
  if (row === undefined) throw new Error(`the store has no app ${id}`);
  return readApp(database, row);
}

export interface AppRow {
  readonly name: string;
  readonly code: string;
  readonly revision: number;
  readonly deployed: boolean;
  readonly guestSpaceId: number | null;
  readonly spaceId: number | null;
  readonly threadId: number | null;
  readonly person: Person;
  /** UTC, seconds. */
  readonly at: string;
  readonly definitions: readonly FieldDefinition[];
}

/** Stores a new app; runs inside a write. */
export function insertAppRow(database: Database, app: AppRow): AppState {
  const person = JSON.stringify(app.person);
  const result = database
    .sql(
      `INSERT INTO apps (name, code, revision, form, deployed, guest_space, space, thread, created_at, modified_at,
         creator, modifier, definitions) VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?9, ?10)`,
    )
    .run(
      app.name,
      app.code,
      app.revision,
      app.deployed ? 1 : 0,
      app.guestSpaceId,
      app.spaceId,
      app.threadId,
      app.at,
      person,
      JSON.stringify(app.definitions),
    );
  const id = Number(result.lastInsertRowid);
  database.sql("INSERT INTO record_ids (app, last) VALUES (?, 0)").run(id);
  const insertField = database.sql("INSERT INTO app_fields (app, code) VALUES (?, ?)");
  for (const { code } of flatten(app.definitions)) insertField.run(id, code);
  return loadApp(database, id);
}

/**
 * Gives the fields of a preview their numbers: those that stay keep theirs under their new code, so that index rows
 * stay valid; dropped ones lose it with their index rows, new ones get one.
 */
function renumber(database: Database, live: AppState, preview: Preview): void {
  const codeByOrigin = new Map(Array.from(preview.origins, ([code, origin]) => [origin, code]));
  const rows = database.sql("SELECT no, code FROM app_fields WHERE app = ?").all(live.id);
  const rename = database.sql("UPDATE app_fields SET code = ? WHERE no = ?");
  const kept = new Map<number, string>();
  for (const row of rows) {
    const no = integer(row, "no");
    const code = codeByOrigin.get(text(row, "code"));
    if (code === undefined) dropField(database, no);
    else kept.set(no, code);
  }
  // Two steps: two fields may have changed places.
  for (const no of kept.keys()) rename.run(`\u0000${no}`, no);
  for (const [no, code] of kept) rename.run(code, no);
  const insert = database.sql("INSERT OR IGNORE INTO app_fields (app, code) VALUES (?, ?)");
  for (const { code } of flatten(preview.definitions)) insert.run(live.id, code);
}

function dropField(database: Database, no: number): void {
  for (const table of ["field_index", "unique_index"]) {
    database.sql(`DELETE FROM ${table} WHERE field = ?`).run(no);
  }
  database.sql("DELETE FROM app_fields WHERE no = ?").run(no);
}

/** Makes a preview the live app; runs inside a write. `form` moves on only when bodies have to follow. */
export function putLive(
  database: Database,
  live: AppState,
  preview: Preview,
  change: { readonly form: number; readonly person: Person; readonly at: string },
): AppState {
  renumber(database, live, preview);
  database
    .sql(
      `UPDATE apps SET name = ?, revision = ?, form = ?, deployed = 1, modified_at = ?, modifier = ?,
         definitions = ?, system = ?, settings = ? WHERE id = ?`,
    )
    .run(
      preview.name,
      preview.revision,
      change.form,
      change.at,
      JSON.stringify(change.person),
      JSON.stringify(preview.definitions),
      JSON.stringify(preview.system),
      JSON.stringify(preview.settings),
      live.id,
    );
  return loadApp(database, live.id);
}
