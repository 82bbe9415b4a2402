import type { RecordRef } from "../../../../shared/domain/model.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";
import type { WireRecord } from "../../../../shared/records/index.ts";
import {
  BULK_REQUESTS_MAX,
  FIRST_REVISION,
  type UpdateEntry,
  WRITE_RECORDS_MAX,
  type WriteRequest,
} from "../../../kintone-client/index.ts";
import type { Change } from "../../ports.ts";
import { type AppIds, type EncodedChange, encodeChange } from "./encode.ts";

/** Where the result of one record stands in the answer to a part. */
export interface Slot {
  /** Index in the caller's list of changes. */
  readonly change: number;
  readonly kind: Change["kind"];
  /** Null for an insert, whose `$id` the answer tells. */
  readonly ref: RecordRef | null;
  readonly app: number;
  /** Key an inserted record is read back by. */
  readonly recordKey: string | null;
}

/** One sub-request and the records it carries, in order. */
export interface SubRequest {
  readonly request: WriteRequest;
  readonly slots: readonly Slot[];
}

/** What one fenced request carries behind the lock. */
export interface Part {
  readonly subRequests: readonly SubRequest[];
  /** The changes in it; of Node States only those that travel here. */
  readonly changes: readonly Change[];
}

interface Planned extends EncodedChange {
  readonly index: number;
  readonly change: Change;
}

const slotOf = (planned: Planned): Slot => ({
  change: planned.index,
  kind: planned.change.kind,
  ref: planned.write.kind === "update" ? planned.write.ref : null,
  app: planned.app,
  recordKey: planned.write.kind === "insert" ? planned.write.recordKey : null,
});

function single(planned: Planned): SubRequest {
  const { app, write } = planned;
  const request: WriteRequest =
    write.kind === "insert"
      ? { kind: "addRecord", app, record: write.record }
      : { kind: "updateRecord", app, entry: entryOf(write.ref, write.record) };
  return { request, slots: [slotOf(planned)] };
}

const entryOf = (ref: RecordRef, record: WireRecord): UpdateEntry => ({
  id: ref.recordId,
  revision: ref.revision,
  record,
});

function batch(group: readonly Planned[]): SubRequest {
  const app = group[0]?.app ?? 0;
  const records = group.flatMap(({ write }) => (write.kind === "insert" ? [write.record] : []));
  const entries = group.flatMap(({ write }) =>
    write.kind === "update" ? [entryOf(write.ref, write.record)] : [],
  );
  const request: WriteRequest =
    entries.length > 0
      ? { kind: "updateRecords", app, entries, upsert: false }
      : { kind: "addRecords", app, records };
  return { request, slots: group.map(slotOf) };
}

const sameGroup = (a: Planned, b: Planned): boolean =>
  a.app === b.app && a.batch === b.batch && a.write.kind === b.write.kind;

interface Grouped {
  readonly subRequest: SubRequest;
  readonly changes: readonly Change[];
}

/** Neighbours of one kind travel together, up to 100 records a sub-request (fenced-writes §3). */
function group(planned: readonly Planned[]): readonly Grouped[] {
  const groups: Planned[][] = [];
  for (const next of planned) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    if (last && first && sameGroup(first, next) && last.length < WRITE_RECORDS_MAX) last.push(next);
    else groups.push([next]);
  }
  return groups.map((members) => {
    const [first] = members;
    return {
      subRequest: first !== undefined && members.length === 1 ? single(first) : batch(members),
      changes: [...new Set(members.map((member) => member.change))],
    };
  });
}

/** Run and Invocation first, then the rest as it was given (R9). */
const rank = (change: Change): number =>
  change.kind === "run.insert" ? 0 : change.kind === "invocation.insert" ? 1 : 2;

/** Node States in portions that fill a sub-request, so that each portion has a witness of its own. */
function portions(change: Change): readonly Change[] {
  if (change.kind !== "nodeStates.insert") return [change];
  const parts: Change[] = [];
  for (let start = 0; start < change.states.length; start += WRITE_RECORDS_MAX) {
    parts.push({ ...change, states: change.states.slice(start, start + WRITE_RECORDS_MAX) });
  }
  return parts;
}

function refuseRepeats(planned: readonly Planned[]): void {
  const seen = new Set<string>();
  for (const { app, write } of planned) {
    const key = write.kind === "insert" ? `${app}/${write.recordKey}` : `${app}#${write.ref.recordId}`;
    if (seen.has(key)) {
      throw new FlowError({
        code: "INVALID_STATE_TRANSITION",
        message: "One request would write the same record twice. Nothing was written.",
        place: key,
      });
    }
    seen.add(key);
  }
}

/**
 * Splits a change set into fenced requests of at most 20 sub-requests, the lock included (fenced-writes R9).
 * An empty change set is one empty part. Throws `INVALID_STATE_TRANSITION` for a record written twice, and
 * `REVISION_SERIES_INVERTED` for a Node State whose business revision does not follow its `$revision`.
 */
export function planParts(changes: readonly Change[], apps: AppIds): readonly Part[] {
  const planned = changes
    .flatMap((whole, index) => portions(whole).map((change) => ({ change, index })))
    .sort((a, b) => rank(a.change) - rank(b.change))
    .flatMap(({ change, index }): Planned[] =>
      encodeChange(change, apps).map((encoded) => ({ ...encoded, change, index })),
    );
  refuseRepeats(planned);
  const groups = group(planned);
  const perPart = BULK_REQUESTS_MAX - 1;
  const parts: Part[] = [];
  for (let start = 0; start < groups.length; start += perPart) {
    const members = groups.slice(start, start + perPart);
    parts.push({
      subRequests: members.map((member) => member.subRequest),
      changes: members.flatMap((member) => member.changes),
    });
  }
  return parts.length === 0 ? [{ subRequests: [], changes: [] }] : parts;
}

/** Ref of a record after this write was proven applied: an update adds one, an insert starts at one. */
export const refAfter = (slot: Slot, recordId: string): RecordRef =>
  slot.ref === null
    ? { recordId, revision: FIRST_REVISION }
    : { recordId: slot.ref.recordId, revision: slot.ref.revision + 1 };
