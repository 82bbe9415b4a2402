import {
  type RecordRef,
  type Result,
  type Run,
  type Stored,
  sameMinute,
} from "../../../../shared/domain/index.ts";
import {
  attemptCodec,
  auditQueries,
  holdCodec,
  invocationCodec,
  nodeStateCodec,
  operationAuditCodec,
  quote,
  resolutionCodec,
  runCodec,
  stateQueries,
} from "../../../../shared/records/index.ts";
import type { RawRecord } from "../../../kintone-client/index.ts";
import type { Change } from "../../ports.ts";
import { type AppIds, appOfChange } from "./encode.ts";

/** A record that only one change set can produce (fenced-writes R2). */
export interface Witness {
  readonly app: number;
  readonly query: string;
  readonly shows: (records: readonly RawRecord[]) => boolean;
  /** Two change sets with the same mark cannot be told apart by this witness. */
  readonly mark: string;
}

/** Best witness first: what is inserted under a key of its own, then what ends, then what merely changes. */
const RANK: readonly Change["kind"][] = [
  "run.insert",
  "invocation.insert",
  "attempt.insert",
  "resolution.insert",
  "audit.insert",
  "nodeStates.insert",
  "attempt.finalise",
  "invocation.finalise",
  "nodeState.update",
  "hold.update",
  "run.aggregate",
  "run.archive",
];

const byId = (recordId: string): string => `$id in (${quote(recordId)}) limit 1`;

/** Condition on the one record found; an unreadable record shows nothing. */
function shown<T>(decode: (wire: unknown) => Result<T>, holds: (record: T) => boolean) {
  return (records: readonly RawRecord[]): boolean =>
    records.length === 1 &&
    records.some((raw) => {
      const record = decode(raw);
      return record.ok && holds(record.value);
    });
}

const isNext = (record: { readonly ref: RecordRef }, before: RecordRef): boolean =>
  record.ref.revision === before.revision + 1;

type Sight = Omit<Witness, "app" | "mark">;

/** Witness of the inserts: the key is taken by a record that carries my own id. */
function insertSight(change: Change): Sight | null {
  switch (change.kind) {
    case "run.insert":
      return {
        query: stateQueries.byKey(runCodec.recordKey(change.run)),
        shows: shown(runCodec.decode, (run) => run.runId === change.run.runId),
      };
    case "invocation.insert": {
      const { invocationId } = change.invocation;
      return {
        query: auditQueries.byKey(invocationCodec.recordKey(invocationId)),
        shows: shown(invocationCodec.decode, (invocation) => invocation.invocationId === invocationId),
      };
    }
    case "attempt.insert": {
      const { attemptId } = change.attempt;
      return {
        query: auditQueries.byKey(attemptCodec.recordKey(attemptId)),
        shows: shown(attemptCodec.decode, (attempt) => attempt.attemptId === attemptId),
      };
    }
    case "resolution.insert":
      return {
        query: auditQueries.byKey(resolutionCodec.recordKey(change.resolution)),
        shows: shown(resolutionCodec.decode, () => true),
      };
    case "audit.insert":
      return {
        query: auditQueries.byKey(operationAuditCodec.recordKey(change.audit.eventId)),
        shows: shown(operationAuditCodec.decode, (audit) => audit.eventId === change.audit.eventId),
      };
    case "nodeStates.insert": {
      const [first] = change.states;
      if (first === undefined) return null;
      return {
        query: stateQueries.byKey(nodeStateCodec.recordKey(first)),
        shows: shown(nodeStateCodec.decode, (state) => state.nodeStateId === first.nodeStateId),
      };
    }
    default:
      return null;
  }
}

/** The updated record went on from `ref`, and says what the change says. */
function updated<T>(
  ref: RecordRef,
  decode: (wire: unknown) => Result<Stored<T>>,
  says: (record: Stored<T>) => boolean,
): Sight {
  return { query: byId(ref.recordId), shows: shown(decode, says) };
}

/** Witness of the endings: written once, so status and result code are only mine. */
function finalSight(change: Change): Sight | null {
  if (change.kind !== "attempt.finalise" && change.kind !== "invocation.finalise") return null;
  const { ref } = change;
  const { status, resultCode } = change.next;
  const says = (record: Stored<{ readonly status: string; readonly resultCode: string }>): boolean =>
    record.ref.revision > ref.revision && record.status === status && record.resultCode === resultCode;
  return change.kind === "attempt.finalise"
    ? updated(ref, attemptCodec.decode, says)
    : updated(ref, invocationCodec.decode, says);
}

/** Witness of the other updates: exactly one revision further, with what the change sets. */
function updateSight(change: Change): Sight | null {
  switch (change.kind) {
    case "nodeState.update": {
      const { ref, next } = change;
      return updated(
        ref,
        nodeStateCodec.decode,
        (state) => isNext(state, ref) && state.status === next.status,
      );
    }
    case "hold.update": {
      const { ref, next } = change;
      return updated(ref, holdCodec.decode, (hold) => isNext(hold, ref) && hold.state === next.state);
    }
    case "run.aggregate": {
      const { ref, status, updatedAt } = change;
      const says = (run: Stored<Run>): boolean =>
        isNext(run, ref) && run.status === status && sameMinute(run.updatedAt, updatedAt);
      return updated(ref, runCodec.decode, says);
    }
    case "run.archive": {
      const { ref } = change;
      return updated(ref, runCodec.decode, (run) => isNext(run, ref) && run.lifecycle === "ARCHIVED");
    }
    default:
      return null;
  }
}

/** Tells apart what a change sets, so that two change sets on one record have different marks. */
function markOf(change: Change, query: string): string {
  switch (change.kind) {
    case "attempt.finalise":
    case "invocation.finalise":
      return `${query}|${change.next.status}|${change.next.resultCode}`;
    case "nodeState.update":
      return `${query}|${change.next.status}`;
    case "hold.update":
      return `${query}|${change.next.state}`;
    case "run.aggregate":
      return `${query}|${change.status}`;
    default:
      return query;
  }
}

/**
 * The witness of a change set, or null when it changes nothing but the lock (fenced-writes R2). Changes of
 * one request are applied together, so one record speaks for all.
 */
export function witnessOf(changes: readonly Change[], apps: AppIds): Witness | null {
  const ranked = changes.toSorted((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind));
  for (const change of ranked) {
    const sight = insertSight(change) ?? finalSight(change) ?? updateSight(change);
    if (sight !== null) {
      return { ...sight, app: appOfChange(change, apps), mark: markOf(change, sight.query) };
    }
  }
  return null;
}
