import { invalid } from "../errors.ts";
import { formProperties } from "../fields/index.ts";
import type { AppState } from "../model.ts";
import { TEXT } from "../texts.ts";
import { optionalList, positiveInteger } from "./params.ts";
import type { Result } from "./record-endpoints.ts";
import { type Call, callApp, type Services } from "./services.ts";

const ADMINISTRATOR = { code: "Administrator", name: "Administrator" };
const MAX_APPS = 100;

function showApp(app: AppState): Result {
  return {
    appId: String(app.id),
    code: app.code,
    name: app.name,
    description: "",
    spaceId: app.guestSpaceId === null ? null : String(app.guestSpaceId),
    threadId: app.guestSpaceId === null ? null : String(app.guestSpaceId),
    createdAt: app.createdAt.replace("Z", ".000Z"),
    creator: ADMINISTRATOR,
    modifiedAt: app.modifiedAt.replace("Z", ".000Z"),
    modifier: ADMINISTRATOR,
  };
}

/** GET `app.json`; view or add is enough (kintone-rest §4, §12). */
export function getApp(services: Services, call: Call): Result {
  const app = callApp(services, call, "id");
  if (!call.actor.holds(app, "add")) call.actor.require(app, "view");
  return showApp(app);
}

function paging(value: unknown, key: string, fallback: number): number {
  if (value === undefined || value === null || value === "") return fallback;
  if (key === "offset" && String(value) === "0") return 0;
  return positiveInteger(value, key);
}

/** GET `apps.json`: closed to tokens; `limit` 1..100; a plain array without a total (kintone-rest §4, §12). */
export function getApps(services: Services, call: Call): Result {
  call.actor.requireUser();
  const { params } = call;
  const limit = paging(params.limit, "limit", MAX_APPS);
  if (limit > MAX_APPS) {
    throw invalid("limit", { ja: "最大でも100以下です。", en: "must be less than or equal to 100" });
  }
  const offset = paging(params.offset, "offset", 0);
  const texts = (key: string): ReadonlySet<string> | null => {
    const list = optionalList(params[key]);
    return list === null || list.length === 0 ? null : new Set(list.map(String));
  };
  const [ids, codes, spaces] = [texts("ids"), texts("codes"), texts("spaceIds")];
  const name = typeof params.name === "string" ? params.name.toLowerCase() : "";
  const apps = services.apps
    .list()
    .filter((app) => app.guestSpaceId === call.guestSpaceId)
    .filter((app) => ids === null || ids.has(String(app.id)))
    .filter((app) => codes === null || codes.has(app.code))
    .filter((app) => spaces === null || spaces.has(String(app.guestSpaceId)))
    .filter((app) => app.name.toLowerCase().includes(name));
  return { apps: apps.slice(offset, offset + limit).map(showApp) };
}

/** GET `app/form/fields.json`; view or add is enough (kintone-rest §4, §12). */
export function getFormFields(services: Services, call: Call): Result {
  const app = callApp(services, call);
  if (!call.actor.holds(app, "add")) call.actor.require(app, "view");
  const lang = call.params.lang;
  if (lang !== undefined && !["default", "ja", "en", "zh", "user"].includes(String(lang))) {
    throw invalid("lang", TEXT.enumValue);
  }
  return { properties: formProperties(app), revision: String(app.revision) };
}
