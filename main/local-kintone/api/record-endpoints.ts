import { requireRecord } from "../access/enforce.ts";
import { invalid } from "../errors.ts";
import type { AppState } from "../model.ts";
import { duplicateKeyInRequest, recordNotFound, TEXT } from "../texts.ts";
import { checkRevision, inBatch, lookUp, mustFind, readTarget, SINGLE, type Target } from "./find-record.ts";
import { expectedRevision, isObject, optionalList, positiveInteger, truthy } from "./params.ts";
import { recordObject } from "./record-input.ts";
import { type Call, callApp, type Services } from "./services.ts";
import { type Change, insertRows, removeRow, updateRows, type Written } from "./write-records.ts";

const MAX_ROWS = 100;

/** A result that becomes the JSON answer. */
export type Result = Readonly<Record<string, unknown>>;

/** POST `record.json` (kintone-rest §6). */
export function postRecord(services: Services, call: Call): Result {
  const app = callApp(services, call);
  call.actor.require(app, "add");
  const record = recordObject(call.params.record, "record");
  const [written] = insertRows(services, call, app, [{ record, prefix: "record" }]);
  if (written === undefined) throw new Error("an insert of one row wrote none");
  return { id: String(written.id), revision: String(written.revision) };
}

/** POST `records.json`, at most 100 rows, all or none (kintone-rest §6). */
export function postRecords(services: Services, call: Call): Result {
  const app = callApp(services, call);
  call.actor.require(app, "add");
  const list = rowList(call.params.records);
  if (list.length > MAX_ROWS) throw invalid("records", TEXT.addLimit);
  const rows = list.map((row, index) => {
    const prefix = `records[${index}]`;
    // Only the single form may leave its record out (kintone-rest §6).
    if (!isObject(row)) throw invalid(prefix, TEXT.badShape);
    return { record: recordObject(row, prefix), prefix };
  });
  const written = insertRows(services, call, app, rows);
  return {
    ids: written.map((row) => String(row.id)),
    revisions: written.map((row) => String(row.revision)),
  };
}

function rowList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) throw invalid("records", TEXT.parameterRequired);
  if (!Array.isArray(value)) throw invalid("records", TEXT.badShape);
  return value;
}

/** PUT `record.json` by `id` or `updateKey` (kintone-rest §6, §7). */
export function putRecord(services: Services, call: Call): Result {
  const app = callApp(services, call);
  const target = readTarget(app, call.params, SINGLE);
  call.actor.require(app, "edit");
  const before = mustFind(services, app, target);
  checkRevision(before, target.revision);
  if (!target.hasRecord) return { revision: String(before.revision) };
  const [written] = updateRows(services, call, app, [{ record: target.record, prefix: "record", before }]);
  if (written === undefined) throw new Error("an update of one row wrote none");
  return { revision: String(written.revision) };
}

/** PUT `records.json`, at most 100 rows, all or none, with or without `upsert` (kintone-rest §6). */
export function putRecords(services: Services, call: Call): Result {
  const app = callApp(services, call);
  const upsert = truthy(call.params.upsert);
  const list = rowList(call.params.records);
  if (list.length > MAX_ROWS) throw invalid("records", TEXT.updateLimit);
  const targets = list.map((entry, index) => {
    if (!isObject(entry)) throw invalid(`records[${index}]`, TEXT.badShape);
    return readTarget(app, entry, inBatch(index));
  });
  if (upsert) call.actor.require(app, "edit", "add");
  else call.actor.require(app, "edit");
  return { records: writeTargets(services, call, app, { targets, upsert }) };
}

interface Planned {
  readonly target: Target;
  readonly before: ReturnType<typeof lookUp>;
  readonly prefix: string;
}

function refuseDoubles(plan: readonly Planned[]): void {
  const seen = new Set<string>();
  for (const { target, before } of plan) {
    const name = before === null ? `key ${target.key?.indexKey ?? ""}` : `id ${before.id}`;
    if (before === null && target.key === null) continue;
    if (seen.has(name)) throw duplicateKeyInRequest();
    seen.add(name);
  }
}

function updatePlanned(
  services: Services,
  call: Call,
  app: AppState,
  plan: readonly Planned[],
): ReadonlyMap<Planned, Written> {
  const results = new Map<Planned, Written>();
  const changes: { readonly planned: Planned; readonly change: Change }[] = [];
  for (const planned of plan) {
    const { before, target, prefix } = planned;
    if (before === null) continue;
    checkRevision(before, target.revision);
    if (target.hasRecord) changes.push({ planned, change: { before, record: target.record, prefix } });
    else results.set(planned, { id: before.id, revision: before.revision });
  }
  const rows = changes.map(({ change }) => change);
  updateRows(services, call, app, rows).forEach((written, index) => {
    const planned = changes[index]?.planned;
    if (planned !== undefined) results.set(planned, written);
  });
  return results;
}

function writeTargets(
  services: Services,
  call: Call,
  app: AppState,
  input: { readonly targets: readonly Target[]; readonly upsert: boolean },
): readonly Result[] {
  const { targets, upsert } = input;
  const plan: Planned[] = targets.map((target, index) => {
    const before = upsert ? lookUp(services, app, target) : mustFind(services, app, target);
    return { target, before, prefix: `records[${index}]` };
  });
  refuseDoubles(plan);
  const updated = updatePlanned(services, call, app, plan);
  const fresh = plan.filter(({ before }) => before === null);
  const rows = fresh.map(({ target, prefix }) => ({ record: withKey(target), prefix }));
  const inserted = insertRows(services, call, app, rows);
  return plan.map((planned) => {
    const update = updated.get(planned);
    if (update !== undefined) return shown(update, upsert, "UPDATE");
    const insert = inserted[fresh.indexOf(planned)];
    if (insert === undefined) throw new Error("a planned row was neither updated nor inserted");
    return shown(insert, upsert, "INSERT");
  });
}

/** An upsert that inserts takes the key value from `updateKey` (kintone-rest §6). */
function withKey(target: Target): Readonly<Record<string, unknown>> {
  if (target.key === null) return target.record;
  return { ...target.record, [target.key.field.definition.code]: { value: target.key.value } };
}

function shown(written: Written, upsert: boolean, operation: "INSERT" | "UPDATE"): Result {
  const base = { id: String(written.id), revision: String(written.revision) };
  return upsert ? { ...base, operation } : base;
}

/** DELETE `records.json`, 1 to 100 ids, all or none (kintone-rest §6). */
export function deleteRecords(services: Services, call: Call): Result {
  const app = callApp(services, call);
  const ids = optionalList(call.params.ids);
  if (ids === null) throw invalid("ids", ...missingIds());
  if (ids.length === 0 || ids.length > MAX_ROWS) throw invalid("ids", TEXT.deleteLimit);
  const revisions = optionalList(call.params.revisions) ?? [];
  const targets = ids.map((id, index) => ({
    id: positiveInteger(id, `ids[${index}]`),
    revision: expectedRevision(revisions[index], `revisions[${index}]`),
  }));
  call.actor.require(app, "delete");
  for (const { id, revision } of targets) {
    const record = services.records.find(app, id);
    if (record === null) throw recordNotFound(id);
    requireRecord(services, call, app, record, "deletable");
    checkRevision(record, revision);
    removeRow(services, app, record);
  }
  return {};
}

/** The two messages stand in opposite orders in the two languages (kintone-rest §6). */
function missingIds(): readonly { readonly ja: string; readonly en: string }[] {
  return [
    { ja: TEXT.parameterRequired.ja, en: TEXT.deleteLimit.en },
    { ja: TEXT.deleteLimit.ja, en: TEXT.parameterRequired.en },
  ];
}
