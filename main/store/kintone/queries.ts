import { quote } from "../../../shared/records/index.ts";
import { type RawRecord, recordIdOf } from "../../kintone-client/index.ts";

/** The one column the store itself must know: the unique key every record is found by (wire-format §2.3). */
const KEY_FIELD = "record_key";

/** Records by unique key, several at once. */
export const recordsByKeys = (keys: readonly string[]): string =>
  `${KEY_FIELD} in (${keys.map(quote).join(",")})`;

/** Records by `$id`; one row each. */
export const recordsByIds = (ids: readonly string[]): string =>
  `$id in (${ids.map(quote).join(",")}) limit ${ids.length}`;

/** Text of a system or key column, or null when the record does not carry it as text. */
function cell(record: RawRecord, code: string): string | null {
  const field = record[code];
  if (typeof field !== "object" || field === null || !("value" in field)) return null;
  return typeof field.value === "string" ? field.value : null;
}

/** Unique key of a raw record. */
export const keyOf = (record: RawRecord): string | null => cell(record, KEY_FIELD);

/** `$id` and `$revision` of raw records. */
export const revisionsOf = (records: readonly RawRecord[]): ReadonlyMap<string, string | null> =>
  new Map(records.map((record) => [recordIdOf(record) ?? "", cell(record, "$revision")]));
