import { auditFields, jobLogFields, type RelatedApps, requestFields, stateFields } from "./app-fields.ts";
import type { FormFields } from "./form-field.ts";

export type { RelatedApps } from "./app-fields.ts";

/** The four apps (wire-format §1). */
export const APP_ROLES = ["state", "audit", "request", "jobLog"] as const;
export type AppRole = (typeof APP_ROLES)[number];

/** A right an API token needs on an app. No app needs the delete right (wire-format §1). */
export type TokenRight = "view" | "add" | "edit";

/** Template name of each app; the JOB log's is the runner's default (wire-format §1). */
export const APP_NAMES: Readonly<Record<AppRole, string>> = {
  state: "kSQL-FlowNet 実行管理",
  audit: "kSQL-FlowNet 監査履歴",
  request: "kSQL-FlowNet 操作要求",
  jobLog: "kSQL Flow 実行ログ",
};

/** Rights the orchestrator's token needs on each app (wire-format §1). */
export const ORCHESTRATOR_RIGHTS: Readonly<Record<AppRole, readonly TokenRight[]>> = {
  state: ["view", "add", "edit"],
  audit: ["view", "add", "edit"],
  request: ["view", "edit"],
  jobLog: ["view"],
};

/** Rights the runner's token needs on the JOB log (wire-format §1). */
export const RUNNER_LOG_RIGHTS: readonly TokenRight[] = ["view", "add", "edit"];

/**
 * Form fields of an app in kintone's `properties` shape (wire-format §1.1–1.4), from which local apps are
 * made. `related` null leaves out the state app's three reference tables: the
 * neighbours have to exist first, and no rule of the program depends on them.
 */
export function appFields(role: AppRole, related: RelatedApps | null): FormFields {
  switch (role) {
    case "state":
      return stateFields(related);
    case "audit":
      return auditFields();
    case "request":
      return requestFields();
    case "jobLog":
      return jobLogFields();
  }
}

/** One difference between an app's form and what the wire format needs. */
export interface FormDifference {
  readonly field: string;
  readonly kind: "missing" | "type" | "unique" | "option";
  readonly expected: string;
  readonly found: string;
}

/** Columns readers tolerate the absence of (wire-format §1.1, §1.3, §1.4). */
const OPTIONAL_FIELDS: ReadonlySet<string> = new Set([
  "network_id@request",
  "business_key@request",
  "scheduled_for@request",
  "cancel_requested@request",
  "deleted_count@jobLog",
]);

/**
 * kintone's own fields the rules read, by the codes they get in an app made in Japanese; an app made in
 * another language has other codes and cannot be used for requests (wire-format §1.3).
 */
const SYSTEM_FIELDS: Readonly<Record<AppRole, Readonly<Record<string, string>>>> = {
  state: {},
  audit: {},
  request: { 作成者: "CREATOR", 作成日時: "CREATED_TIME" },
  jobLog: {},
};

interface ExpectedField {
  readonly type: string;
  readonly unique?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A field as kintone answered it. */
export interface FoundField {
  readonly type?: unknown;
  readonly unique?: unknown;
  readonly options?: unknown;
}

/**
 * What an existing app lacks. Additional fields and options are welcome; reference tables and the columns an
 * older app may lack are not demanded.
 */
export function compareForm(
  role: AppRole,
  found: Readonly<Record<string, FoundField | undefined>>,
): readonly FormDifference[] {
  const system = Object.entries(SYSTEM_FIELDS[role]).map(([code, type]): [string, ExpectedField] => [
    code,
    { type },
  ]);
  const expectedFields: [string, ExpectedField][] = [...Object.entries(appFields(role, null)), ...system];
  return expectedFields.flatMap(([code, expected]): readonly FormDifference[] => {
    const field = found[code];
    if (field === undefined) {
      return OPTIONAL_FIELDS.has(`${code}@${role}`)
        ? []
        : [{ field: code, kind: "missing", expected: expected.type, found: "" }];
    }
    return compareField(code, expected, field);
  });
}

/** What one field lacks: its type, else its uniqueness and its options. */
export function compareField(
  code: string,
  expected: ExpectedField,
  field: FoundField,
): readonly FormDifference[] {
  if (field.type !== expected.type) {
    return [{ field: code, kind: "type", expected: expected.type, found: String(field.type) }];
  }
  const unique: FormDifference[] =
    expected.unique === true && field.unique !== true
      ? [{ field: code, kind: "unique", expected: "unique", found: "not unique" }]
      : [];
  return [...unique, ...missingOptions(code, Object.keys(expected.options ?? {}), field.options)];
}

function missingOptions(code: string, expected: readonly string[], found: unknown): FormDifference[] {
  const options = typeof found === "object" && found !== null ? Object.keys(found) : [];
  return expected
    .filter((option) => !options.includes(option))
    .map((option) => ({ field: code, kind: "option", expected: option, found: options.join(", ") }));
}
