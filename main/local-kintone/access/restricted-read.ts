import { type Actor, unbound } from "../api/auth.ts";
import { isObject } from "../api/params.ts";
import type { Services } from "../api/services.ts";
import type { AppState } from "../model.ts";
import type { CompiledQuery } from "../query/compile.ts";
import type { RecordRight } from "../settings/settings-model.ts";
import type { Account } from "../storage/accounts.ts";
import { type Database, integer, type Row } from "../storage/database.ts";
import { ID_SPAN } from "../storage/render.ts";
import { isEntity } from "./entities.ts";
import { hiddenFields } from "./field-access.ts";

interface Fragment {
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

/** Registers what the fragments below call: whether a field of a stored body names one of some codes. */
export function installAccessFunctions(database: Database): void {
  database.defineFunction("kintone_names", (body, code, codes) => {
    const parsed: unknown = JSON.parse(String(body));
    const entry = isObject(parsed) ? parsed[String(code)] : undefined;
    const value = isObject(entry) ? entry.value : undefined;
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const wanted: unknown = JSON.parse(String(codes));
    const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
    return items.some((item) => isObject(item) && list.includes(item.code)) ? 1 : 0;
  });
}

/** 1 where the account may see a row `q` that meets the condition of this right. */
function viewable(app: AppState, account: Account, right: RecordRight): Fragment {
  const context = { appCreator: app.creator.code, record: null };
  const codes = JSON.stringify([account.code, ...account.groups, ...account.organizations]);
  const branches: string[] = [];
  const params: string[] = [];
  for (const candidate of right.entities) {
    const sees = candidate.viewable ? "1" : "0";
    if (candidate.entity.type === "FIELD_ENTITY") {
      branches.push(`WHEN kintone_names(q.body, ?, ?) THEN ${sees}`);
      params.push(candidate.entity.code ?? "", codes);
    } else if (isEntity(account, candidate, context)) {
      branches.push(`WHEN 1 THEN ${sees}`);
      break;
    }
  }
  return branches.length === 0
    ? { sql: "0", params }
    : { sql: `CASE ${branches.join(" ")} ELSE 0 END`, params };
}

/** 1 where the account may see a row `q`; null when record rights concern no row (kintone-rest §12). */
function rowFilter(services: Services, app: AppState, actor: Actor, account: Account): Fragment | null {
  const { recordRights } = app.settings;
  if (recordRights.length === 0) return null;
  const params: (string | number)[] = [];
  const branches = recordRights.map((right) => {
    const sees = viewable(app, account, right);
    if (right.filterCond === "") {
      params.push(...sees.params);
      return `WHEN 1 THEN ${sees.sql}`;
    }
    const compiled = services.compile(app, right.filterCond, unbound(actor));
    params.push(...compiled.params, ...sees.params);
    return `WHEN q.key IN (SELECT key FROM (${compiled.source})) THEN ${sees.sql}`;
  });
  return { sql: `CASE ${branches.join(" ")} ELSE 1 END`, params };
}

/** Drops the members of a record that the account may not see. */
export function dropHidden(
  services: Services,
  app: AppState,
  account: Account,
  body: string,
  id: number,
): Readonly<Record<string, unknown>> {
  const hidden = hiddenFields(app, account, services.records.find(app, id));
  const parsed: unknown = JSON.parse(body);
  const entries = isObject(parsed) ? Object.entries(parsed) : [];
  return Object.fromEntries(entries.filter(([code]) => !hidden.has(code)));
}

/** What a restricted caller gets of a query. */
export interface RestrictedPage {
  /** JSON texts of the records, in order. */
  readonly records: readonly string[];
  total(): number;
}

/** True when rights of records or fields can take something from this caller. */
export const isRestricted = (app: AppState, actor: Actor): boolean =>
  actor.account !== null && (app.settings.recordRights.length > 0 || app.settings.fieldRights.length > 0);

/** Keys of every row of a query that the caller may see, in the order of the query. */
export function restrictedKeys(
  services: Services,
  app: AppState,
  actor: Actor & { readonly account: Account },
  compiled: CompiledQuery,
): readonly number[] {
  const filter = rowFilter(services, app, actor, actor.account) ?? { sql: "1", params: [] };
  return services.database
    .sql(`SELECT q.key AS key FROM (${compiled.select}) q WHERE ${filter.sql}`)
    .all(...compiled.params, -1, 0, ...filter.params)
    .map((row) => integer(row, "key"));
}

/** Answers a query under the rights of records and fields (kintone-rest §4): rows and fields the caller may not see are not there. */
export function restrictedPage(
  services: Services,
  app: AppState,
  actor: Actor & { readonly account: Account },
  compiled: CompiledQuery,
  codes: readonly string[] | null,
): RestrictedPage {
  const filter = rowFilter(services, app, actor, actor.account) ?? { sql: "1", params: [] };
  const { database } = services;
  const rows = database
    .sql(`SELECT q.* FROM (${compiled.select}) q WHERE ${filter.sql} LIMIT ? OFFSET ?`)
    .all(...compiled.params, -1, 0, ...filter.params, compiled.limit, compiled.offset);
  const wanted = codes === null ? null : new Set(codes);
  const render = (row: Row): string => {
    const body = services.records.currentBody(app, row);
    const shown = dropHidden(services, app, actor.account, body, integer(row, "key") % ID_SPAN);
    const entries = Object.entries(shown).filter(([code]) => wanted === null || wanted.has(code));
    return JSON.stringify(Object.fromEntries(entries));
  };
  return {
    records: rows.map(render),
    total() {
      const row = database
        .sql(`SELECT COUNT(*) AS total FROM (${compiled.source}) q WHERE ${filter.sql}`)
        .get(...compiled.params, ...filter.params);
      return row === undefined ? 0 : integer(row, "total");
    },
  };
}
