import { installAccessFunctions } from "./access/restricted-read.ts";
import type { Actor } from "./api/auth.ts";
import type { Services } from "./api/services.ts";
import type { AppState } from "./model.ts";
import type { LocalKintoneOptions } from "./options.ts";
import { type CompiledQuery, compileQuery } from "./query/compile.ts";
import type { IndexRange } from "./query/context.ts";
import { installQueryFunctions } from "./query/functions.ts";
import { createSearchLag } from "./query/search-lag.ts";
import { createAppStore } from "./storage/apps.ts";
import { createCommentStore } from "./storage/comments.ts";
import { createCursorStore } from "./storage/cursors.ts";
import { type Database, integer, openDatabase } from "./storage/database.ts";
import { createDeployStore } from "./storage/deploys.ts";
import { createFileStore } from "./storage/files.ts";
import { createPreviewStore } from "./storage/previews.ts";
import { createRecordStore } from "./storage/records.ts";
import { createSpaceStore } from "./storage/spaces.ts";
import { createCredentialStore } from "./storage/tokens.ts";
import { createUsage } from "./storage/usage.ts";
import { createSwitches } from "./switches.ts";

const COMPILED_CACHE = 1000;
const JAPAN_MINUTES = 540;

/** The services with what closes them. */
export interface OwnedServices extends Services {
  dispose(): void;
}

/** Opens the file and wires the stores together. */
export function createServices(options: LocalKintoneOptions): OwnedServices {
  const { clock, ids } = options;
  const database = openDatabase({
    path: options.databasePath,
    synchronous: options.synchronous ?? "FULL",
    freshId: () => Buffer.from(ids.random(16)).toString("hex"),
    ...(options.maxPageCount === undefined ? {} : { maxPageCount: options.maxPageCount }),
  });
  const switches = options.switches ?? {
    ...createSwitches(),
    textEquality: options.textEquality ?? "exact",
    likeIndexLagMs: options.likeIndexLagMs ?? 0,
  };
  const lag = createSearchLag(clock, () => switches.likeIndexLagMs);
  installQueryFunctions(database, lag);
  installAccessFunctions(database);
  const credentials = createCredentialStore(database, ids);
  const apps = createAppStore(database, clock);
  const usage = createUsage(database, clock);
  const timeZoneOffsetMinutes = options.timeZoneOffsetMinutes ?? JAPAN_MINUTES;
  const environment = {
    now: () => clock.now(),
    timeZoneOffsetMinutes,
    people: credentials,
    findApp: ({ app: id, code }: RelatedApp) => (id === "" ? apps.findByCode(code) : apps.find(Number(id))),
    estimate: (range: IndexRange, most: number) => countIndexRows(database, range, most),
  };
  return {
    database,
    apps,
    previews: createPreviewStore(database),
    spaces: createSpaceStore(database),
    comments: createCommentStore(database, clock),
    cursors: createCursorStore(clock, ids, () => switches.cursorLifetimeMs),
    deploys: createDeployStore(database),
    records: createRecordStore(database, lag),
    files: createFileStore(database, clock, ids, () => switches.uploadLifetimeMs),
    credentials,
    usage,
    people: credentials,
    switches,
    isDeployed: (app) => apps.find(app) !== null,
    clock,
    ids,
    timeZoneOffsetMinutes,
    compile: createCompiler(
      (app, query, actor) =>
        compileQuery(app, query, {
          ...environment,
          findApp(related) {
            const found = environment.findApp(related);
            // Else conditions on related records would tell, guess by guess, what stands in an app that is closed.
            if (found !== null) actor.require(found, "view");
            return found;
          },
          textEquality: switches.textEquality,
          loginUser: actor.person.code,
        }),
      () => switches.textEquality,
    ),
    dispose() {
      usage.settle("now");
      database.close();
    },
  };
}

interface RelatedApp {
  readonly app: string;
  readonly code: string;
}

function countIndexRows(database: Database, { table, sql, params }: IndexRange, most: number): number {
  const count = `SELECT COUNT(*) AS total FROM (SELECT 1 FROM ${table} i WHERE ${sql} LIMIT ?)`;
  const row = database.sql(count).get(...params, most);
  return row === undefined ? 0 : integer(row, "total");
}

/** Caches compiled queries per app form; those that depend on the clock or the caller are not kept. */
function createCompiler(
  compile: (app: AppState, query: string, actor: Actor) => CompiledQuery,
  mode: () => string,
): Services["compile"] {
  const cache = new Map<string, CompiledQuery>();
  return (app, query, actor) => {
    const key = `${app.id} ${app.revision} ${mode()} ${query}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const fresh = compile(app, query, actor);
    if (fresh.volatile) return fresh;
    if (cache.size >= COMPILED_CACHE) {
      const oldest = cache.keys().next();
      if (oldest.done !== true) cache.delete(oldest.value);
    }
    cache.set(key, fresh);
    return fresh;
  };
}
