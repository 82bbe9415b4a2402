import { z } from "zod";

/** Who a right is given to (kintone-rest §12); `code` is null for the creator of the app. */
const entitySchema = z.object({ type: z.string(), code: z.string().nullable() });
export type Entity = z.output<typeof entitySchema>;

export const appRightSchema = z.object({
  entity: entitySchema,
  includeSubs: z.boolean(),
  appEditable: z.boolean(),
  recordViewable: z.boolean(),
  recordAddable: z.boolean(),
  recordEditable: z.boolean(),
  recordDeletable: z.boolean(),
  recordImportable: z.boolean(),
  recordExportable: z.boolean(),
});
export type AppRight = z.output<typeof appRightSchema>;

const recordRightSchema = z.object({
  filterCond: z.string(),
  entities: z.array(
    z.object({
      entity: entitySchema,
      viewable: z.boolean(),
      editable: z.boolean(),
      deletable: z.boolean(),
      includeSubs: z.boolean(),
    }),
  ),
});
export type RecordRight = z.output<typeof recordRightSchema>;

export const ACCESSIBILITIES = ["READ", "WRITE", "NONE"] as const;
export const fieldRightSchema = z.object({
  code: z.string(),
  entities: z.array(
    z.object({ accessibility: z.enum(ACCESSIBILITIES), entity: entitySchema, includeSubs: z.boolean() }),
  ),
});
export type FieldRight = z.output<typeof fieldRightSchema>;

const listView = {
  index: z.string(),
  id: z.string(),
  name: z.string(),
  filterCond: z.string(),
  sort: z.string(),
};
const viewSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("LIST"), ...listView, fields: z.array(z.string()) }),
  z.object({ type: z.literal("CALENDAR"), ...listView, date: z.string(), title: z.string() }),
  z.object({
    type: z.literal("CUSTOM"),
    ...listView,
    html: z.string(),
    pager: z.boolean(),
    device: z.enum(["DESKTOP", "ANY"]),
  }),
]);
export type View = z.output<typeof viewSchema>;

const scoped = z.object({ entity: entitySchema, includeSubs: z.boolean() });
const stateSchema = z.object({
  name: z.string(),
  index: z.string(),
  assignee: z.object({ type: z.enum(["ONE", "ALL", "ANY"]), entities: z.array(scoped) }),
});
export const actionSchema = z.object({
  name: z.string(),
  from: z.string(),
  to: z.string(),
  filterCond: z.string(),
  type: z.enum(["PRIMARY", "SECONDARY"]),
  executableUser: z.object({ entities: z.array(scoped) }).optional(),
});
/** `states` and `actions` are null in an app whose process was never set up (kintone-rest §12). */
const processSchema = z.object({
  enable: z.boolean(),
  states: z.record(z.string(), stateSchema).nullable(),
  actions: z.array(actionSchema).nullable(),
});
export type Process = z.output<typeof processSchema>;

/** One field of a row: a form field by its code, or a decoration without one. */
const layoutFieldSchema = z.object({
  type: z.string(),
  code: z.string().optional(),
  label: z.string().optional(),
  elementId: z.string().optional(),
  size: z.record(z.string(), z.string()).optional(),
});
const layoutRowSchema = z.object({ type: z.literal("ROW"), fields: z.array(layoutFieldSchema) });
export const layoutPartSchema = z.discriminatedUnion("type", [
  layoutRowSchema,
  z.object({ type: z.literal("SUBTABLE"), code: z.string(), fields: z.array(layoutFieldSchema) }),
  z.object({ type: z.literal("GROUP"), code: z.string(), layout: z.array(layoutRowSchema) }),
]);
export type LayoutPart = z.output<typeof layoutPartSchema>;
export type LayoutField = z.output<typeof layoutFieldSchema>;

export const THEMES = [
  "WHITE",
  "CLIPBOARD",
  "BINDER",
  "PENCIL",
  "CLIPS",
  "RED",
  "BLUE",
  "GREEN",
  "YELLOW",
  "BLACK",
] as const;
export const ROUNDING_MODES = ["HALF_EVEN", "UP", "DOWN"] as const;

/** What an app is beside its name and its fields. Every part has the value of a fresh app as its default. */
export const settingsSchema = z.object({
  description: z.string().default(""),
  icon: z
    .object({ type: z.enum(["PRESET", "FILE"]) })
    .loose()
    .default({ type: "PRESET", key: "APP72" }),
  theme: z.enum(THEMES).default("WHITE"),
  titleField: z
    .object({ selectionMode: z.enum(["AUTO", "MANUAL"]), code: z.string() })
    .default({ selectionMode: "AUTO", code: "" }),
  enableThumbnails: z.boolean().default(true),
  enableBulkDeletion: z.boolean().default(false),
  enableComments: z.boolean().default(true),
  enableDuplicateRecord: z.boolean().default(true),
  enableInlineRecordEditing: z.boolean().default(true),
  numberPrecision: z
    .object({ digits: z.string(), decimalPlaces: z.string(), roundingMode: z.enum(ROUNDING_MODES) })
    .default({ digits: "16", decimalPlaces: "4", roundingMode: "HALF_EVEN" }),
  firstMonthOfFiscalYear: z.string().default("4"),
  /** Null: one row a field, in the order of the form. */
  layout: z.array(layoutPartSchema).nullable().default(null),
  views: z.record(z.string(), viewSchema).default({}),
  /** Highest view id given so far: ids are not used twice. */
  lastViewId: z.number().int().default(0),
  /** Null: the rights of a fresh app. */
  appRights: z.array(appRightSchema).nullable().default(null),
  recordRights: z.array(recordRightSchema).default([]),
  fieldRights: z.array(fieldRightSchema).default([]),
  process: processSchema.default({ enable: false, states: null, actions: null }),
});
export type AppSettings = z.output<typeof settingsSchema>;

/** Reads a settings document this program stored; parts it lacks are those of a fresh app. */
export function parseSettings(json: string): AppSettings {
  return settingsSchema.parse(JSON.parse(json));
}

const EVERYTHING = {
  includeSubs: false,
  appEditable: true,
  recordViewable: true,
  recordAddable: true,
  recordEditable: true,
  recordDeletable: true,
  recordImportable: true,
  recordExportable: true,
} as const;

/** Rights of an app nobody has set any for: its creator may do everything, everyone may work with records. */
const DEFAULT_APP_RIGHTS: readonly AppRight[] = [
  { entity: { type: "CREATOR", code: null }, ...EVERYTHING },
  {
    entity: { type: "GROUP", code: "everyone" },
    ...EVERYTHING,
    appEditable: false,
    recordImportable: false,
    recordExportable: false,
  },
];

/** The rights that count: those set, or those of a fresh app. */
export const appRightsOf = (settings: AppSettings): readonly AppRight[] =>
  settings.appRights ?? DEFAULT_APP_RIGHTS;
