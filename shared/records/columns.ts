/**
 * The few columns that are not one record type's own: how any record is found, and the system columns of an
 * answer. Whoever needs one asks here; the code itself stays in this folder.
 */

/** The unique key every record of the state and audit app is found by (wire-format §2.3). */
export const RECORD_KEY_FIELD = "record_key";
/** Unique columns of a lock record: a refused insert names one of them (wire-format §4.3). */
export const LOCK_UNIQUE_FIELDS = [RECORD_KEY_FIELD, "lock_key"] as const;
/** The column a record of another type differs in first. */
export const RECORD_TYPE_FIELD = "record_type";
/** Types of the state app that a reader tells apart without reading the record whole. */
export const HOLD_RECORD_TYPE = "CANCEL_REQUEST";
export const LOCK_RECORD_TYPE = "NETWORK_LOCK";

type RawColumns = Readonly<Record<string, unknown>>;

function textOf(record: RawColumns, code: string): string | null {
  const field = record[code];
  if (typeof field !== "object" || field === null || !("value" in field)) return null;
  return typeof field.value === "string" ? field.value : null;
}

/** Unique key of a record as it was answered; null when it carries none as text. */
export const recordKeyOf = (record: RawColumns): string | null => textOf(record, RECORD_KEY_FIELD);
/** `$revision` of a record as it was answered; null when it carries none. */
export const revisionTextOf = (record: RawColumns): string | null => textOf(record, "$revision");
