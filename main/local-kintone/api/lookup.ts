import type { AppField, AppState, FieldValue, Lookup, StoredRecord } from "../model.ts";
import { recordNumber } from "../storage/render.ts";
import { lookupFailed } from "../texts.ts";
import { normalizeDecimal } from "../values/decimal.ts";
import { indexKey } from "../values/index-keys.ts";
import { rawValue } from "./params.ts";
import type { Call, Services } from "./services.ts";

/** What the lookups of a form, or of a table row, do to a written record. */
export interface Copies {
  /** Fields that only a lookup fills; what a request sends for them is passed over. */
  readonly targets: ReadonlySet<string>;
  /** New values of those, from the sources that were found. */
  readonly values: ReadonlyMap<string, unknown>;
}

const NONE: Copies = { targets: new Set(), values: new Map() };

function sourceApp(services: Services, { relatedApp }: Lookup): AppState | null {
  return relatedApp.app === ""
    ? services.apps.findByCode(relatedApp.code)
    : services.apps.find(Number(relatedApp.app));
}

function findSource(services: Services, app: AppState, code: string, value: string): StoredRecord | null {
  const isId =
    code === "$id" || app.system.some((field) => field.type === "RECORD_NUMBER" && field.code === code);
  if (isId) {
    const bare =
      app.code !== "" && value.startsWith(`${app.code}-`) ? value.slice(app.code.length + 1) : value;
    return /^\d{1,10}$/.test(bare) ? services.records.find(app, Number(bare)) : null;
  }
  const field = app.fields.get(code);
  if (field === undefined) return null;
  const { type } = field.definition;
  const text = type === "NUMBER" ? normalizeDecimal(value) : value;
  if (text === null) return null;
  const [id, second] = services.records.findByKey(field, indexKey(type, text));
  // Two sources are no source: nobody could say which one was meant.
  return id === undefined || second !== undefined ? null : services.records.find(app, id);
}

function sourceValue(app: AppState, record: StoredRecord, code: string): FieldValue {
  const system = app.system.find((field) => field.code === code)?.type;
  if (system === "RECORD_NUMBER") return recordNumber(app, record.id);
  if (system === "CREATED_TIME") return record.createdAt;
  if (system === "UPDATED_TIME") return record.updatedAt;
  if (system === "CREATOR") return [record.creator];
  if (system === "MODIFIER") return [record.modifier];
  return record.values[code] ?? "";
}

function copyOne(
  services: Services,
  call: Call,
  lookup: Lookup,
  key: { readonly code: string; readonly value: string },
): readonly (readonly [string, unknown])[] {
  if (key.value === "") return lookup.fieldMappings.map(({ field }) => [field, ""]);
  const app = sourceApp(services, lookup);
  // The source has to be readable with the credentials of the write (kintone-rest §4).
  if (app === null || !call.actor.holds(app, "view")) throw lookupFailed(key.value, key.code);
  const source = findSource(services, app, lookup.relatedKeyField, key.value);
  if (source === null) throw lookupFailed(key.value, key.code);
  return lookup.fieldMappings.map(({ field, relatedField }) => [
    field,
    sourceValue(app, source, relatedField),
  ]);
}

/**
 * Copies what written lookups bring from their related apps; throws 400 `GAIA_LO04` for a key the source does not
 * have. `record` is the written record or row, `fields` the form or the table it belongs to.
 */
export function copyLookups(
  services: Services,
  call: Call,
  fields: ReadonlyMap<string, AppField>,
  record: Readonly<Record<string, unknown>>,
): Copies {
  let copies: { readonly targets: Set<string>; readonly values: Map<string, unknown> } | null = null;
  for (const [code, { definition }] of fields) {
    const { lookup } = definition;
    if (lookup === null) continue;
    copies ??= { targets: new Set(), values: new Map() };
    for (const { field } of lookup.fieldMappings) copies.targets.add(field);
    if (!Object.hasOwn(record, code)) continue;
    const raw = rawValue(record[code]);
    const value = typeof raw === "string" || typeof raw === "number" ? String(raw) : "";
    for (const [field, copy] of copyOne(services, call, lookup, { code, value }))
      copies.values.set(field, copy);
  }
  return copies ?? NONE;
}
