import type { FileValue, Person } from "../model.ts";

/** A written FILE value whose keys are still to be attached to the record (kintone-rest §11). */
export interface PendingFiles {
  readonly keys: readonly string[];
}
/** A table row that was checked; a new one gets its id when it is stored. */
export interface CheckedRow {
  readonly id: string | null;
  readonly values: CheckedValues;
}
/** A value that passed its checks, before files and row ids are settled. */
export type CheckedValue =
  | string
  | null
  | readonly string[]
  | readonly Person[]
  | readonly FileValue[]
  | PendingFiles
  | readonly CheckedRow[];
export type CheckedValues = { readonly [code: string]: CheckedValue };

export const isPending = (value: CheckedValue): value is PendingFiles =>
  typeof value === "object" && value !== null && "keys" in value && Array.isArray(value.keys);

/** True for the value of a SUBTABLE; an empty list is one, too. */
export const isRows = (value: CheckedValue | undefined): value is readonly CheckedRow[] =>
  Array.isArray(value) && value.every((item) => typeof item === "object" && "values" in item);

/** True for the value of a FILE field; an empty list is one, too. */
export const isFiles = (value: CheckedValue | undefined): value is readonly FileValue[] =>
  Array.isArray(value) && value.every((item) => typeof item === "object" && "fileKey" in item);

/** True for people, organisations or groups; an empty list is one, too. */
export const isPeople = (value: CheckedValue | undefined): value is readonly Person[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === "object" && "code" in item && !("fileKey" in item));
