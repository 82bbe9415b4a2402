import { type Result, sameMinute } from "../../../../shared/domain/index.ts";
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

/** Witness of the updates: the record went exactly one revision further, to what this change says. */
function updateSight(change: Change): Sight | null {
  switch (change.kind) {
    case "attempt.finalise": {
      const { ref, next } = change;
      return {
        query: byId(ref.recordId),
        shows: shown(
          attemptCodec.decode,
          (attempt) =>
            attempt.ref.revision > ref.revision &&
            attempt.status === next.status &&
            attempt.resultCode === next.resultCode,
        ),
      };
    }
    case "invocation.finalise": {
      const { ref, next } = change;
      return {
        query: byId(ref.recordId),
        shows: shown(
          invocationCodec.decode,
          (invocation) => invocation.status === next.status && invocation.resultCode === next.resultCode,
        ),
      };
    }
    case "nodeState.update": {
      const { ref, next } = change;
      return {
        query: byId(ref.recordId),
        shows: shown(
          nodeStateCodec.decode,
          (state) => state.ref.revision === ref.revision + 1 && state.status === next.status,
        ),
      };
    }
    case "hold.update": {
      const { ref, next } = change;
      return {
        query: byId(ref.recordId),
        shows: shown(
          holdCodec.decode,
          (hold) => hold.ref.revision === ref.revision + 1 && hold.state === next.state,
        ),
      };
    }
    case "run.aggregate": {
      const { ref, status, updatedAt } = change;
      return {
        query: byId(ref.recordId),
        shows: shown(
          runCodec.decode,
          (run) =>
            run.ref.revision === ref.revision + 1 &&
            run.status === status &&
            sameMinute(run.updatedAt, updatedAt),
        ),
      };
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
    const sight = insertSight(change) ?? updateSight(change);
    if (sight !== null) {
      return { ...sight, app: appOfChange(change, apps), mark: markOf(change, sight.query) };
    }
  }
  return null;
}
