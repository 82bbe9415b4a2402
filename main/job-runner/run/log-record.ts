import type { Stored } from "../../../shared/domain/model.ts";
import {
  type JobLock,
  jobLogCodec,
  jobLogQueries,
  jobLogWrites,
  type WireRecord,
} from "../../../shared/records/index.ts";
import {
  getRecords,
  type KintoneAnswer,
  type RawRecord,
  type WriteResult,
  write,
} from "../../kintone-client/index.ts";
import type { Calls } from "./calls.ts";

/** A JOB record as read, with when it was last changed. */
export interface FoundRecord extends Stored<JobLock> {
  /** Value of the record's UPDATED_TIME field, ISO UTC with minutes; null when it shows none. */
  readonly changedAt: string | null;
}

export type Lookup =
  | { readonly kind: "found"; readonly record: FoundRecord }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly answer: Exclude<KintoneAnswer<never>, { kind: "ok" }> | null };

/** The log app, seen from one run. All calls are bookkeeping: counted, never withheld. */
export interface LogRecords {
  /** By the unique lock key, compared exactly: `=` may match more (kintone-rest W10). */
  findByKey(jobKey: string): Promise<Lookup>;
  findById(recordId: string): Promise<Lookup>;
  /** RUNNING records of a profile, at most 500. Null when they cannot be read. */
  findRunning(profile: string): Promise<readonly FoundRecord[] | null>;
  insert(record: WireRecord): Promise<KintoneAnswer<WriteResult>>;
  update(recordId: string, revision: number, record: WireRecord): Promise<KintoneAnswer<WriteResult>>;
}

function updatedTime(record: RawRecord): string | null {
  for (const cell of Object.values(record)) {
    const isCell = typeof cell === "object" && cell !== null && "type" in cell && "value" in cell;
    if (isCell && cell.type === "UPDATED_TIME") return String(cell.value);
  }
  return null;
}

/** `fields`: field codes the app has; others are left out of every write (wire-format §1.4). */
export function createLogRecords(calls: Calls, appId: number, fields: ReadonlySet<string>): LogRecords {
  async function find(query: string, matches: (record: Stored<JobLock>) => boolean): Promise<Lookup> {
    const answer = await calls.readAlways(getRecords(appId, query));
    if (answer.kind !== "ok") return { kind: "unreadable", answer };
    for (const raw of answer.value) {
      const decoded = jobLogCodec.decodeLock(raw);
      if (!decoded.ok) return { kind: "unreadable", answer: null };
      if (matches(decoded.value)) {
        return { kind: "found", record: { ...decoded.value, changedAt: updatedTime(raw) } };
      }
    }
    return { kind: "none" };
  }
  return {
    findByKey: (jobKey) => find(jobLogQueries.byJobKey(jobKey), (record) => record.jobKey === jobKey),
    findById: (recordId) => find(jobLogQueries.byId(recordId), (record) => record.ref.recordId === recordId),
    async findRunning(profile) {
      const quoted = profile.replace(/[\\"]/g, "\\$&");
      const query = `profile = "${quoted}" and ${jobLogQueries.running()} order by $id asc limit 500`;
      const answer = await calls.readAlways(getRecords(appId, query));
      if (answer.kind !== "ok") return null;
      const found = answer.value.flatMap((raw) => {
        const decoded = jobLogCodec.decodeLock(raw);
        return decoded.ok && raw.profile !== undefined
          ? [{ ...decoded.value, changedAt: updatedTime(raw) }]
          : [];
      });
      return found;
    },
    insert: (record) =>
      calls.sendAlways(
        write({ kind: "addRecord", app: appId, record: jobLogWrites.onlyFieldsOf(record, fields) }),
      ),
    update: (recordId, revision, record) =>
      calls.sendAlways(
        write({
          kind: "updateRecord",
          app: appId,
          entry: { id: recordId, revision, record: jobLogWrites.onlyFieldsOf(record, fields) },
        }),
      ),
  };
}
