import type { RecordRef, Stored } from "../../../shared/domain/model.ts";
import { FlowError, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { RECORD_TYPE_FIELD } from "../../../shared/records/index.ts";
import type { RawRecord } from "../../kintone-client/index.ts";

/** Reads one row of the wire. */
export type Decode<T> = (wire: unknown) => Result<Stored<T>>;

/** The value, or its problem thrown. */
export function decoded<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new FlowError(result.error);
}

/** A record key that has to be there. */
export function requireKey(key: Result<string>): string {
  return decoded(key);
}

/** The one row there may be, null for none; `MULTIPLE_RECORDS` for more. */
export function onlyOne<T extends { readonly ref: RecordRef }>(rows: readonly T[], what: string): T | null {
  const [first, ...others] = rows;
  if (others.length === 0) return first ?? null;
  throw new FlowError({
    code: "MULTIPLE_RECORDS",
    message: `More than one record claims to be ${what}; which of them is real cannot be known.`,
    place: what,
    remedy: "Compare the records in kintone; one of them was not made by this system.",
    details: { recordIds: rows.map((row) => row.ref.recordId) },
  });
}

/**
 * Offers each row to the codecs in turn; a row that none reads is told in the words of its own type's codec, and thrown
 * unless `leave` takes it.
 */
export function sortRows(
  rows: readonly RawRecord[],
  readers: readonly ((raw: RawRecord) => Problem | null)[],
  leave: (problem: Problem) => void = refuse,
): void {
  for (const raw of rows) {
    const problems = readers.map((read) => read(raw));
    if (problems.includes(null)) continue;
    const own = problems.find((problem) => problem?.details?.field !== RECORD_TYPE_FIELD) ?? problems[0];
    if (own) leave(own);
  }
}

function refuse(problem: Problem): never {
  throw new FlowError(problem);
}

/** Collects the rows one codec reads and `keep` accepts; answers the codec's problem for any other row. */
export function into<T>(list: Stored<T>[], decode: Decode<T>, keep: (row: Stored<T>) => boolean) {
  return (raw: RawRecord): Problem | null => {
    const result = decode(raw);
    if (!result.ok) return result.error;
    if (keep(result.value)) list.push(result.value);
    return null;
  };
}
