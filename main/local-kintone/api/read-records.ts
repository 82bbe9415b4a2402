import type { AppState } from "../model.ts";
import { integer } from "../storage/database.ts";
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
  return `{"record":${body}}`;
}

/** Keeps only the listed codes; a code the record lacks is passed over (kintone-rest §6). */
function project(body: string, codes: ReadonlySet<string>): string {
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

/** GET `records.json` (kintone-rest §6, §13). Bodies are stored as answered, so a page is a concatenation. */
export function getRecords(services: Services, call: Call): string {
  const app: AppState = callApp(services, call);
  call.actor.require(app, "view");
  const { params } = call;
  const query = params.query === undefined || params.query === null ? "" : String(params.query);
  const codes = fieldCodes(params.fields);
  const compiled = services.compile(app, query, call.actor);
  const rows = services.database
    .sql(compiled.select)
    .all(...compiled.params, compiled.limit, compiled.offset);
  const bodies = rows.map((row) => {
    const body = services.records.currentBody(app, row);
    return codes === null ? body : project(body, codes);
  });
  const count = truthy(params.totalCount) ? `"${total(services, compiled.count, compiled.params)}"` : "null";
  return `{"records":[${bodies.join(",")}],"totalCount":${count}}`;
}
