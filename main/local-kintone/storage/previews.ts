import { z } from "zod";
import { parseDefinitions, parseSystemFields } from "../fields/index.ts";
import type { AppState, FieldDefinition, SystemField } from "../model.ts";
import { type AppSettings, parseSettings } from "../settings/settings-model.ts";
import { type Database, integer, type Row, text } from "./database.ts";

/** An app as its preview environment has it (kintone-rest §12). */
export interface Preview {
  readonly app: number;
  readonly revision: number;
  readonly name: string;
  readonly definitions: readonly FieldDefinition[];
  readonly system: readonly SystemField[];
  /** Live code of each form field, columns of tables included; a code that is missing here is a new field. */
  readonly origins: ReadonlyMap<string, string>;
  readonly settings: AppSettings;
}

/** Preview environments that differ from what is live. Every method that writes expects to run inside a write. */
export interface PreviewStore {
  /** The preview of an app; equal to the live app when nothing was changed since the last deploy. */
  of(app: AppState): Preview;
  /** The live app in the same shape. */
  live(app: AppState): Preview;
  save(preview: Preview): void;
  /** Forgets the changes: from now on the preview is what is live. */
  drop(app: number): void;
}

const originsSchema = z.record(z.string(), z.string());

/** All codes a definition brings into the form: its own and those of its columns. */
export const codesOf = (definitions: readonly FieldDefinition[]): readonly string[] =>
  definitions.flatMap((definition) => [definition.code, ...definition.fields.map((column) => column.code)]);

function fromLive(app: AppState): Preview {
  const definitions = [...app.fields.values()].map((field) => field.definition);
  return {
    app: app.id,
    revision: app.revision,
    name: app.name,
    definitions,
    system: app.system,
    origins: new Map(codesOf(definitions).map((code) => [code, code])),
    settings: app.settings,
  };
}

function readPreview(app: AppState, row: Row): Preview {
  return {
    app: app.id,
    revision: integer(row, "revision"),
    name: text(row, "name"),
    definitions: parseDefinitions(text(row, "definitions")),
    system: parseSystemFields(text(row, "system")) ?? app.system,
    origins: new Map(Object.entries(originsSchema.parse(JSON.parse(text(row, "origins"))))),
    settings: parseSettings(text(row, "settings")),
  };
}

/** Creates the store of preview environments. Rare calls: nothing is cached. */
export function createPreviewStore(database: Database): PreviewStore {
  return {
    live: fromLive,
    of(app) {
      const row = database.sql("SELECT * FROM app_previews WHERE app = ?").get(app.id);
      return row === undefined ? fromLive(app) : readPreview(app, row);
    },
    save(preview) {
      database
        .sql(
          `INSERT OR REPLACE INTO app_previews (app, revision, name, definitions, system, origins, settings)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          preview.app,
          preview.revision,
          preview.name,
          JSON.stringify(preview.definitions),
          JSON.stringify(preview.system),
          JSON.stringify(Object.fromEntries(preview.origins)),
          JSON.stringify(preview.settings),
        );
    },
    drop(app) {
      database.sql("DELETE FROM app_previews WHERE app = ?").run(app);
    },
  };
}
