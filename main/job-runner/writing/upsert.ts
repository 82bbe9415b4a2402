import {
  getRecords,
  READ_RECORDS_MAX,
  type RecordBody,
  recordIdOf,
  WRITE_RECORDS_MAX,
} from "../../kintone-client/index.ts";
import { RunFailure } from "../run/failure.ts";
import { cellText, type SourceField } from "../sources/form.ts";
import { sortKey } from "../values/sort-key.ts";
import { type Change, updateChunk } from "./change.ts";
import { createInserter } from "./insert.ts";
import { groupsOf, LOOKUP_MAX, lookBack, quoted, recordHolds, type Target } from "./read-back.ts";
import { chunksOf } from "./rows.ts";
import { type SendDeps, type Settled, sendChunk } from "./send-chunk.ts";

/** A record body that still holds its key. */
export type KeyedBody = RecordBody;

export interface UpsertDeps extends SendDeps {
  /** Told how many records a look-up received. */
  readonly onRows: (rows: number) => void;
}

const keyText = (body: KeyedBody, key: SourceField): string => String(body[key.name]?.value ?? "");

/** Keys that kintone takes for the same: numbers by value, texts exactly (kintone-rest §6). */
export const keyIdentity = (text: string, key: SourceField): string => sortKey(text, key.type);

const withoutKey = (body: KeyedBody, key: SourceField): RecordBody =>
  Object.fromEntries(Object.entries(body).filter(([code]) => code !== key.name));

async function settleByKey(
  bodies: readonly KeyedBody[],
  key: SourceField,
  target: Target,
  deps: SendDeps,
): Promise<Settled> {
  const codes = Object.keys(bodies[0] ?? {});
  const found = await lookBack(deps.calls, target, codes, keyConditions(bodies, key));
  if (found === null) return "unclear";
  const byKey = new Map(found.map((record) => [keyIdentity(cellText(record[key.name]), key), record]));
  const held = bodies.every((body) => {
    const record = byKey.get(keyIdentity(keyText(body, key), key));
    return record !== undefined && recordHolds(record, body, target);
  });
  return held ? "applied" : "absent";
}

function keyConditions(bodies: readonly KeyedBody[], key: SourceField): readonly string[] {
  return groupsOf(bodies, LOOKUP_MAX).map(
    (group) => `${key.name} in (${group.map((body) => quoted(keyText(body, key))).join(", ")})`,
  );
}

/**
 * The native path of UPSERT (job-dialect §5.7): one PUT with `upsert` for 100 records. The caller has made sure
 * that every key is filled and that none repeats.
 */
export async function upsertNative(
  bodies: Iterable<KeyedBody>,
  key: SourceField,
  target: Target,
  deps: UpsertDeps,
): Promise<void> {
  for (const chunk of chunksOf(bodies, WRITE_RECORDS_MAX)) {
    const entries = chunk.map((body) => ({
      updateKey: { field: key.name, value: keyText(body, key) },
      record: withoutKey(body, key),
    }));
    const last = chunk.at(-1);
    await sendChunk(
      {
        request: { kind: "updateRecords", app: target.appId, entries, upsert: true },
        what: `upsert records of ${target.label}`,
        records: chunk.length,
        lastKey: last === undefined ? null : keyText(last, key),
        settle: () => settleByKey(chunk, key, target, deps),
        repeatable: true,
      },
      deps,
    );
  }
}

/**
 * The other path (job-dialect §5.7, §5.9): look up the keys, then POST what is new and PUT what is there. A key
 * that comes again begins a new chunk, so that it finds the record the first one made and the last row wins.
 */
export async function upsertByLookup(
  bodies: Iterable<KeyedBody>,
  key: SourceField,
  target: Target,
  deps: UpsertDeps,
): Promise<void> {
  const inserter = createInserter(target, key, deps);
  for (const chunk of distinctChunks(bodies, key)) {
    deps.check();
    const ids = await lookUp(chunk, key, target, deps);
    const idOf = (body: KeyedBody): string | undefined => ids.get(keyIdentity(keyText(body, key), key));
    const changes: Change[] = [];
    const added: KeyedBody[] = [];
    for (const body of chunk) {
      const id = idOf(body);
      if (id === undefined) added.push(body);
      else changes.push({ id, record: withoutKey(body, key) });
    }
    if (added.length > 0) await inserter.insert(added);
    const last = chunk.findLast((body) => idOf(body) !== undefined);
    if (last !== undefined) await updateChunk(changes, keyText(last, key), target, deps);
  }
}

function* distinctChunks(
  bodies: Iterable<KeyedBody>,
  key: SourceField,
): Generator<readonly KeyedBody[], void, void> {
  let chunk: KeyedBody[] = [];
  let seen = new Set<string>();
  for (const body of bodies) {
    const text = keyText(body, key);
    const identity = keyIdentity(text, key);
    if (chunk.length === WRITE_RECORDS_MAX || (text !== "" && seen.has(identity))) {
      yield chunk;
      chunk = [];
      seen = new Set();
    }
    chunk.push(body);
    seen.add(identity);
  }
  if (chunk.length > 0) yield chunk;
}

/** `$id` by key identity of the records that exist. */
async function lookUp(
  chunk: readonly KeyedBody[],
  key: SourceField,
  target: Target,
  deps: UpsertDeps,
): Promise<ReadonlyMap<string, string>> {
  const filled = chunk.filter((body) => keyText(body, key) !== "");
  const wanted = new Set(filled.map((body) => keyIdentity(keyText(body, key), key)));
  const ids = new Map<string, string>();
  for (const condition of keyConditions(filled, key)) {
    deps.check();
    const query = `${condition} order by $id asc limit ${READ_RECORDS_MAX}`;
    const operation = getRecords(target.appId, query, [key.name, "$id"]);
    const page = await deps.calls.read(operation, `look up keys in ${target.label}`);
    deps.onRows(page.length);
    for (const record of page) {
      const identity = keyIdentity(cellText(record[key.name]), key);
      const id = recordIdOf(record);
      if (id === null || !wanted.has(identity)) continue;
      if (ids.has(identity)) throw severalMatches(cellText(record[key.name]), key, target);
      ids.set(identity, id);
    }
  }
  return ids;
}

function severalMatches(text: string, key: SourceField, target: Target): RunFailure {
  const message = `Several records of ${target.label} have the key ${key.name} = '${text}'; none of them was changed.`;
  return new RunFailure("SQL_ERROR", "ArgumentError", message);
}
