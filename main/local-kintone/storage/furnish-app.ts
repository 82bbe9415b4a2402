import { z } from "zod";
import { type FieldInputs, flatten, normalizeDefinitions } from "../fields/index.ts";
import type { AppState } from "../model.ts";
import {
  type AppSettings,
  appRightSchema,
  fieldRightSchema,
  layoutPartSchema,
  parseSettings,
} from "../settings/settings-model.ts";
import { loadApp } from "./app-rows.ts";
import { type Database, text } from "./database.ts";

/** What an app comes with beside its form: places, lists and rights (kintone-rest §12). */
export const furnishingSchema = z.object({
  layout: z.array(layoutPartSchema),
  views: z.record(
    z.string(),
    z.object({
      type: z.literal("LIST"),
      index: z.string(),
      name: z.string(),
      fields: z.array(z.string()),
      filterCond: z.string(),
      sort: z.string(),
    }),
  ),
  appRights: z.array(appRightSchema),
  fieldRights: z.array(fieldRightSchema),
});
export type Furnishing = z.output<typeof furnishingSchema>;

/**
 * Gives a live app the fields of `input` it lacks and the furnishing nobody has chosen yet; what is there stays.
 * Additive only: records keep their values, new fields read as empty. Null when nothing is missing, or while somebody
 * changes the app in its preview, whose deploy would take the new fields away again. Runs inside a write.
 */
export function furnishApp(
  database: Database,
  app: AppState,
  input: { readonly fields: FieldInputs; readonly furnishing?: Furnishing },
  at: string,
): AppState | null {
  const open = database.sql("SELECT 1 FROM app_previews WHERE app = ?").get(app.id);
  if (open !== undefined) return null;
  const known = Array.from(app.fields.values(), (field) => field.definition);
  const missing = normalizeDefinitions(input.fields).filter(({ code }) => !app.fields.has(code));
  const row = database.sql("SELECT settings FROM apps WHERE id = ?").get(app.id);
  const before = row === undefined ? "{}" : text(row, "settings");
  const settings = input.furnishing === undefined ? null : furnished(parseSettings(before), input.furnishing);
  if (missing.length === 0 && settings === null) return null;
  const insertField = database.sql("INSERT OR IGNORE INTO app_fields (app, code) VALUES (?, ?)");
  for (const { code } of flatten(missing)) insertField.run(app.id, code);
  database
    .sql(
      `UPDATE apps SET definitions = ?, settings = ?, modified_at = ?, revision = revision + 1,
         form = CASE WHEN ? THEN revision + 1 ELSE form END WHERE id = ?`,
    )
    .run(
      JSON.stringify([...known, ...missing]),
      settings === null ? before : JSON.stringify(settings),
      at,
      missing.length > 0 ? 1 : 0,
      app.id,
    );
  return loadApp(database, app.id);
}

/** Each part on its own: whoever set rights keeps them and still gets the lists. Null when nothing is unset. */
function furnished(settings: AppSettings, furnishing: Furnishing): AppSettings | null {
  const views = Object.values(furnishing.views);
  const parts: Partial<AppSettings> = {
    ...(settings.layout === null ? { layout: furnishing.layout } : {}),
    ...(settings.lastViewId === 0 && views.length > 0
      ? {
          views: Object.fromEntries(
            views.map((view, index) => [view.name, { ...view, id: String(index + 1) }]),
          ),
          lastViewId: views.length,
        }
      : {}),
    ...(settings.appRights === null ? { appRights: furnishing.appRights } : {}),
    ...(settings.fieldRights.length === 0 && furnishing.fieldRights.length > 0
      ? { fieldRights: furnishing.fieldRights }
      : {}),
  };
  return Object.keys(parts).length === 0 ? null : { ...settings, ...parts };
}
