import { KintoneError } from "../errors.ts";
import type { AppState, Clock, IdSource, People } from "../model.ts";
import type { CompiledQuery } from "../query/compile.ts";
import type { AppStore } from "../storage/apps.ts";
import type { CommentStore } from "../storage/comments.ts";
import type { CursorStore } from "../storage/cursors.ts";
import type { Database } from "../storage/database.ts";
import type { DeployStore } from "../storage/deploys.ts";
import type { FileStore } from "../storage/files.ts";
import type { PreviewStore } from "../storage/previews.ts";
import type { RecordStore } from "../storage/records.ts";
import type { SpaceStore } from "../storage/spaces.ts";
import type { Usage } from "../storage/usage.ts";
import { appNotFound } from "../texts.ts";
import { type Access, type Actor, checkSpace } from "./auth.ts";
import { type Params, positiveInteger } from "./params.ts";

/** Everything endpoints work with. */
export interface Services extends Access {
  readonly database: Database;
  readonly apps: AppStore;
  readonly previews: PreviewStore;
  readonly spaces: SpaceStore;
  readonly cursors: CursorStore;
  readonly comments: CommentStore;
  readonly deploys: DeployStore;
  readonly records: RecordStore;
  readonly files: FileStore;
  readonly usage: Usage;
  readonly people: People;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly timeZoneOffsetMinutes: number;
  /** The compiled query of an app, from a bounded cache. */
  compile(app: AppState, query: string, actor: Actor): CompiledQuery;
}

/** One call after authentication. `guestSpaceId` is null on the ordinary path. */
export interface Call {
  readonly actor: Actor;
  readonly guestSpaceId: number | null;
  readonly params: Params;
}

/** Thrown for an app in maintenance: no JSON body, a 503 page (kintone-rest §15). */
export class InMaintenance extends Error {
  override readonly name = "InMaintenance";
}

/** Not of kintone, which only writes a mail: what a drill asks for (kintone-rest §14). */
const dailyLimitReached = (app: AppState): KintoneError =>
  new KintoneError(429, "LOCAL_DAILY_LIMIT", {
    ja: `アプリ（id: ${app.id}）の1日のAPIリクエスト数が上限を超えました。`,
    en: `The number of API requests of the app (ID: ${app.id}) per day exceeds the limit.`,
  });

/** Opens the app of a call and counts the request: there -> not in maintenance -> right path (kintone-rest §4, §14). */
export function openApp(services: Services, call: Call, app: AppState | null, id: number): AppState {
  if (app === null) throw appNotFound(id);
  const { maintenance, dailyLimit } = services.switches;
  if (typeof maintenance !== "string" && maintenance.has(app.id)) throw new InMaintenance();
  checkSpace(app, call.guestSpaceId);
  const requests = services.usage.count(app.id);
  if (dailyLimit !== null && requests > dailyLimit) throw dailyLimitReached(app);
  return app;
}

/** Like {@link callApp}, for settings: an app that was never deployed counts too (kintone-rest §12). */
export function callAnyApp(services: Services, call: Call, key = "app"): AppState {
  const id = positiveInteger(call.params[key], key);
  return openApp(services, call, services.apps.findAny(id), id);
}

/** Finds the app of a call and counts the request; shape -> app -> space (kintone-rest §5, §7). */
export function callApp(services: Services, call: Call, key = "app"): AppState {
  const id = positiveInteger(call.params[key], key);
  return openApp(services, call, services.apps.find(id), id);
}
