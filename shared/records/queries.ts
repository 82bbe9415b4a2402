import { RECORD_KEY_FIELD } from "./columns.ts";

/** Rows a page asks for: the most one kintone answer holds. The peer reads 100 (wire-format §4.2). */
export const PAGE_SIZE = 500;
/** Values one `in (…)` may carry, so that a query stays well below kintone's length limits. */
const IN_LIST_MAX = 100;

/** A value inside a query: double-quoted, `\` and `"` escaped (wire-format §4.2). */
export const quote = (value: string): string => `"${value.replace(/[\\"]/g, "\\$&")}"`;

/** `field in ("a","b")`. `=` is not used: on text it compares tokens (wire-format §4.2). */
const within = (field: string, ...values: readonly string[]): string =>
  `${field} in (${values.map(quote).join(",")})`;

const ofType = (type: string, ...conditions: readonly string[]): string =>
  [within("record_type", type), ...conditions].join(" and ");

/**
 * One page of a keyset read: rows with `$id` above `afterId`, in `$id` order (wire-format §4.2). Start with
 * `"0"`; a page with fewer than `limit` rows is the last. Offsets are never used.
 */
export const keysetPage = (condition: string, afterId: string, limit: number = PAGE_SIZE): string =>
  `${condition === "" ? "" : `${condition} and `}$id > ${afterId} order by $id asc limit ${limit}`;

/** Records of the state or audit app by their unique keys, several at once. */
export const recordsByKeys = (keys: readonly string[]): string => within(RECORD_KEY_FIELD, ...keys);
/** Records of any app by `$id`, one row each. */
export const recordsByIds = (ids: readonly string[]): string =>
  `${within("$id", ...ids)} limit ${ids.length}`;

/** Query builders of the state app (wire-format §4.2). Those read page by page go through {@link keysetPage}. */
export const stateQueries = {
  /** Any record by its unique `record_key`. */
  byKey: (recordKey: string): string => within("record_key", recordKey),
  runById: (runId: string): string => ofType("NETWORK_RUN", within("run_id", runId)),
  runsOfNetwork: (networkId: string): string => ofType("NETWORK_RUN", within("network_id", networkId)),
  /** Every Run, for the console's overview. */
  runs: (): string => ofType("NETWORK_RUN"),
  nodeStates: (runId: string): string => ofType("NODE_STATE", within("run_id", runId)),
  /** Of one node alone where it is named. */
  nodeStatesOfRuns: (runIds: readonly string[], nodeId?: string): string =>
    ofType(
      "NODE_STATE",
      within("run_id", ...runIds),
      ...(nodeId === undefined ? [] : [within("node_id", nodeId)]),
    ),
  activeLock: (lockKey: string): string =>
    ofType("NETWORK_LOCK", within("lock_key", lockKey), within("status", "RUNNING")),
  /**
   * A network's Runs, its held lock, and every hold, in one question (W-20): a hold names its Run only, and there are
   * few of them.
   */
  network: (networkId: string, lockKey: string): string =>
    [
      stateQueries.runsOfNetwork(networkId),
      stateQueries.activeLock(lockKey),
      within("record_type", "CANCEL_REQUEST"),
    ]
      .map((condition) => `(${condition})`)
      .join(" or "),
  /** Every held lock, for the lock screen. */
  activeLocks: (): string => ofType("NETWORK_LOCK", within("status", "RUNNING")),
  holds: (runIds: readonly string[]): string => ofType("CANCEL_REQUEST", within("run_id", ...runIds)),
  /**
   * What an overview follows, in one question: Runs and holds written at or after `since` (ISO-8601 UTC, minute
   * precision in kintone; null for all), and every held lock, however old.
   */
  overview: (since: string | null): string => {
    const written = since === null ? [] : [`更新日時 >= ${quote(since)}`];
    const moved = [within("record_type", "NETWORK_RUN", "CANCEL_REQUEST"), ...written].join(" and ");
    return `(${moved}) or (${stateQueries.activeLocks()})`;
  },
} as const;

/** Query builders of the audit app (wire-format §4.2). */
export const auditQueries = {
  byKey: (recordKey: string): string => within("record_key", recordKey),
  invocations: (runId: string): string => ofType("RUN_INVOCATION", within("run_id", runId)),
  attempts: (runId: string): string => ofType("NODE_ATTEMPT", within("run_id", runId)),
  attemptsByKeys: (attemptKeys: readonly string[]): string =>
    ofType("NODE_ATTEMPT", within("attempt_key", ...attemptKeys)),
  /**
   * Resolutions of the given attempts. The peer reads the whole app and filters in memory, which stops being
   * complete after 100 rows (wire-format §7 no. 1). At most {@link IN_LIST_MAX} ids a query.
   */
  resolutions: (attemptIds: readonly string[]): string =>
    ofType("ATTEMPT_RESOLUTION", within("attempt_id", ...attemptIds)),
  /** Every Resolution written after a record of the audit app. */
  resolutionsAfter: (recordId: string): string => `${ofType("ATTEMPT_RESOLUTION")} and $id > ${recordId}`,
  operations: (runId: string): string => ofType("OPERATION_AUDIT", within("run_id", runId)),
  /** Every operation audit; forced lock releases carry no Run. */
  allOperations: (): string => ofType("OPERATION_AUDIT"),
  /**
   * One page of what people and the orchestrator did, newest record first. A resolution carries no `run_id`
   * (wire-format §1.2): asked for one Run, the page brings every resolution and the reader compares.
   */
  history: (page: HistoryPage): string => {
    const { types, runId, beforeId, limit } = page;
    const ofRun =
      runId === null ? "" : ` and (${within("run_id", runId)} or ${ofType("ATTEMPT_RESOLUTION")})`;
    const below = beforeId === null ? "" : ` and $id < ${beforeId}`;
    return `${within("record_type", ...types)}${ofRun}${below} order by $id desc limit ${limit}`;
  },
  attemptsByIds: (attemptIds: readonly string[]): string =>
    `${ofType("NODE_ATTEMPT", within("node_attempt_id", ...attemptIds))} limit ${PAGE_SIZE}`,
} as const;

/** Record types of the audit app that tell who did what; attempts are told by their Run. */
export const HISTORY_TYPES = ["OPERATION_AUDIT", "ATTEMPT_RESOLUTION", "RUN_INVOCATION"] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];

export interface HistoryPage {
  readonly types: readonly HistoryType[];
  readonly runId: string | null;
  /** `$id` the page ends before; null for the newest. */
  readonly beforeId: string | null;
  readonly limit: number;
}

/** Query builders of the request app (wire-format §4.2); `limit` rows, one page. */
export const requestQueries = {
  /**
   * What waits to be taken and what was taken and not ended, in one question: an idle poller asks once. The peer asks
   * twice (orchestration §7.1).
   */
  open: (limit: number): string =>
    `${within("request_state", "REQUESTED", "ACCEPTED")} order by 作成日時 asc, $id asc limit ${limit}`,
  /** What waits alone, for when a page is full of what nobody ended. */
  waiting: (limit: number): string =>
    `${within("request_state", "REQUESTED")} order by 作成日時 asc, $id asc limit ${limit}`,
  byId: (id: string): string => `${within("$id", id)} limit 1`,
  ofRun: (runId: string): string => within("run_id", runId),
  /** Newest first, of any state; from below an id on. */
  recent: (limit: number, beforeId: string | null): string =>
    `${beforeId === null ? "" : `$id < ${beforeId} `}order by $id desc limit ${limit}`,
  /** Made after the record of this id. */
  since: (afterId: string): string => keysetPage("", afterId),
} as const;

/**
 * Query builders of the JOB log (wire-format §4.2). The columns are not unique (except `job_key`) and `=`
 * matches tokens on them, so every answer is compared exactly by the reader (§7 no. 17).
 */
export const jobLogQueries = {
  /** Two rows mean the lookup is ambiguous. */
  byAttempt(attemptId: string, executionId?: string): string {
    const execution = executionId === undefined ? "" : ` and execution_id = ${quote(executionId)}`;
    return `attempt_id = ${quote(attemptId)}${execution} order by runner_execution_started_at desc limit 2`;
  },
  byJobKey: (jobKey: string): string => `job_key = ${quote(jobKey)} limit 1`,
  byId: (id: string): string => `${within("$id", id)} limit 1`,
  ofRun: (runId: string): string => `correlation_id = ${quote(runId)}`,
  running: (): string => within("status", "RUNNING"),
} as const;

/** Splits ids into lists one query may carry. */
export function inLists(ids: readonly string[], size: number = IN_LIST_MAX): readonly (readonly string[])[] {
  const lists: (readonly string[])[] = [];
  for (let start = 0; start < ids.length; start += size) lists.push(ids.slice(start, start + size));
  return lists;
}
