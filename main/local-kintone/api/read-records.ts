import { requireRecord } from "../access/enforce.ts";
import { dropHidden, isRestricted, restrictedPage } from "../access/restricted-read.ts";
import { type AppState, ASSIGNEE_CODE, STATUS_CODE } from "../model.ts";
import type { CompiledQuery } from "../query/compile.ts";
import { integer } from "../storage/database.ts";
import { isShown } from "../storage/render.ts";
import { recordNotFound } from "../texts.ts";
import { isObject, optionalList, positiveInteger, requiredText, truthy } from "./params.ts";
import { type Call, callApp, type Services } from "./services.ts";

/** GET `record.json`: the whole record (kintone-rest §6). Answers JSON text. */
export function getRecord(services: Services, call: Call): string {
  const app = callApp(services, call);
  call.actor.require(app, "view");
  const id = positiveInteger(call.params.id, "id");
  const body = services.records.findBody(app, id);
  if (body === null) throw recordNotFound(id);
  const { account } = call.actor;
  if (account === null || !isRestricted(app, call.actor)) return `{"record":${body}}`;
  const record = services.records.find(app, id);
  if (record !== null) requireRecord(services, call, app, record, "viewable");
  return JSON.stringify({ record: dropHidden(services, app, account, body, id) });
}

/** Keeps only the listed codes. */
export function project(body: string, codes: ReadonlySet<string>): string {
  const parsed: unknown = JSON.parse(body);
  if (!isObject(parsed)) return body;
  return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([code]) => codes.has(code))));
}

function total(services: Services, count: string, params: readonly (string | number)[]): string {
  const row = services.database.sql(count).get(...params);
  return row === undefined ? "0" : String(integer(row, "total"));
}

function fieldCodes(value: unknown): ReadonlySet<string> | null {
  const list = optionalList(value);
  if (list === null || list.length === 0) return null;
  return new Set(list.map((code) => requiredText(code, "fields")));
}

/** Codes a record answers, of those asked for; an unknown one is passed over (kintone-rest §6). */
function knownCodes(app: AppState, codes: ReadonlySet<string>): readonly string[] {
  const process = app.process === null ? [] : [STATUS_CODE, ASSIGNEE_CODE];
  const always = new Set(["$id", "$revision", ...app.system.map((field) => field.code), ...process]);
  return [...codes].filter((code) => {
    const field = app.fields.get(code);
    return always.has(code) || (field !== undefined && isShown(field));
  });
}

/** Codes the `fields` parameter asks for; null asks for every field. */
export function askedCodes(app: AppState, value: unknown): readonly string[] | null {
  const asked = fieldCodes(value);
  return asked === null ? null : knownCodes(app, asked);
}

/** How the answer of a page begins. */
const BEGIN = '{"records":[';

/** More members than this SQLite cannot put into one object. */
const MAX_MEMBERS = 400;

/** SQL of a record in a page: the stored body, or an object of some of its members. */
function recordExpression(codes: readonly string[] | null): string {
  if (codes === null) return "body";
  // Field codes hold no quote (fields.ts), and these are known ones.
  const members = codes.map((code) => `'${code}', json_extract(body, '$."${code}"')`);
  return `json_object(${members.join(", ")})`;
}

/**
 * The answer as bytes, assembled inside SQLite, its end included: 500 records never become 500 JavaScript texts, and
 * their bytes are not copied once more, which would keep the collector busy. Null when a row was stored for an older
 * form, or too many fields are asked for. The inner LIMIT keeps the order of the rows it delivers.
 */
function assemblePage(
  services: Services,
  app: AppState,
  compiled: CompiledQuery,
  codes: readonly string[] | null,
  end: string,
): Uint8Array | null {
  if (codes !== null && codes.length > MAX_MEMBERS) return null;
  const row = services.database
    .sql(
      `SELECT MIN(form) AS oldest, MAX(form) AS newest,
         CAST('${BEGIN}' || COALESCE(group_concat(${recordExpression(codes)}, ','), '') || ? AS BLOB) AS page
       FROM (${compiled.select})`,
    )
    .get(end, ...compiled.params, compiled.limit, compiled.offset);
  const isCurrent = row?.oldest === null || (row?.oldest === app.form && row.newest === app.form);
  return isCurrent && row?.page instanceof Uint8Array ? row.page : null;
}

function renderPage(
  services: Services,
  app: AppState,
  compiled: CompiledQuery,
  codes: readonly string[] | null,
  end: string,
): Uint8Array {
  const rows = services.database
    .sql(compiled.select)
    .all(...compiled.params, compiled.limit, compiled.offset);
  const wanted = codes === null ? null : new Set(codes);
  const bodies = rows.map((row) => {
    const body = services.records.currentBody(app, row);
    return wanted === null ? body : project(body, wanted);
  });
  return Buffer.from(`${BEGIN}${bodies.join(",")}${end}`, "utf8");
}

/** GET `records.json` (kintone-rest §6, §13). Answers JSON as bytes. */
export function getRecords(services: Services, call: Call): Uint8Array {
  const app: AppState = callApp(services, call);
  call.actor.require(app, "view");
  const { params } = call;
  const query = params.query === undefined || params.query === null ? "" : String(params.query);
  const codes = askedCodes(app, params.fields);
  const compiled = services.compile(app, query, call.actor);
  const { account } = call.actor;
  if (account !== null && isRestricted(app, call.actor)) {
    const seen = restrictedPage(services, app, { ...call.actor, account }, compiled, codes);
    const found = truthy(params.totalCount) ? `"${seen.total()}"` : "null";
    return Buffer.from(`{"records":[${seen.records.join(",")}],"totalCount":${found}}`);
  }
  const count = truthy(params.totalCount) ? `"${total(services, compiled.count, compiled.params)}"` : "null";
  const end = `],"totalCount":${count}}`;
  return assemblePage(services, app, compiled, codes, end) ?? renderPage(services, app, compiled, codes, end);
}
