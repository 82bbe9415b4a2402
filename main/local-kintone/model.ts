import type { Formula } from "./formula/parser.ts";
import type { AppSettings } from "./settings/settings-model.ts";

/**
 * The nouns of the local kintone: what a form field, a stored record, a request and an answer are.
 * Wire facts come from kintone-rest; section numbers stand at each.
 */

/** Field types that stand in an app's form definition and hold a value of their own (kintone-rest §8.4, §12). */
export const FORM_FIELD_TYPES = [
  "SINGLE_LINE_TEXT",
  "MULTI_LINE_TEXT",
  "RICH_TEXT",
  "NUMBER",
  "CALC",
  "DATETIME",
  "DATE",
  "TIME",
  "DROP_DOWN",
  "RADIO_BUTTON",
  "CHECK_BOX",
  "MULTI_SELECT",
  "USER_SELECT",
  "ORGANIZATION_SELECT",
  "GROUP_SELECT",
  "LINK",
  "FILE",
  "SUBTABLE",
  "REFERENCE_TABLE",
  "GROUP",
] as const;
export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];

/** Types every app has without asking (kintone-rest §8.4, "System fields"). */
export const SYSTEM_FIELD_TYPES = [
  "RECORD_NUMBER",
  "CREATOR",
  "MODIFIER",
  "CREATED_TIME",
  "UPDATED_TIME",
] as const;
export type SystemFieldType = (typeof SYSTEM_FIELD_TYPES)[number];
/** Types that show only when process management or categories are on (kintone-rest §8.4). */
export type ProcessFieldType = "STATUS" | "STATUS_ASSIGNEE" | "CATEGORY";
export type FieldType = FormFieldType | SystemFieldType | ProcessFieldType | "__ID__";

/** A system field; its code and label may be changed like those of any other (kintone-rest §8.4). */
export interface SystemField {
  readonly type: SystemFieldType;
  readonly code: string;
  readonly label: string;
  readonly noLabel: boolean;
}

const system = (type: SystemFieldType, code: string): SystemField => ({
  type,
  code,
  label: code,
  noLabel: false,
});

/** Codes are the Japanese ones because the peer reads `作成者` and `作成日時` (kintone-rest §1.2). */
export const SYSTEM_FIELDS: readonly SystemField[] = [
  system("RECORD_NUMBER", "レコード番号"),
  system("CREATOR", "作成者"),
  system("MODIFIER", "更新者"),
  system("CREATED_TIME", "作成日時"),
  system("UPDATED_TIME", "更新日時"),
];

/** Codes of the fields that process management and categories add; reserved while those are off, too. */
export const STATUS_CODE = "ステータス";
export const ASSIGNEE_CODE = "作業者";
export const CATEGORY_CODE = "カテゴリー";

/** A user, an organisation or a group, as definitions and conditions name them. */
export const ENTITY_TYPES = ["USER", "ORGANIZATION", "GROUP", "FUNCTION"] as const;
export interface EntityRef {
  readonly type: (typeof ENTITY_TYPES)[number];
  readonly code: string;
}

export interface Lookup {
  readonly relatedApp: { readonly app: string; readonly code: string };
  readonly relatedKeyField: string;
  readonly fieldMappings: readonly { readonly field: string; readonly relatedField: string }[];
  readonly lookupPickerFields: readonly string[];
  readonly filterCond: string;
  readonly sort: string;
}

export interface ReferenceTable {
  readonly relatedApp: { readonly app: string; readonly code: string };
  readonly condition: { readonly field: string; readonly relatedField: string };
  readonly filterCond: string;
  readonly displayFields: readonly string[];
  readonly sort: string;
  readonly size: string;
}

/** A form field as the form-fields API shows it; numbers are texts (kintone-rest §12). */
export interface FieldDefinition {
  readonly type: FormFieldType;
  readonly code: string;
  readonly label: string;
  readonly noLabel: boolean;
  readonly required: boolean;
  readonly unique: boolean;
  readonly defaultValue: string | readonly string[] | readonly EntityRef[];
  readonly defaultNowValue: boolean;
  readonly minLength: string;
  readonly maxLength: string;
  readonly minValue: string;
  readonly maxValue: string;
  readonly expression: string;
  readonly hideExpression: boolean;
  readonly format: string;
  readonly digit: boolean;
  readonly displayScale: string;
  readonly unit: string;
  readonly unitPosition: string;
  readonly align: string;
  readonly thumbnailSize: string;
  readonly protocol: string;
  readonly openGroup: boolean;
  readonly options: Readonly<Record<string, { readonly label: string; readonly index: string }>>;
  readonly entities: readonly EntityRef[];
  readonly lookup: Lookup | null;
  readonly referenceTable: ReferenceTable | null;
  /** Inner fields of a SUBTABLE, empty for every other type. */
  readonly fields: readonly FieldDefinition[];
}

/** A field with the number its index rows carry; `no` is unique over all apps. */
export interface AppField {
  readonly no: number;
  readonly definition: FieldDefinition;
  /** Inner fields of a SUBTABLE by their code. */
  readonly columns: ReadonlyMap<string, AppField>;
  /** What the field is calculated by, or null: nobody writes a calculated field. */
  readonly formula: Formula | null;
}

export const ROUNDING_MODES = ["HALF_EVEN", "UP", "DOWN"] as const;
/** How exact numbers of an app are (kintone-rest §8.4); numbers, not texts. */
export interface NumberPrecision {
  readonly digits: number;
  readonly decimalPlaces: number;
  readonly roundingMode: (typeof ROUNDING_MODES)[number];
}

/** What records need to know of process management; null while it is off (kintone-rest §8.4, §16). */
export interface ProcessState {
  /** State of a new record. */
  readonly initial: string;
  /** Names of all states: what `ステータス in (…)` may ask for. */
  readonly states: readonly string[];
}

export interface AppState {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly revision: number;
  /** Revision at which the form last changed: what stored bodies were rendered for. */
  readonly form: number;
  /** False for an app that so far exists in the preview environment only (kintone-rest §12). */
  readonly deployed: boolean;
  readonly guestSpaceId: number | null;
  /** The space, guest or not, and its thread; null outside one. */
  readonly spaceId: number | null;
  readonly threadId: number | null;
  readonly createdAt: string;
  readonly creator: Person;
  readonly modifiedAt: string;
  readonly modifier: Person;
  readonly settings: AppSettings;
  readonly fields: ReadonlyMap<string, AppField>;
  readonly system: readonly SystemField[];
  readonly numberPrecision: NumberPrecision;
  readonly process: ProcessState | null;
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
/** One row of a SUBTABLE; `id` is unique within the app and kept for the life of the row (kintone-rest §8.4). */
export interface TableRow {
  readonly id: string;
  readonly values: RecordValues;
}
export type FieldValue =
  | string
  | null
  | readonly string[]
  | readonly FileValue[]
  | readonly Person[]
  | readonly TableRow[];
export type RecordValues = { readonly [code: string]: FieldValue };

/** Where a record stands in its process; null while process management is off (kintone-rest §16). */
export interface RecordState {
  readonly status: string;
  readonly assignees: readonly Person[];
}

export interface StoredRecord {
  readonly id: number;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly creator: Person;
  readonly modifier: Person;
  readonly values: RecordValues;
  readonly state: RecordState | null;
}

/** Who exists on this domain: users, organisations and groups, each by its login code (kintone-rest §8.4). */
export interface People {
  hasUser(code: string): boolean;
  hasOrganization(code: string): boolean;
  hasGroup(code: string): boolean;
  /** Display name, or null for a code nobody has. */
  nameOf(kind: "USER" | "ORGANIZATION" | "GROUP", code: string): string | null;
  /** Code of the user's primary organisation, or null: `PRIMARY_ORGANIZATION()` (kintone-rest §13.3). */
  primaryOrganization(user: string): string | null;
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
  /** Label of the port it came in by, where that has one. */
  readonly client?: string;
}

export interface KintoneResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** How the answer travels when a fault lies on the line; as it is when left out. */
  readonly delivery?: Delivery;
}

/** Faults of the line an answer goes back on (kintone-rest §19). */
export type Delivery =
  /** The connection breaks before any byte. */
  | { readonly kind: "reset" }
  /** Status, headers and a part of the body arrive, then the connection breaks. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** Nothing arrives, and nothing ends. */
  | { readonly kind: "silent" }
  /** The body arrives in pieces with a pause between them. */
  | { readonly kind: "slow"; readonly chunkBytes: number; readonly pause: () => Promise<void> };

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
