import { dropHidden, isRestricted, restrictedKeys } from "../access/restricted-read.ts";
import { invalid, KintoneError } from "../errors.ts";
import type { AppState } from "../model.ts";
import { parseQuery } from "../query/parser.ts";
import type { Cursor } from "../storage/cursors.ts";
import { integer } from "../storage/database.ts";
import { ID_SPAN } from "../storage/render.ts";
import { TEXT } from "../texts.ts";
import { positiveInteger, requiredText } from "./params.ts";
import { askedCodes, project } from "./read-records.ts";
import type { Result } from "./record-endpoints.ts";
import { type Call, callApp, openApp, type Services } from "./services.ts";

const MAX_SIZE = 500;
const DEFAULT_SIZE = 100;

/** 404 `GAIA_CN01`, for a GET too (kintone-rest §10). */
const cursorNotFound = (): KintoneError =>
  new KintoneError(404, "GAIA_CN01", {
    ja: "指定したカーソルは存在しないか、既に有効期限が切れています。",
    en: "The specified cursor does not exist or has already expired.",
  });

/** 429 `GAIA_TM12` (kintone-rest §10). */
const noRoom = (): KintoneError =>
  new KintoneError(429, "GAIA_TM12", {
    ja: "作成できるカーソルの上限に達しているため、カーソルを作成できません。不要なカーソルを削除するか、しばらく経ってから再実行してください。",
    en: "The cursor cannot be created because the number of cursors has reached the limit. Delete unnecessary cursors, or try again later.",
  });

function readSize(value: unknown): number {
  if (value === undefined || value === null || value === "") return DEFAULT_SIZE;
  const size = positiveInteger(value, "size");
  if (size > MAX_SIZE) {
    throw invalid("size", { ja: "最大でも500以下です。", en: "must be less than or equal to 500" });
  }
  return size;
}

/** A cursor pages by itself: `limit` and `offset` are refused (kintone-rest §10). */
function refusePaging(query: string): void {
  const { limit, offset } = parseQuery(query);
  if (limit !== null || offset !== null) throw invalid("query", TEXT.querySyntax);
}

/** POST `records/cursor.json`: freezes the list of record ids (kintone-rest §10). */
export function postCursor(services: Services, call: Call): Result {
  const app = callApp(services, call);
  const size = readSize(call.params.size);
  call.actor.require(app, "view");
  const query = requiredQuery(call.params.query);
  const compiled = services.compile(app, query, call.actor);
  refusePaging(query);
  if (!services.cursors.hasRoom()) throw noRoom();
  const { account } = call.actor;
  const keys =
    account !== null && isRestricted(app, call.actor)
      ? restrictedKeys(services, app, { ...call.actor, account }, compiled)
      : services.database
          .sql(`SELECT key FROM (${compiled.select})`)
          .all(...compiled.params, -1, 0)
          .map((row) => integer(row, "key"));
  const codes = askedCodes(app, call.params.fields);
  const { guestSpaceId } = call;
  const cursor = services.cursors.open({ app: app.id, guestSpaceId, keys, size, codes });
  return { id: cursor.id, totalCount: String(keys.length) };
}

const requiredQuery = (value: unknown): string =>
  value === undefined || value === null ? "" : String(value);

function openCursor(services: Services, call: Call): { readonly cursor: Cursor; readonly app: AppState } {
  const cursor = services.cursors.find(requiredText(call.params.id, "id"));
  if (cursor === null) throw cursorNotFound();
  const app = openApp(services, call, services.apps.find(cursor.app), cursor.app);
  call.actor.require(app, "view");
  return { cursor, app };
}

/** Today's body of a record of the frozen list; null when it was deleted since (kintone-rest §10). */
function bodyOf(services: Services, call: Call, app: AppState, cursor: Cursor, key: number): string | null {
  const id = key % ID_SPAN;
  const body = services.records.findBody(app, id);
  if (body === null) return null;
  const { account } = call.actor;
  const seen =
    account !== null && isRestricted(app, call.actor)
      ? JSON.stringify(dropHidden(services, app, account, body, id))
      : body;
  return cursor.codes === null ? seen : project(seen, new Set(cursor.codes));
}

/** GET `records/cursor.json`: the next rows; the cursor is gone after `next: false` (kintone-rest §10). */
export function getCursor(services: Services, call: Call): string {
  const { cursor, app } = openCursor(services, call);
  const end = cursor.position + cursor.size;
  const bodies = cursor.keys
    .slice(cursor.position, end)
    .map((key) => bodyOf(services, call, app, cursor, key))
    .filter((body) => body !== null);
  const next = end < cursor.keys.length;
  if (next) services.cursors.advance(cursor, end);
  else services.cursors.close(cursor.id);
  return `{"records":[${bodies.join(",")}],"next":${next}}`;
}

/** DELETE `records/cursor.json` (kintone-rest §10). */
export function deleteCursor(services: Services, call: Call): Result {
  const { cursor } = openCursor(services, call);
  services.cursors.close(cursor.id);
  return {};
}
