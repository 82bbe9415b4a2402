import type { AttemptFacts, InvocationFacts, NodeFacts, RunDetail } from "../../../shared/api/index.ts";

export type RunEventKind =
  | "invocationStarted"
  | "attemptCreated"
  | "attemptEnded"
  | "nodeRested"
  | "invocationEnded"
  | "resolved"
  | "held";

export interface RunEvent {
  readonly key: string;
  readonly kind: RunEventKind;
  /** When the record says it was, to the minute; null when it does not say. It orders nothing. */
  readonly at: string | null;
  readonly nodeId: string | null;
  readonly attemptNo: number | null;
  readonly attemptId: string | null;
  readonly invocationId: string | null;
  readonly status: string | null;
  readonly code: string | null;
  readonly who: string | null;
  /** The record it is read from: `$id` and, for what happened to it later, its `$revision`. */
  readonly record: string;
}

type Detail = Pick<RunDetail, "attempts" | "invocations" | "resolutions" | "nodes" | "hold">;

const nothing = {
  nodeId: null,
  attemptNo: null,
  attemptId: null,
  invocationId: null,
  status: null,
  code: null,
  who: null,
} as const;

/**
 * What happened to a Run, in order. The order comes from the records alone: `$id` says what was written first, nodes of
 * an invocation run one after another, and a record's end lies behind its beginning; times, kept to the minute, order
 * nothing (wire-format §5). An end stands at the earliest place the records prove. Pure.
 */
export function runEvents(detail: Detail): readonly RunEvent[] {
  const invocations = byRecord(detail.invocations);
  const attempts = byRecord(detail.attempts);
  const known = new Map<string, AttemptFacts[]>(invocations.map(({ invocationId }) => [invocationId, []]));
  // Without its invocation an attempt still happened; it stands behind what is known.
  const strangers = attempts.filter(
    (attempt) => known.get(attempt.invocationId)?.push(attempt) === undefined,
  );
  const last = invocations.at(-1);
  const events = invocations.flatMap((invocation) => [
    invocationStarted(invocation),
    ...(known.get(invocation.invocationId) ?? []).flatMap(attemptEvents),
    ...(invocation === last ? detail.nodes.flatMap(nodeRested) : []),
    ...(invocation.status === "RUNNING" ? [] : [invocationEnded(invocation)]),
  ]);
  const ordered = withResolutions([...events, ...strangers.flatMap(attemptEvents)], detail);
  // The hold is one record, reused: only its present state is known, so it stands last.
  return detail.hold === null ? ordered : [...ordered, heldEvent(detail.hold)];
}

/** A decision stands before the first invocation that was written after it. */
function withResolutions(events: readonly RunEvent[], detail: Detail): readonly RunEvent[] {
  const ordered = [...events];
  const nodeOf = new Map(detail.attempts.map((attempt) => [attempt.attemptId, attempt.nodeId]));
  for (const resolution of byRecord(detail.resolutions)) {
    const before = ordered.findIndex(
      (event) => event.kind === "invocationStarted" && Number(event.record) > Number(resolution.recordId),
    );
    ordered.splice(before < 0 ? ordered.length : before, 0, {
      ...nothing,
      key: `resolution ${resolution.recordId}`,
      kind: "resolved",
      at: resolution.resolvedAt,
      attemptId: resolution.attemptId,
      nodeId: nodeOf.get(resolution.attemptId) ?? null,
      status: resolution.outcome,
      code: resolution.resolutionType,
      who: resolution.requestedBy,
      record: resolution.recordId,
    });
  }
  return ordered;
}

function byRecord<T extends { readonly recordId: string }>(records: readonly T[]): readonly T[] {
  return [...records].sort((left, right) => Number(left.recordId) - Number(right.recordId));
}

const invocationStarted = (invocation: InvocationFacts): RunEvent => ({
  ...nothing,
  key: `invocation ${invocation.recordId}`,
  kind: "invocationStarted",
  at: invocation.startedAt,
  invocationId: invocation.invocationId,
  code: invocation.mode,
  who: invocation.requestedBy,
  record: invocation.recordId,
});

const invocationEnded = (invocation: InvocationFacts): RunEvent => ({
  ...nothing,
  key: `invocation end ${invocation.recordId}`,
  kind: "invocationEnded",
  at: invocation.finishedAt,
  invocationId: invocation.invocationId,
  status: invocation.status,
  code: invocation.resultCode,
  record: `${invocation.recordId} r${invocation.recordRevision}`,
});

function attemptEvents(attempt: AttemptFacts): readonly RunEvent[] {
  const about = {
    ...nothing,
    nodeId: attempt.nodeId,
    attemptNo: attempt.attemptNo,
    attemptId: attempt.attemptId,
    invocationId: attempt.invocationId,
  };
  const created: RunEvent = {
    ...about,
    key: `attempt ${attempt.recordId}`,
    kind: "attemptCreated",
    at: attempt.executionStartedAt,
    record: attempt.recordId,
  };
  if (attempt.status === "RUNNING") return [created];
  const ended: RunEvent = {
    ...about,
    key: `attempt end ${attempt.recordId}`,
    kind: "attemptEnded",
    at: attempt.finishedAt,
    status: attempt.status,
    code: attempt.resultCode,
    record: `${attempt.recordId} r${attempt.recordRevision}`,
  };
  return [created, ended];
}

/** A node that came to rest without an attempt of its own: only its state tells of it. */
function nodeRested(node: NodeFacts): readonly RunEvent[] {
  if (node.status !== "BLOCKED" && node.status !== "SKIPPED") return [];
  return [
    {
      ...nothing,
      key: `node ${node.nodeId}`,
      kind: "nodeRested",
      at: node.finishedAt ?? node.updatedAt,
      nodeId: node.nodeId,
      status: node.status,
      code: node.statusReason,
      record: `r${node.revision}`,
    },
  ];
}

const heldEvent = (hold: NonNullable<RunDetail["hold"]>): RunEvent => ({
  ...nothing,
  key: "hold",
  kind: "held",
  at: hold.requestedAt,
  code: hold.state,
  who: hold.requestedBy,
  record: "",
});
