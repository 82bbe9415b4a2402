import type { AppState, Clock, IdSource, People } from "../model.ts";
import type { CompiledQuery } from "../query/compile.ts";
import type { AppStore } from "../storage/apps.ts";
import type { Database } from "../storage/database.ts";
import type { DeployStore } from "../storage/deploys.ts";
import type { FileStore } from "../storage/files.ts";
import type { PreviewStore } from "../storage/previews.ts";
import type { RecordStore } from "../storage/records.ts";
import type { Usage } from "../storage/usage.ts";
import { appNotFound } from "../texts.ts";
import { type Access, type Actor, checkSpace } from "./auth.ts";
import { type Params, positiveInteger } from "./params.ts";

/** Everything endpoints work with. */
export interface Services extends Access {
  readonly database: Database;
  readonly apps: AppStore;
  readonly previews: PreviewStore;
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

/** Finds the app of a call and counts the request; shape -> app -> space (kintone-rest §5, §7). */
export function callApp(services: Services, call: Call, key = "app"): AppState {
  const id = positiveInteger(call.params[key], key);
  const app = services.apps.find(id);
  if (app === null) throw appNotFound(id);
  checkSpace(app, call.guestSpaceId);
  services.usage.count(app.id);
  return app;
}
