import { invalid } from "../errors.ts";
import type { AppField, AppState, StoredRecord } from "../model.ts";
import { noRecordForKey, recordNotFound, staleRevision, TEXT, unknownField } from "../texts.ts";
import { normalizeDecimal } from "../values/decimal.ts";
import { indexKey } from "../values/index-keys.ts";
import { expectedRevision, isObject, positiveInteger } from "./params.ts";
import { recordObject } from "./record-input.ts";
import type { Services } from "./services.ts";

/** One entry of a PUT after its shape was checked (kintone-rest §6). */
export interface Target {
  readonly id: number | null;
  readonly key: { readonly field: AppField; readonly value: string; readonly indexKey: string } | null;
  readonly record: Readonly<Record<string, unknown>>;
  /** False when the PUT carried no `record` at all: then nothing is updated. */
  readonly hasRecord: boolean;
  readonly revision: number | null;
}

/** How error keys name an entry: its place in the batch, or none for a single PUT. */
export interface Place {
  /** `records[i].` or empty, for parameters. */
  readonly parameters: string;
  /** `records[i]` or `record`, for field values. */
  readonly fields: string;
  /** `records[i].record` or `record`, for the key-field refusal. */
  readonly record: string;
}

export const SINGLE: Place = { parameters: "", fields: "record", record: "record" };
export const inBatch = (index: number): Place => ({
  parameters: `records[${index}].`,
  fields: `records[${index}]`,
  record: `records[${index}].record`,
});

function keyField(app: AppState, raw: unknown, place: Place): AppField {
  const code = typeof raw === "string" ? raw : "";
  if (code === "") throw invalid(`${place.parameters}updateKey.field`, TEXT.parameterRequired);
  const field = app.fields.get(code);
  if (field === undefined) throw unknownField(code);
  const { type, unique } = field.definition;
  if (!unique || (type !== "SINGLE_LINE_TEXT" && type !== "NUMBER")) {
    throw invalid(`${place.parameters}updateKey.field`, TEXT.enumValue);
  }
  return field;
}

function readKey(app: AppState, raw: unknown, place: Place): NonNullable<Target["key"]> {
  if (!isObject(raw)) throw invalid(`${place.parameters}updateKey`, TEXT.badShape);
  const field = keyField(app, raw.field, place);
  const given = raw.value;
  const value = typeof given === "string" || typeof given === "number" ? String(given) : "";
  const at = `${place.parameters}updateKey.value`;
  if (value === "") throw invalid(at, TEXT.parameterRequired);
  if (field.definition.type === "SINGLE_LINE_TEXT") {
    return { field, value, indexKey: indexKey("SINGLE_LINE_TEXT", value) };
  }
  const decimal = normalizeDecimal(value);
  if (decimal === null) throw invalid(at, TEXT.notNumber);
  return { field, value: decimal, indexKey: indexKey("NUMBER", decimal) };
}

/** Checks the shape of a PUT entry; `id` and `updateKey` exclude each other. */
export function readTarget(app: AppState, entry: Readonly<Record<string, unknown>>, place: Place): Target {
  const rawKey = entry.updateKey ?? undefined;
  const rawId = entry.id ?? undefined;
  if (rawKey !== undefined && rawId !== undefined) {
    throw invalid(`${place.parameters}updateKey`, TEXT.idAndKey);
  }
  const key = rawKey === undefined ? null : readKey(app, rawKey, place);
  const id = rawId === undefined && key !== null ? null : positiveInteger(rawId, `${place.parameters}id`);
  const record = recordObject(entry.record, `${place.parameters}record`);
  if (key !== null && Object.hasOwn(record, key.field.definition.code)) {
    throw invalid(`${place.record}[${key.field.definition.code}]`, TEXT.keyFieldInRecord);
  }
  return {
    id,
    key,
    record,
    hasRecord: entry.record !== undefined && entry.record !== null,
    revision: expectedRevision(entry.revision, `${place.parameters}revision`),
  };
}

/** The stored record of a target, or null when its key or id matches none. */
export function lookUp(services: Services, app: AppState, target: Target): StoredRecord | null {
  if (target.key === null) return target.id === null ? null : services.records.find(app, target.id);
  const id = services.records.findUnique(target.key.field.no, target.key.indexKey);
  return id === null ? null : services.records.find(app, id);
}

/** Like {@link lookUp}, but throws 404 `GAIA_RE01` / `GAIA_RE20`. */
export function mustFind(services: Services, app: AppState, target: Target): StoredRecord {
  const record = lookUp(services, app, target);
  if (record !== null) return record;
  throw target.key === null ? recordNotFound(target.id ?? 0) : noRecordForKey();
}

/** Throws 409 `GAIA_CO02` when a revision was given and is not the stored one (kintone-rest §7). */
export function checkRevision(record: StoredRecord, revision: number | null): void {
  if (revision !== null && revision !== record.revision) throw staleRevision();
}
