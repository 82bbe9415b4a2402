import { FlowError } from "../../../shared/domain/problem.ts";
import { type FieldInputs, normalizeDefinitions } from "../fields/index.ts";
import type { AppState, Clock, Person } from "../model.ts";
import { insertAppRow, putLive, readApp } from "./app-rows.ts";
import type { Database } from "./database.ts";
import { type Furnishing, furnishApp } from "./furnish-app.ts";
import type { Preview } from "./previews.ts";
import { ADMINISTRATOR } from "./users.ts";

export interface NewApp {
  readonly name: string;
  /** App code; with it creation is idempotent and record numbers read `CODE-7`. */
  readonly code?: string;
  readonly guestSpaceId?: number;
  readonly fields: FieldInputs;
  /** Its places, lists and rights; with it an app that is there gets what it lacks of these and of the fields. */
  readonly furnishing?: Furnishing;
}

/** An app as `preview/app.json` makes it: without a form, in the preview environment only. */
export interface NewPreviewApp {
  readonly name: string;
  readonly guestSpaceId: number | null;
  readonly spaceId: number | null;
  readonly threadId: number | null;
  readonly person: Person;
}

/** The apps of the store, held in memory because every request needs one. */
export interface AppStore {
  /** A live app. */
  find(id: number): AppState | null;
  /** The same, or an app that was never deployed. */
  findAny(id: number): AppState | null;
  findByCode(code: string): AppState | null;
  /** Live apps in ascending id. */
  list(): readonly AppState[];
  /** Creates a live app, or returns the one that already has this code; only a furnishing adds to it. */
  create(app: NewApp): AppState;
  /** Creates an app in the preview environment; runs inside a write and is seen after `refresh`. */
  createPreview(app: NewPreviewApp): AppState;
  /** Makes a preview the live app; runs inside a write and is seen after `refresh`. */
  deploy(
    live: AppState,
    preview: Preview,
    change: { readonly form: number; readonly person: Person },
  ): AppState;
  /** Reads the apps anew that were touched: after the write that did was committed, or rolled back. */
  refresh(): void;
}

/** Revision of an app that was just made (kintone-rest §12). */
const FIRST_REVISION = 2;

/** Apps are loaded once; this process is the only writer of the file. */
export function createAppStore(database: Database, clock: Clock): AppStore {
  const apps = new Map<number, AppState>();
  const touched = new Set<number>();
  for (const row of database.sql("SELECT * FROM apps ORDER BY id").all()) {
    const app = readApp(database, row);
    apps.set(app.id, app);
  }
  const live = (): readonly AppState[] => [...apps.values()].filter((app) => app.deployed);
  const findByCode = (code: string): AppState | null => live().find((app) => app.code === code) ?? null;
  const now = (): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  return {
    find(id) {
      const app = apps.get(id);
      return app?.deployed === true ? app : null;
    },
    findAny: (id) => apps.get(id) ?? null,
    findByCode,
    list: live,
    create(input) {
      const code = input.code ?? "";
      const known = code === "" ? null : findByCode(code);
      if (known !== null && input.furnishing === undefined) return known;
      const app = database.write(() => {
        const bare = known ?? insertLive(database, input, now());
        return input.furnishing === undefined ? bare : (furnishApp(database, bare, input, now()) ?? bare);
      });
      apps.set(app.id, app);
      return app;
    },
    createPreview(input) {
      const { at, code, definitions } = { at: now(), code: "", definitions: [] };
      const row = { ...input, at, code, definitions, revision: FIRST_REVISION, deployed: false };
      const app = insertAppRow(database, row);
      touched.add(app.id);
      return app;
    },
    deploy(app, preview, change) {
      touched.add(app.id);
      return putLive(database, app, preview, { ...change, at: now() });
    },
    refresh() {
      for (const id of touched) {
        const row = database.sql("SELECT * FROM apps WHERE id = ?").get(id);
        if (row === undefined) apps.delete(id);
        else apps.set(id, readApp(database, row));
      }
      touched.clear();
    },
  };
}

function insertLive(database: Database, input: NewApp, at: string): AppState {
  if (input.name.length === 0 || input.name.length > 64) {
    throw new FlowError({
      code: "APP_NAME_INVALID",
      message: "An app name has 1 to 64 characters.",
      place: "name",
      remedy: "Choose another name.",
    });
  }
  return insertAppRow(database, {
    name: input.name,
    code: input.code ?? "",
    revision: FIRST_REVISION,
    deployed: true,
    guestSpaceId: input.guestSpaceId ?? null,
    spaceId: input.guestSpaceId ?? null,
    threadId: input.guestSpaceId ?? null,
    person: ADMINISTRATOR,
    at,
    definitions: normalizeDefinitions(input.fields),
  });
}
