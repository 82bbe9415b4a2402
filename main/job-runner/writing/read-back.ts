import {
  getRecords,
  type RawRecord,
  READ_RECORDS_MAX,
  type RecordBody,
  recordIdOf,
} from "../../kintone-client/index.ts";
import type { Calls } from "../run/calls.ts";
import { cellText, type SourceField } from "../sources/form.ts";
import { holdsSent } from "./same-cell.ts";
import type { Settled } from "./send-chunk.ts";

/** The app a statement writes, as its chunks see it. */
export interface Target {
  readonly appId: number;
  /** The app as the script calls it. */
  readonly label: string;
  readonly fields: readonly SourceField[];
}

/** A text in a kintone query. */
export const quoted = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;

/** Records per look-up by key or id (job-dialect §5.7). */
export const LOOKUP_MAX = 50;

/** `items` in groups of at most `size`. */
export function groupsOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

/** Whether a record read back holds the cells that were sent. */
export function recordHolds(record: RawRecord, body: RecordBody, { fields }: Target): boolean {
  return Object.entries(body).every(([code, { value }]) => {
    const field = fields.find(({ name }) => name === code);
    return field !== undefined && holdsSent(cellText(record[code]), value, field);
  });
}

/**
 * Reads records by a list condition, 50 a request; null when kintone does not answer. Never withheld, even
 * after a cancel: without it nobody knows what was written.
 */
export async function lookBack(
  calls: Calls,
  target: Target,
  fields: readonly string[],
  conditions: readonly string[],
): Promise<readonly RawRecord[] | null> {
  const found: RawRecord[] = [];
  for (const condition of conditions) {
    const query = `${condition} order by $id asc limit ${READ_RECORDS_MAX}`;
    const answer = await calls.readAlways(getRecords(target.appId, query, [...fields, "$id"]));
    if (answer.kind !== "ok") return null;
    found.push(...answer.value);
  }
  return found;
}

/** Settles a write that addressed records by `$id`. */
export async function settleById(
  calls: Calls,
  target: Target,
  entries: readonly { readonly id: string; readonly record: RecordBody }[],
): Promise<Settled> {
  const conditions = groupsOf(entries, LOOKUP_MAX).map(
    (group) => `$id in (${group.map(({ id }) => quoted(id)).join(", ")})`,
  );
  const codes = Object.keys(entries[0]?.record ?? {});
  const found = await lookBack(calls, target, codes, conditions);
  if (found === null) return "unclear";
  const byId = new Map(found.map((record) => [recordIdOf(record), record]));
  const held = entries.every(({ id, record }) => {
    const read = byId.get(id);
    return read !== undefined && recordHolds(read, record, target);
  });
  return held ? "applied" : "absent";
}

/** Settles a deletion: kintone deletes all records of a request or none (kintone-rest §6). */
export async function settleGone(calls: Calls, target: Target, ids: readonly string[]): Promise<Settled> {
  const conditions = groupsOf(ids, LOOKUP_MAX).map((group) => `$id in (${group.map(quoted).join(", ")})`);
  const found = await lookBack(calls, target, [], conditions);
  if (found === null) return "unclear";
  return found.length === 0 ? "applied" : "absent";
}

/**
 * Settles an insert: the records behind `afterId` are looked through for all that were sent, in their order.
 * One request is inserted as a whole, so a part of them belongs to somebody else.
 */
export async function settleInserted(
  calls: Calls,
  target: Target,
  bodies: readonly RecordBody[],
  afterId: string | null,
): Promise<Settled> {
  if (afterId === null) return "unclear";
  const codes = Object.keys(bodies[0] ?? {});
  let next = 0;
  for (let after = afterId; ; ) {
    const page = await lookBack(calls, target, codes, [`$id > ${after}`]);
    if (page === null) return "unclear";
    for (const record of page) {
      const body = bodies[next];
      if (body !== undefined && recordHolds(record, body, target)) next += 1;
    }
    if (next >= bodies.length) return "applied";
    const last = page.at(-1);
    const id = last === undefined ? null : recordIdOf(last);
    if (id === null || page.length < READ_RECORDS_MAX) return "absent";
    after = id;
  }
}
