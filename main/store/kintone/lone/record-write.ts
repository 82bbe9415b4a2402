import type { RecordRef, Stored } from "../../../../shared/domain/model.ts";
import type { Problem, Result } from "../../../../shared/domain/problem.ts";
import { recordsByIds, recordsByKeys, type WireRecord } from "../../../../shared/records/index.ts";
import {
  duplicateField,
  getRecords,
  isRecordGone,
  isStaleRevision,
  type KintoneAnswer,
  type RawRecord,
  refusalProblem,
  sendRead,
  unknownProblem,
  type WriteResult,
  write,
} from "../../../kintone-client/index.ts";
import type { LoneWrite } from "../../ports.ts";
import { duplicateRecord, revisionConflict } from "../fence/problems.ts";
import { type FencedWrite, type LoneDeps, type Sight, sendLone } from "./send-lone.ts";

/** What both kinds of lone write know of their record. */
interface Described<T> {
  readonly app: number;
  readonly record: WireRecord;
  readonly decode: (wire: unknown) => Result<Stored<T>>;
  /** True when the record says what this write says; times are compared by the minute where kintone cuts them. */
  readonly says: (record: Stored<T>) => boolean;
  readonly what: string;
  /** Of the record, for messages: "The hold". */
  readonly name: string;
}
export interface LoneUpdate<T> extends Described<T> {
  readonly ref: RecordRef;
}
export interface LoneInsert<T> extends Described<T> {
  readonly recordKey: string;
  readonly uniqueFields: readonly string[];
}

const unreadable = (problem: Problem): Sight => ({ kind: "unreadable", problem });

function unanswered(answer: Exclude<KintoneAnswer<unknown>, { kind: "ok" }>, what: string): Sight {
  return unreadable(answer.kind === "refused" ? refusalProblem(answer, what) : unknownProblem(answer, what));
}

const refOfUpdate =
  (ref: RecordRef) =>
  (result: WriteResult): RecordRef | null => {
    const revision = result.refs[0]?.revision;
    return revision === ref.revision + 1 ? { recordId: ref.recordId, revision } : null;
  };

function refOfInsert(result: WriteResult): RecordRef | null {
  const [ref] = result.refs;
  return ref === undefined || ref.recordId === null
    ? null
    : { recordId: ref.recordId, revision: ref.revision };
}

function sightOfUpdate<T>(update: LoneUpdate<T>, raw: RawRecord | undefined): Sight {
  const theirs: Sight = { kind: "theirs", problem: revisionConflict(update.name) };
  if (raw === undefined) return theirs;
  const record = update.decode(raw);
  if (!record.ok) return unreadable(record.error);
  const { ref } = record.value;
  if (ref.revision === update.ref.revision) return { kind: "untouched" };
  return ref.revision === update.ref.revision + 1 && update.says(record.value)
    ? { kind: "ours", ref }
    : theirs;
}

/** Updates one record by its `$id` and revision (wire-format §4.1); at most one copy can be applied. */
export function updateLone<T>(
  deps: LoneDeps,
  update: LoneUpdate<T>,
  signal?: AbortSignal,
): Promise<LoneWrite> {
  const { app, ref, record, what } = update;
  const entry = { id: ref.recordId, revision: ref.revision, record };
  const options = signal ? { signal } : {};
  const fenced: FencedWrite<WriteResult> = {
    operation: write({ kind: "updateRecord", app, entry }),
    refOf: refOfUpdate(ref),
    judge: (refusal) => (isStaleRevision(refusal) || isRecordGone(refusal) ? "theirs" : "refused"),
    async look() {
      const answer = await sendRead(deps, getRecords(app, recordsByIds([ref.recordId])), options);
      return answer.kind === "ok" ? sightOfUpdate(update, answer.value[0]) : unanswered(answer, what);
    },
    what,
    lost: revisionConflict(update.name),
  };
  return sendLone(deps, fenced, options);
}

/** Inserts one record under its unique key (wire-format §4.4); at most one copy can be applied. */
export function insertLone<T>(
  deps: LoneDeps,
  insert: LoneInsert<T>,
  signal?: AbortSignal,
): Promise<LoneWrite> {
  const { app, record, recordKey, uniqueFields, what, name } = insert;
  const options = signal ? { signal } : {};
  const lost = duplicateRecord(name, "record_key", false);
  const fenced: FencedWrite<WriteResult> = {
    operation: write({ kind: "addRecord", app, record }),
    refOf: refOfInsert,
    judge: (refusal) => (duplicateField(refusal, uniqueFields) === null ? "refused" : "theirs"),
    async look() {
      const answer = await sendRead(deps, getRecords(app, recordsByKeys([recordKey])), options);
      if (answer.kind !== "ok") return unanswered(answer, what);
      const [raw] = answer.value;
      if (raw === undefined) return { kind: "untouched" };
      const stored = insert.decode(raw);
      if (!stored.ok) return unreadable(stored.error);
      return insert.says(stored.value)
        ? { kind: "ours", ref: stored.value.ref }
        : { kind: "theirs", problem: lost };
    },
    what,
    lost,
  };
  return sendLone(deps, fenced, options);
}
