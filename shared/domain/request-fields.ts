import { hasUtcForm, isUtcInstant } from "./datetime.ts";
import { codePointLength } from "./identifier.ts";

/** Codes of what can be wrong with a request record (wire-format §1.3). */
export type RequestIssueCode =
  | "ID_INVALID"
  | "REVISION_INVALID"
  | "DATETIME_INVALID"
  | "REQUIRED"
  | "VALUE_TOO_LONG"
  | "FIELD_NOT_ALLOWED"
  | "CLAIM_FIELDS_INCOMPLETE"
  | "STATE_FIELDS_INVALID"
  | "RESULT_REQUIRED"
  | "FIELD_TYPE_INVALID"
  | "CREATOR_INVALID"
  | "UNKNOWN_CHOICE";
export interface RequestIssue {
  readonly code: RequestIssueCode;
  /** Field code as in the app. */
  readonly field: string;
}

/** Option of the check box with which the creator takes a request back. */
const CANCEL_OPTION = "取消";
export const CREATOR_FIELD = "作成者";
export const CREATED_AT_FIELD = "作成日時";

/** Reads the fields of one record; what cannot be read is noted and answered as null. */
export interface FieldReader {
  readonly issues: RequestIssue[];
  note(code: RequestIssueCode, field: string): null;
  id(): string | null;
  revision(): number | null;
  creator(): string | null;
  /** A text of at most `limit` code points; `optional`: the app may lack the field. Null only when unreadable. */
  text(field: string, limit: number, optional?: "optional"): string | null;
  /** Empty, or a kintone instant. Null only when unreadable. */
  instant(field: string, optional?: "optional"): string | null;
  /** As `instant`, but a day the month lacks passes: whether the period exists is judged with the network's key. */
  period(field: string): string | null;
  choice<T extends string>(field: string, choices: readonly T[]): T | null;
  cancelRequested(): boolean | null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

type Row = Readonly<Record<string, unknown>>;
type Note = FieldReader["note"];

const POSITIVE = /^[1-9]\d*$/;

function readRevision(value: unknown, note: Note): number | null {
  const revision = typeof value === "string" && POSITIVE.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(revision) ? revision : note("REVISION_INVALID", "$revision");
}

function readCreator(creator: unknown, note: Note): string | null {
  if (!isObject(creator) || typeof creator.code !== "string") return note("CREATOR_INVALID", CREATOR_FIELD);
  if (creator.code.trim() === "") return note("REQUIRED", CREATOR_FIELD);
  return codePointLength(creator.code) > 256 ? note("VALUE_TOO_LONG", CREATOR_FIELD) : creator.code;
}

function readCancel(value: unknown, note: Note): boolean | null {
  if (value === undefined) return false;
  if (Array.isArray(value) && value.length === 0) return false;
  if (Array.isArray(value) && value.length === 1 && value[0] === CANCEL_OPTION) return true;
  return note("FIELD_TYPE_INVALID", "cancel_requested");
}

/** A reader over one plain row, field code to bare value (wire-format §1.3). */
export function createFieldReader(row: Row): FieldReader {
  const issues: RequestIssue[] = [];
  const note: Note = (code, field) => {
    issues.push({ code, field });
    return null;
  };
  const text: FieldReader["text"] = (field, limit, optional) => {
    const value = row[field];
    if (value === undefined && optional === "optional") return "";
    if (typeof value !== "string") return note("FIELD_TYPE_INVALID", field);
    return codePointLength(value) > limit ? note("VALUE_TOO_LONG", field) : value;
  };
  return {
    issues,
    note,
    text,
    id: () => (typeof row.$id === "string" && POSITIVE.test(row.$id) ? row.$id : note("ID_INVALID", "$id")),
    revision: () => readRevision(row.$revision, note),
    creator: () => readCreator(row[CREATOR_FIELD], note),
    instant(field, optional) {
      const value = text(field, 64, optional);
      if (value === null || value === "" || isUtcInstant(value)) return value;
      return note("DATETIME_INVALID", field);
    },
    period(field) {
      const value = text(field, 64, "optional");
      if (value === null || value === "" || hasUtcForm(value)) return value;
      return note("DATETIME_INVALID", field);
    },
    choice(field, choices) {
      const value = row[field];
      if (typeof value !== "string") return note("FIELD_TYPE_INVALID", field);
      return choices.find((choice) => choice === value) ?? note("UNKNOWN_CHOICE", field);
    },
    cancelRequested: () => readCancel(row.cancel_requested, note),
  };
}
