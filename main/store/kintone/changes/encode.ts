import type { NodeState, RecordRef } from "../../../../shared/domain/model.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";
import {
  attemptCodec,
  holdCodec,
  invocationCodec,
  nodeStateCodec,
  operationAuditCodec,
  resolutionCodec,
  runCodec,
  type WireRecord,
} from "../../../../shared/records/index.ts";
import type { Change } from "../../ports.ts";

/** Ids of the apps the orchestrator writes to or reads from (wire-format §1). */
export interface AppIds {
  readonly state: number;
  readonly audit: number;
  readonly jobLog: number;
}

export type EncodedWrite =
  | { readonly kind: "insert"; readonly recordKey: string; readonly record: WireRecord }
  | { readonly kind: "update"; readonly ref: RecordRef; readonly record: WireRecord };

/** One record of a change, ready to be sent. */
export interface EncodedChange {
  readonly app: number;
  /** Neighbours of the same kind may share a sub-request. */
  readonly batch: Change["kind"];
  readonly write: EncodedWrite;
}

const insert = (recordKey: string, record: WireRecord): EncodedWrite => ({
  kind: "insert",
  recordKey,
  record,
});
const update = (ref: RecordRef, record: WireRecord): EncodedWrite => ({ kind: "update", ref, record });

function nodeStateUpdate(ref: RecordRef, next: NodeState): EncodedWrite {
  if (next.revision === ref.revision + 1) return update(ref, nodeStateCodec.encodeUpdate(next));
  throw new FlowError({
    code: "REVISION_SERIES_INVERTED",
    message: `The Node State of ${next.nodeId} would get revision ${next.revision} on a record at ${ref.revision}. Nothing was written.`,
    place: `record ${ref.recordId}`,
    remedy: "Read the Node State again and plan on the revision it has.",
  });
}

function closedInvocation(change: Extract<Change, { readonly kind: "invocation.finalise" }>): WireRecord {
  const { status, resultCode, finishedAt, selectedNodeIds, preservedNodeIds, blockedNodeIds, reason } =
    change.next;
  return invocationCodec.encodeFinal({
    status,
    resultCode,
    finishedAt: finishedAt ?? "",
    selectedNodeIds,
    preservedNodeIds,
    blockedNodeIds,
    reason,
  });
}

function writesOf(change: Change): readonly EncodedWrite[] {
  switch (change.kind) {
    case "run.insert":
      return [insert(runCodec.recordKey(change.run), runCodec.encode(change.run))];
    case "run.aggregate":
      return [update(change.ref, runCodec.encodeAggregate(change))];
    case "run.archive":
      return [
        update(change.ref, runCodec.encodeClose({ lifecycle: "ARCHIVED", updatedAt: change.updatedAt })),
      ];
    case "invocation.insert": {
      const { invocation } = change;
      return [insert(invocationCodec.recordKey(invocation.invocationId), invocationCodec.encode(invocation))];
    }
    case "invocation.finalise":
      return [update(change.ref, closedInvocation(change))];
    case "nodeStates.insert":
      return change.states.map((state) =>
        insert(nodeStateCodec.recordKey(state), nodeStateCodec.encode(state)),
      );
    case "nodeState.update":
      return [nodeStateUpdate(change.ref, change.next)];
    case "attempt.insert":
      return [insert(attemptCodec.recordKey(change.attempt.attemptId), attemptCodec.encode(change.attempt))];
    case "attempt.finalise":
      return [update(change.ref, attemptCodec.encodeFinal(change.next))];
    case "hold.update":
      return [update(change.ref, holdCodec.encodeUpdate(change.next))];
    case "resolution.insert":
      return [
        insert(resolutionCodec.recordKey(change.resolution), resolutionCodec.encode(change.resolution)),
      ];
    case "audit.insert":
      return [
        insert(operationAuditCodec.recordKey(change.audit.eventId), operationAuditCodec.encode(change.audit)),
      ];
  }
}

/** True for the record types of the audit app (wire-format §1). */
const inAuditApp = (kind: Change["kind"]): boolean =>
  kind.startsWith("invocation") ||
  kind.startsWith("attempt") ||
  kind.startsWith("resolution") ||
  kind.startsWith("audit");

/** App of a change. */
export const appOfChange = (change: Change, apps: AppIds): number =>
  inAuditApp(change.kind) ? apps.audit : apps.state;

/** The records of a change in wire form (wire-format §1, §4.1). Throws `REVISION_SERIES_INVERTED`. */
export function encodeChange(change: Change, apps: AppIds): readonly EncodedChange[] {
  const app = appOfChange(change, apps);
  return writesOf(change).map((write) => ({ app, batch: change.kind, write }));
}

const NAMES: Readonly<Record<Change["kind"], string>> = {
  "run.insert": "The Run",
  "run.aggregate": "The Run",
  "run.archive": "The Run",
  "invocation.insert": "The Invocation",
  "invocation.finalise": "The Invocation",
  "nodeStates.insert": "A Node State",
  "nodeState.update": "The Node State",
  "attempt.insert": "The Attempt",
  "attempt.finalise": "The Attempt",
  "hold.update": "The hold",
  "resolution.insert": "The Resolution",
  "audit.insert": "The operation audit",
};

/** What people call the record of a change. */
export const nameOfChange = (kind: Change["kind"]): string => NAMES[kind];
