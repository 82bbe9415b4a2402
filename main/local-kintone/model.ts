/**
 * The nouns of the local kintone: what a form field, a stored record, a request and an answer are.
 * Wire facts come from kintone-rest; section numbers stand at each.
 */

/** Field types a form of this server may have (kintone-rest §8.4). */
export const FORM_FIELD_TYPES = [
  "SINGLE_LINE_TEXT",
  "MULTI_LINE_TEXT",
  "NUMBER",
  "DATETIME",
  "DATE",
  "TIME",
  "DROP_DOWN",
  "RADIO_BUTTON",
  "CHECK_BOX",
  "MULTI_SELECT",
  "LINK",
  "FILE",
  "REFERENCE_TABLE",
] as const;
export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];

/** Types every app has without asking (kintone-rest §8.4, "System fields"). */
export type SystemFieldType = "RECORD_NUMBER" | "CREATOR" | "MODIFIER" | "CREATED_TIME" | "UPDATED_TIME";
export type FieldType = FormFieldType | SystemFieldType | "__ID__";

/** Codes are the Japanese ones because the peer reads `作成者` and `作成日時` (kintone-rest §1.2). */
export const SYSTEM_FIELDS: readonly { readonly code: string; readonly type: SystemFieldType }[] = [
  { code: "レコード番号", type: "RECORD_NUMBER" },
  { code: "作成者", type: "CREATOR" },
  { code: "更新者", type: "MODIFIER" },
  { code: "作成日時", type: "CREATED_TIME" },
  { code: "更新日時", type: "UPDATED_TIME" },
];

/** A form field as the form-fields API shows it; numbers are texts (kintone-rest §12). */
export interface FieldDefinition {
  readonly type: FormFieldType;
  readonly code: string;
  readonly label: string;
  readonly noLabel: boolean;
  readonly required: boolean;
  readonly unique: boolean;
  readonly defaultValue: string | readonly string[];
  readonly defaultNowValue: boolean;
  readonly minLength: string;
  readonly maxLength: string;
  readonly minValue: string;
  readonly maxValue: string;
  readonly protocol: string;
  readonly options: Readonly<Record<string, { readonly label: string; readonly index: string }>>;
  readonly referenceTable: Readonly<Record<string, unknown>> | null;
}

/** A field with the number its index rows carry; `no` is unique over all apps. */
export interface AppField {
  readonly no: number;
  readonly definition: FieldDefinition;
}

export interface AppState {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly revision: number;
  readonly guestSpaceId: number | null;
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly fields: ReadonlyMap<string, AppField>;
}

export interface Person {
  readonly code: string;
  readonly name: string;
}

/** One attached file as a record shows it; `size` is a text (kintone-rest §8.4). */
export interface FileValue {
  readonly contentType: string;
  readonly fileKey: string;
  readonly name: string;
  readonly size: string;
}
export type FieldValue = string | null | readonly string[] | readonly FileValue[];
export type RecordValues = Readonly<Record<string, FieldValue>>;

export interface StoredRecord {
  readonly id: number;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly creator: Person;
  readonly modifier: Person;
  readonly values: RecordValues;
}

/** Rights of an API token on its app (kintone-rest §4). */
export const TOKEN_RIGHTS = ["view", "add", "edit", "delete", "manage"] as const;
export type TokenRight = (typeof TOKEN_RIGHTS)[number];

/** One HTTP request as the server core sees it; `target` is path plus query string. */
export interface KintoneRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array | string;
}

export interface KintoneResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What an arrival hook is told: the route and the outcome, never a query, header, body or token. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Number of sub-requests of a `bulkRequest`, 0 for every other call. */
  readonly subRequests: number;
}

/** Edges the server does not reach for itself. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
export interface IdSource {
  /** `bytes` random bytes. */
  random(bytes: number): Uint8Array;
}
