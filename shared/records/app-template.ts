import {
  APP_NAMES,
  APP_ROLES,
  type AppRole,
  appFields,
  ORCHESTRATOR_RIGHTS,
  type RelatedApps,
  RUNNER_LOG_RIGHTS,
  type TokenRight,
} from "./apps.ts";
import type { FormFields } from "./form-field.ts";

/** Who a right is given to, as kintone writes it; the creator of an app has no code (kintone-rest §12). */
export interface Entity {
  readonly type: "CREATOR" | "GROUP" | "FIELD_ENTITY";
  readonly code: string | null;
}

/** One line of `app/acl.json` (kintone-rest §12). */
export interface AppRight {
  readonly entity: Entity;
  readonly includeSubs: boolean;
  readonly appEditable: boolean;
  readonly recordViewable: boolean;
  readonly recordAddable: boolean;
  readonly recordEditable: boolean;
  readonly recordDeletable: boolean;
  readonly recordImportable: boolean;
  readonly recordExportable: boolean;
}

/** One field of `field/acl.json` (kintone-rest §12); whom no line names may do nothing. */
export interface FieldRight {
  readonly code: string;
  readonly entities: readonly {
    readonly accessibility: "READ" | "WRITE" | "NONE";
    readonly entity: Entity;
    readonly includeSubs: boolean;
  }[];
}

/** One list of `app/views.json` (kintone-rest §12), without the number kintone gives it. */
export interface ListView {
  readonly type: "LIST";
  readonly index: string;
  readonly name: string;
  readonly fields: readonly string[];
  readonly filterCond: string;
  readonly sort: string;
}

/** One row of `app/form/layout.json` (kintone-rest §12). */
export interface LayoutRow {
  readonly type: "ROW";
  readonly fields: readonly { readonly type: string; readonly code: string }[];
}

/** One API token an app needs: who uses it, what it may do, and the variable that carries it. */
export interface TokenTemplate {
  readonly label: string;
  readonly rights: readonly TokenRight[];
  /** Null where the program that uses it lets its own configuration name the variable. */
  readonly variable: string | null;
}

/** Everything of one of the four apps; from it local and real apps are made and compared (wire-format §1). */
export interface AppTemplate {
  readonly role: AppRole;
  readonly name: string;
  /** Variable that carries the id of the app. */
  readonly idVariable: string;
  readonly fields: FormFields;
  readonly layout: readonly LayoutRow[];
  readonly views: Readonly<Record<string, ListView>>;
  readonly appRights: readonly AppRight[];
  readonly fieldRights: readonly FieldRight[];
  readonly tokens: readonly TokenTemplate[];
}

/** Labels of the two programs that hold tokens. */
export const ORCHESTRATOR_TOKEN = "FlowNet";
export const RUNNER_TOKEN = "kSQL-Flow";

const VARIABLES: Readonly<Record<AppRole, { readonly id: string; readonly token: string }>> = {
  state: { id: "KSQL_FLOWNET_STATE_APP_ID", token: "KSQL_FLOWNET_STATE_API_TOKEN" },
  audit: { id: "KSQL_FLOWNET_AUDIT_APP_ID", token: "KSQL_FLOWNET_AUDIT_API_TOKEN" },
  request: { id: "KSQL_FLOWNET_REQUEST_APP_ID", token: "KSQL_FLOWNET_REQUEST_API_TOKEN" },
  jobLog: { id: "KSQL_FLOW_LOG_APP_ID", token: "KSQL_FLOW_LOG_API_TOKEN" },
};

const EVERYONE: Entity = { type: "GROUP", code: "everyone" };

/** What people may do with records; programs come with tokens, which no app right concerns (wire-format §1.3). */
interface PeopleMay {
  readonly add: boolean;
  readonly edit: boolean;
}

/**
 * State, audit and JOB log are written by programs alone: an edit by hand breaks the revision series and the proof
 * (wire-format §1.1, §1.2, §1.4). Requests are what people write.
 */
const PEOPLE: Readonly<Record<AppRole, PeopleMay>> = {
  state: { add: false, edit: false },
  audit: { add: false, edit: false },
  request: { add: true, edit: true },
  jobLog: { add: false, edit: false },
};

function appRight(entity: Entity, appEditable: boolean, people: PeopleMay): AppRight {
  return {
    entity,
    includeSubs: false,
    appEditable,
    recordViewable: true,
    recordAddable: people.add,
    recordEditable: people.edit,
    recordDeletable: false,
    recordImportable: false,
    recordExportable: true,
  };
}

/** Columns of a request that only the poller writes (wire-format §1.3, "Recommended field ACL"). */
export const REQUEST_MACHINE_FIELDS = [
  "request_state",
  "claimed_at",
  "claimed_host",
  "claim_heartbeat_at",
  "result_code",
  "result_message",
] as const;
/** kintone's own field that names who made a record, in an app made in Japanese (wire-format §1.3). */
const CREATOR_FIELD = "作成者";

const everyoneReads = { accessibility: "READ", entity: EVERYONE, includeSubs: false } as const;

function fieldRights(role: AppRole): readonly FieldRight[] {
  if (role !== "request") return [];
  const creatorWrites = {
    accessibility: "WRITE",
    entity: { type: "FIELD_ENTITY", code: CREATOR_FIELD },
    includeSubs: false,
  } as const;
  return [
    ...REQUEST_MACHINE_FIELDS.map((code) => ({ code, entities: [everyoneReads] })),
    { code: "cancel_requested", entities: [creatorWrites, everyoneReads] },
  ];
}

type ViewShape = Omit<ListView, "type" | "index" | "name">;

const ofType = (type: string, fields: readonly string[], sort: string): ViewShape => ({
  fields,
  filterCond: `record_type in ("${type}")`,
  sort,
});

/** Lists for people who look into an app itself; no rule of the program depends on them. */
const VIEWS: Readonly<Record<AppRole, Readonly<Record<string, ViewShape>>>> = {
  state: {
    実行: ofType(
      "NETWORK_RUN",
      ["network_id", "business_key", "status", "lifecycle_status", "started_at", "finished_at", "run_id"],
      "created_at desc",
    ),
    ノード: ofType(
      "NODE_STATE",
      ["run_id", "node_id", "status", "status_reason", "latest_attempt_no", "updated_at"],
      "updated_at desc",
    ),
    ロック: ofType(
      "NETWORK_LOCK",
      ["profile", "lock_key", "owner_invocation_id", "status", "heartbeat_at", "lease_expires_at"],
      "started_at desc",
    ),
    保留: ofType("CANCEL_REQUEST", ["run_id", "status_reason"], "run_id asc"),
  },
  audit: {
    起動: ofType(
      "RUN_INVOCATION",
      ["run_id", "mode", "requested_by", "host", "status", "result_code", "started_at", "finished_at"],
      "started_at desc",
    ),
    試行: ofType(
      "NODE_ATTEMPT",
      ["run_id", "node_id", "attempt_no", "status", "result_code", "started_at", "duration_sec"],
      "started_at desc",
    ),
    判定: ofType(
      "ATTEMPT_RESOLUTION",
      ["attempt_id", "resolved_outcome", "requested_by", "approved_by", "evidence_ref", "resolved_at"],
      "resolved_at desc",
    ),
    操作: ofType("OPERATION_AUDIT", ["run_id", "result_code", "reason", "resolved_at"], "resolved_at desc"),
  },
  request: {
    未処理: {
      fields: ["request_type", "run_id", "network_id", "business_key", "reason", "request_state"],
      filterCond: 'request_state in ("REQUESTED", "ACCEPTED")',
      sort: "作成日時 asc",
    },
    すべて: {
      fields: ["request_type", "run_id", "network_id", "request_state", "result_code", "result_message"],
      filterCond: "",
      sort: "作成日時 desc",
    },
  },
  jobLog: {
    実行中: {
      fields: ["job_key", "profile", "host", "started_at", "executed_by"],
      filterCond: 'status in ("RUNNING")',
      sort: "started_at desc",
    },
    すべて: {
      fields: ["script_name", "status", "started_at", "finished_at", "written_count", "error_message"],
      filterCond: "",
      sort: "started_at desc",
    },
  },
};

function views(role: AppRole): Readonly<Record<string, ListView>> {
  return Object.fromEntries(
    Object.entries(VIEWS[role]).map(([name, shape], index) => [
      name,
      { type: "LIST", index: String(index), name, ...shape },
    ]),
  );
}

/** Short fields stand side by side, long texts and tables have a row of their own. */
const WIDE: ReadonlySet<string> = new Set(["MULTI_LINE_TEXT", "FILE", "REFERENCE_TABLE"]);
const FIELDS_A_ROW = 3;

function layout(fields: FormFields): readonly LayoutRow[] {
  const rows: { type: "ROW"; fields: { type: string; code: string }[] }[] = [];
  let open = false;
  for (const { type, code } of Object.values(fields)) {
    const last = rows.at(-1);
    const joins = open && !WIDE.has(type) && last !== undefined && last.fields.length < FIELDS_A_ROW;
    if (joins) last.fields.push({ type, code });
    else rows.push({ type: "ROW", fields: [{ type, code }] });
    open = !WIDE.has(type);
  }
  return rows;
}

/**
 * The whole of one app. `related` null leaves out the state app's reference tables: the neighbours have to exist
 * first (wire-format §1.1).
 */
export function appTemplate(role: AppRole, related: RelatedApps | null): AppTemplate {
  const fields = appFields(role, related);
  const { id, token } = VARIABLES[role];
  const runner = { label: RUNNER_TOKEN, rights: RUNNER_LOG_RIGHTS, variable: null };
  return {
    role,
    name: APP_NAMES[role],
    idVariable: id,
    fields,
    layout: layout(fields),
    views: views(role),
    appRights: [
      appRight({ type: "CREATOR", code: null }, true, PEOPLE[role]),
      appRight(EVERYONE, false, PEOPLE[role]),
    ],
    fieldRights: fieldRights(role),
    tokens: [
      { label: ORCHESTRATOR_TOKEN, rights: ORCHESTRATOR_RIGHTS[role], variable: token },
      ...(role === "jobLog" ? [runner] : []),
    ],
  };
}

/** All four in the order they have to be made: the state app shows rows of its neighbours. */
export const TEMPLATE_ORDER: readonly AppRole[] = [...APP_ROLES.filter((role) => role !== "state"), "state"];
