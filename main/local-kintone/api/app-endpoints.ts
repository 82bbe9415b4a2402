import { invalid } from "../errors.ts";
import type { AppState } from "../model.ts";
import { optionalList, positiveInteger } from "./params.ts";
import type { Result } from "./record-endpoints.ts";
import { type Call, callApp, type Services } from "./services.ts";

const MAX_APPS = 100;

function showApp(app: AppState): Result {
  return {
    appId: String(app.id),
    code: app.code,
    name: app.name,
    description: app.settings.description,
    spaceId: app.spaceId === null ? null : String(app.spaceId),
    threadId: app.threadId === null ? null : String(app.threadId),
    createdAt: app.createdAt.replace("Z", ".000Z"),
    creator: app.creator,
    modifiedAt: app.modifiedAt.replace("Z", ".000Z"),
    modifier: app.modifier,
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
    .filter((app) => call.actor.holds(app, "view"))
    .filter((app) => ids === null || ids.has(String(app.id)))
    .filter((app) => codes === null || codes.has(app.code))
    .filter((app) => spaces === null || spaces.has(String(app.spaceId)))
    .filter((app) => app.name.toLowerCase().includes(name));
  return { apps: apps.slice(offset, offset + limit).map(showApp) };
}
