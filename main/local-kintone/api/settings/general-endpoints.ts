import { z } from "zod";
import { ROUNDING_MODES, settingsSchema, THEMES } from "../../settings/settings-model.ts";
import type { Result } from "../record-endpoints.ts";
import type { Call, Services } from "../services.ts";
import { readShape } from "../shape.ts";
import { changePreview, checkLang, liveSide, previewSide, type Side } from "./preview.ts";

const numeric = z.union([z.string(), z.number()]).transform(String);
const within = (least: number, most: number): z.ZodType<string> =>
  numeric.refine((text) => /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most);
/** Only what is given changes (kintone-rest §12). */
const settingsInput = z.object({
  name: z.string().min(1).max(64).optional(),
  description: z.string().optional(),
  icon: z
    .object({ type: z.enum(["PRESET", "FILE"]) })
    .loose()
    .optional(),
  theme: z.enum(THEMES).optional(),
  titleField: z
    .object({ selectionMode: z.enum(["AUTO", "MANUAL"]), code: z.string().default("") })
    .optional(),
  enableThumbnails: z.boolean().optional(),
  enableBulkDeletion: z.boolean().optional(),
  enableComments: z.boolean().optional(),
  enableDuplicateRecord: z.boolean().optional(),
  enableInlineRecordEditing: z.boolean().optional(),
  numberPrecision: z
    .object({
      digits: within(1, 30).optional(),
      decimalPlaces: within(0, 10).optional(),
      roundingMode: z.enum(ROUNDING_MODES).optional(),
    })
    .optional(),
  firstMonthOfFiscalYear: within(1, 12).optional(),
});

function showSettings({ preview }: Side): Result {
  const { settings, name, revision } = preview;
  const { description, icon, theme, titleField, numberPrecision, firstMonthOfFiscalYear } = settings;
  return {
    name,
    description,
    icon,
    theme,
    titleField,
    enableThumbnails: settings.enableThumbnails,
    enableBulkDeletion: settings.enableBulkDeletion,
    enableComments: settings.enableComments,
    enableDuplicateRecord: settings.enableDuplicateRecord,
    enableInlineRecordEditing: settings.enableInlineRecordEditing,
    numberPrecision,
    firstMonthOfFiscalYear,
    revision: String(revision),
  };
}

/** GET `app/settings.json`, live; numbers are texts (kintone-rest §12). */
export function getSettings(services: Services, call: Call): Result {
  const side = liveSide(services, call);
  checkLang(call);
  return showSettings(side);
}

/** GET `preview/app/settings.json`. */
export function getPreviewSettings(services: Services, call: Call): Result {
  const side = previewSide(services, call);
  checkLang(call);
  return showSettings(side);
}

const defined = (input: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

/** PUT `preview/app/settings.json`: keys that are absent keep their value (kintone-rest §12). */
export function putPreviewSettings(services: Services, call: Call): Result {
  return changePreview(services, call, ({ preview }) => {
    const { app: _app, revision: _revision, ...given } = call.params;
    const { name, numberPrecision, ...rest } = readShape(settingsInput, given, "");
    const { settings } = preview;
    const precision = { ...settings.numberPrecision, ...defined(numberPrecision ?? {}) };
    return {
      ...preview,
      name: name ?? preview.name,
      settings: settingsSchema.parse({ ...settings, ...defined(rest), numberPrecision: precision }),
    };
  });
}
