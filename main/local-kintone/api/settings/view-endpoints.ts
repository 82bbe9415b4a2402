import { z } from "zod";
import { createIssues } from "../../errors.ts";
import { ASSIGNEE_CODE, CATEGORY_CODE, STATUS_CODE } from "../../model.ts";
import type { AppSettings, View } from "../../settings/settings-model.ts";
import { codesOf, type Preview } from "../../storage/previews.ts";
import { TEXT, unknownField } from "../../texts.ts";
import type { Result } from "../record-endpoints.ts";
import type { Call, Services } from "../services.ts";
import { readShape } from "../shape.ts";
import { changePreview, checkCondition, checkLang, liveSide, previewSide, type Side } from "./preview.ts";
import { SETTINGS_TEXT } from "./texts.ts";

const numeric = z.union([z.string(), z.number()]).transform(String);
const common = {
  index: numeric,
  name: z.string().optional(),
  filterCond: z.string().default(""),
  sort: z.string().default("レコード番号 desc"),
};
const viewInput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("LIST"), ...common, fields: z.array(z.string()).default([]) }),
  z.object({
    type: z.literal("CALENDAR"),
    ...common,
    date: z.string().default("作成日時"),
    title: z.string().default("レコード番号"),
  }),
  z.object({
    type: z.literal("CUSTOM"),
    ...common,
    html: z.string().default(""),
    pager: z.boolean().default(true),
    device: z.enum(["DESKTOP", "ANY"]).default("DESKTOP"),
  }),
]);
const viewsInput = z.record(z.string(), viewInput);
type ViewRead = z.output<typeof viewInput>;

function showViews({ preview }: Side): Result {
  return { views: preview.settings.views, revision: String(preview.revision) };
}

/** GET `app/views.json`, live (kintone-rest §12). */
export function getViews(services: Services, call: Call): Result {
  const side = liveSide(services, call);
  checkLang(call);
  return showViews(side);
}

/** GET `preview/app/views.json`. */
export function getPreviewViews(services: Services, call: Call): Result {
  const side = previewSide(services, call);
  checkLang(call);
  return showViews(side);
}

/** Every code a view may name: those of the form, of the system, and of process management. */
function viewCodes(preview: Preview): ReadonlySet<string> {
  const system = preview.system.map((field) => field.code);
  return new Set([...codesOf(preview.definitions), ...system, STATUS_CODE, ASSIGNEE_CODE, CATEGORY_CODE]);
}

function namedBy(view: ViewRead): readonly string[] {
  if (view.type === "LIST") return view.fields;
  return view.type === "CALENDAR" ? [view.date, view.title] : [];
}

function checkView(services: Services, call: Call, side: Side, view: ViewRead): void {
  const codes = viewCodes(side.preview);
  for (const code of namedBy(view)) if (!codes.has(code)) throw unknownField(code);
  const order = view.sort === "" ? "" : ` order by ${view.sort}`;
  checkCondition(services, call, side, `${view.filterCond}${order}`.trim());
}

/** Views keep their id under a new name; new ones get the next (kintone-rest §12). */
function readViews(call: Call, settings: AppSettings): Pick<AppSettings, "views" | "lastViewId"> {
  const issues = createIssues();
  const views: Record<string, View> = {};
  let { lastViewId } = settings;
  for (const [key, read] of Object.entries(readShape(viewsInput, call.params.views, "views"))) {
    const name = read.name ?? key;
    if (name === "" || name.length > 64) issues.add(`views.${key}.name`, TEXT.badShape);
    if (Object.hasOwn(views, name)) issues.add(`views.${key}.name`, SETTINGS_TEXT.nameTwice);
    const known = settings.views[key]?.id;
    if (known === undefined) lastViewId += 1;
    views[name] = { ...read, name, id: known ?? String(lastViewId) };
  }
  issues.throwIfAny();
  return { views, lastViewId };
}

/** PUT `preview/app/views.json`: the whole list; with a custom view among them closed to tokens (kintone-rest §4, §12). */
export function putPreviewViews(services: Services, call: Call): Result {
  const change = (side: Side): Preview => {
    const { preview } = side;
    const read = readViews(call, preview.settings);
    const all = [...Object.values(read.views), ...Object.values(preview.settings.views)];
    if (all.some((view) => view.type === "CUSTOM")) call.actor.requireUser();
    for (const view of Object.values(read.views)) checkView(services, call, side, view);
    return { ...preview, settings: { ...preview.settings, ...read } };
  };
  return changePreview(services, call, change, ({ settings }) => ({
    views: Object.fromEntries(Object.values(settings.views).map(({ name, id }) => [name, { id }])),
  }));
}
