import { FlowError } from "../../../shared/domain/problem.ts";
import {
  type FieldInputs,
  flatten,
  normalizeDefinitions,
  parseDefinitions,
  parseSystemFields,
} from "../fields/index.ts";
import {
  type AppField,
  type AppState,
  type Clock,
  DEFAULT_PRECISION,
  type FieldDefinition,
  SYSTEM_FIELDS,
} from "../model.ts";
import { type Database, integer, type Row, text } from "./database.ts";

export interface NewApp {
  readonly name: string;
  /** App code; with it creation is idempotent and record numbers read `CODE-7`. */
  readonly code?: string;
  readonly guestSpaceId?: number;
  readonly fields: FieldInputs;
}

/** The apps of the store, held in memory because every request needs one. */
export interface AppStore {
  find(id: number): AppState | null;
  findByCode(code: string): AppState | null;
  list(): readonly AppState[];
  /** Creates an app, or returns the one that already has this code (its fields are left alone). */
  create(app: NewApp): AppState;
}

/** Apps are loaded once; this process is the only writer of the file. */
export function createAppStore(database: Database, clock: Clock): AppStore {
  const apps = new Map<number, AppState>();
  for (const row of database.sql("SELECT * FROM apps ORDER BY id").all()) {
    const app = readApp(database, row);
    apps.set(app.id, app);
  }
  const findByCode = (code: string): AppState | null =>
    [...apps.values()].find((app) => app.code === code) ?? null;
  return {
    find: (id) => apps.get(id) ?? null,
    findByCode,
    list: () => [...apps.values()],
    create(input) {
      const code = input.code ?? "";
      const known = code === "" ? null : findByCode(code);
      if (known !== null) return known;
      const app = database.write(() => insertApp(database, input, new Date(clock.now())));
      apps.set(app.id, app);
      return app;
    },
  };
}

function insertApp(database: Database, input: NewApp, now: Date): AppState {
  if (input.name.length === 0 || input.name.length > 64) {
    throw new FlowError({
      code: "APP_NAME_INVALID",
      message: "An app name has 1 to 64 characters.",
      place: "name",
      remedy: "Choose another name.",
    });
  }
  const definitions = normalizeDefinitions(input.fields);
  const at = `${now.toISOString().slice(0, 19)}Z`;
  const result = database
    .sql(
      `INSERT INTO apps (name, code, revision, guest_space, created_at, modified_at, definitions)
       VALUES (?, ?, 2, ?, ?, ?, ?)`,
    )
    .run(input.name, input.code ?? "", input.guestSpaceId ?? null, at, at, JSON.stringify(definitions));
  const id = Number(result.lastInsertRowid);
  database.sql("INSERT INTO record_ids (app, last) VALUES (?, 0)").run(id);
  const insertField = database.sql("INSERT INTO app_fields (app, code) VALUES (?, ?)");
  for (const { code } of flatten(definitions)) insertField.run(id, code);
  const row = database.sql("SELECT * FROM apps WHERE id = ?").get(id);
  if (row === undefined) throw new Error("an app just inserted is not there");
  return readApp(database, row);
}

function readApp(database: Database, row: Row): AppState {
  const id = integer(row, "id");
  const numbers = new Map<string, number>();
  for (const field of database.sql("SELECT no, code FROM app_fields WHERE app = ?").all(id)) {
    numbers.set(text(field, "code"), integer(field, "no"));
  }
  const number = (code: string): number => numbers.get(code) ?? 0;
  const fields = new Map<string, AppField>();
  for (const definition of parseDefinitions(text(row, "definitions"))) {
    fields.set(definition.code, numbered(definition, number));
  }
  const space = row.guest_space;
  return {
    id,
    name: text(row, "name"),
    code: text(row, "code"),
    revision: integer(row, "revision"),
    guestSpaceId: typeof space === "number" ? space : null,
    createdAt: text(row, "created_at"),
    modifiedAt: text(row, "modified_at"),
    fields,
    system: (typeof row.system === "string" ? parseSystemFields(row.system) : null) ?? SYSTEM_FIELDS,
    numberPrecision: DEFAULT_PRECISION,
    process: null,
  };
}

function numbered(definition: FieldDefinition, number: (code: string) => number): AppField {
  const columns = definition.fields.map((column) => [column.code, numbered(column, number)] as const);
  return { no: number(definition.code), definition, columns: new Map(columns) };
}
