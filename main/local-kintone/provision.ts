import { FlowError } from "../../shared/domain/problem.ts";
import { compactStore } from "./admin/compact.ts";
import { SET_UP_ACTOR } from "./api/auth.ts";
import { recordObject } from "./api/record-input.ts";
import type { Services } from "./api/services.ts";
import { insertRows } from "./api/write-records.ts";
import { KintoneError } from "./errors.ts";
import type { AppState, Person, TokenRight } from "./model.ts";
import type { Compacted } from "./process/control-contract.ts";
import type { AccountProfileInput } from "./storage/accounts.ts";
import type { NewApp } from "./storage/apps.ts";
import type { UsageRow } from "./storage/usage.ts";

/** Set-up without HTTP: apps, credentials, seed records. All of it idempotent by code, label or user. */
export interface Provision {
  /** App id as kintone shows it; an app with this code is found, not made twice. */
  createApp(app: NewApp): string;
  /** Token text; the token of this app and label is found, its rights set anew. */
  createToken(appId: string, rights: readonly TokenRight[], label: string): string;
  /** A user with password and every right: for the APIs that are closed to tokens (kintone-rest §4). */
  createUser(user: Person, password: string, profile?: AccountProfileInput): void;
  /** A group; users name the groups they belong to in their profile. */
  createGroup(group: Person): void;
  /** An organisation, below another one or at the top. */
  createOrganization(organization: Person, parent?: string): void;
  /** A space, guest or not; answers its id (kintone-rest §4). */
  createSpace(name: string, isGuest: boolean): string;
  /** Inserts records in one transaction through the ordinary validation; answers their ids. */
  insertRecords(appId: string, records: readonly Readonly<Record<string, unknown>>[]): readonly string[];
  /** True when the app holds a record. */
  hasRecords(appId: string): boolean;
  /** Requests per app and day (kintone-rest §14). */
  usage(): readonly UsageRow[];
  /** Gives the file's unused space back; nothing else is served meanwhile. */
  compact(): Compacted;
  /** Of the file the server stores in. */
  databaseId(): string;
}

function findApp(services: Services, appId: string): AppState {
  const app = services.apps.find(Number(appId));
  if (app !== null) return app;
  throw new FlowError({
    code: "APP_NOT_FOUND",
    message: `The local kintone has no app ${appId}.`,
    place: "appId",
    remedy: "Create the app first.",
  });
}

function refused(error: unknown): never {
  if (!(error instanceof KintoneError)) throw error;
  const details = Object.fromEntries(
    [...(error.errors ?? [])].map(([key, texts]) => [key, texts.map((text) => text.en)]),
  );
  throw new FlowError(
    {
      code: "RECORDS_REFUSED",
      message: `The records were refused with ${error.code}: ${error.text.en} Nothing was stored.`,
      remedy: "Correct the values named in the details.",
      details,
    },
    error,
  );
}

/** Creates the set-up entry over the services. */
export function createProvision(services: Services): Provision {
  return {
    createApp: (app) => String(services.apps.create(app).id),
    createToken: (appId, rights, label) =>
      services.credentials.createToken(findApp(services, appId).id, rights, label),
    createUser: (user, password, profile) => services.credentials.createUser(user, password, profile),
    createGroup: (group) => services.credentials.createGroup(group),
    createOrganization: (organization, parent) =>
      services.credentials.createOrganization(organization, parent),
    createSpace: (name, isGuest) =>
      String(services.spaces.create({ name, isGuest, creator: SET_UP_ACTOR.person })),
    insertRecords(appId, records) {
      const app = findApp(services, appId);
      const call = { actor: SET_UP_ACTOR, guestSpaceId: null, params: {} };
      try {
        const rows = records.map((record, index) => ({
          record: recordObject(record, `records[${index}]`),
          prefix: `records[${index}]`,
        }));
        const written = services.database.write(() => insertRows(services, call, app, rows));
        return written.map((row) => String(row.id));
      } catch (error) {
        return refused(error);
      }
    },
    hasRecords: (appId) => services.records.hasAny(findApp(services, appId)),
    usage: () => services.usage.read(),
    compact: () => compactStore(services.database.path),
    databaseId: () => services.database.id,
  };
}
