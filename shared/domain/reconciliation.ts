import type { Attempt, Invocation, NodeState, RecordEdits, Resolution, Run, Stored } from "./model.ts";
import type { Finding } from "./reconciliation-finding.ts";
import { type NodeRecords, nodeFindings } from "./reconciliation-node.ts";
import { resolutionFindings } from "./reconciliation-resolution.ts";
import { aggregateRunStatus, isTerminalRunStatus } from "./run-status.ts";

export interface RunRecords {
  readonly run: Pick<Run, "runId" | "status" | "startedAt">;
  readonly states: readonly Stored<NodeState>[];
  readonly attempts: readonly Attempt[];
  /** Of these attempts. */
  readonly resolutions: readonly Resolution[];
  /** Left out, the completeness of the creation is not judged (W-07). */
  readonly invocations?: readonly Pick<Invocation, "invocationId">[];
  /** Node ids of the stored bundle; left out when it was not read. */
  readonly nodeIds?: readonly string[];
  /** Whom kintone names for states that were changed by something else. */
  readonly edits?: RecordEdits | undefined;
}

function grouped(records: RunRecords): readonly NodeRecords[] {
  const attempts = new Map<string, Attempt[]>();
  for (const attempt of records.attempts) {
    const known = attempts.get(attempt.nodeId);
    if (known === undefined) attempts.set(attempt.nodeId, [attempt]);
    else known.push(attempt);
  }
  const nodes: NodeRecords[] = records.states.map((state) => ({
    nodeId: state.nodeId,
    state,
    attempts: attempts.get(state.nodeId) ?? [],
    edit: records.edits?.get(state.ref.recordId),
  }));
  const withState = new Set(records.states.map((state) => state.nodeId));
  for (const [nodeId, orphans] of attempts) {
    if (!withState.has(nodeId)) nodes.push({ nodeId, state: null, attempts: orphans });
  }
  return nodes;
}

function aggregateFinding({ run, states }: RunRecords): readonly Finding[] {
  const status = aggregateRunStatus(
    states.map((state) => state.status),
    run.startedAt,
  );
  if (status === run.status) return [];
  return [
    {
      code: "RUN_AGGREGATE_MISMATCH",
      nodeId: null,
      detail: `The Run says ${run.status}, its Node States amount to ${status}.`,
      attemptIds: [],
      severity: "repairable",
      peerBlocks: false,
      repair: { type: "RUN_AGGREGATE_RECOMPUTED", status },
    },
  ];
}

/** The peer has no word for a Run that died right after its creation (W-07). */
function creationFinding({ run, states, invocations, nodeIds }: RunRecords): readonly Finding[] {
  if (invocations === undefined || isTerminalRunStatus(run.status)) return [];
  const present = new Set(states.map((state) => state.nodeId));
  const missing = (nodeIds ?? []).filter((id) => !present.has(id));
  if (invocations.length > 0 && missing.length === 0) return [];
  const parts = [
    ...(invocations.length === 0 ? ["no Invocation"] : []),
    ...(missing.length > 0 ? [`no Node State of ${missing.join(", ")}`] : []),
  ];
  return [
    {
      code: "CREATION_INCOMPLETE",
      nodeId: null,
      detail: `The Run was created but has ${parts.join(" and ")}; a resume completes it.`,
      attemptIds: [],
      severity: "repairable",
      peerBlocks: false,
      repair: { type: "CREATION_COMPLETED", missingNodeIds: missing },
    },
  ];
}

/**
 * What contradicts itself in the records of one Run (orchestration §6.2), node by node, then the Run.
 * Findings of severity `blocking` stop a resume with `RECONCILIATION_REQUIRED`; `repairable` ones are written
 * first; `notice` ones are history for us, though `peerBlocks` says that the peer would refuse (W-05).
 */
export function reconcile(records: RunRecords): readonly Finding[] {
  const findings = grouped(records).flatMap((node) => {
    const { findings: found, unsafe } = nodeFindings(node);
    return [...found, ...resolutionFindings(node, unsafe, records.resolutions)];
  });
  return [...findings, ...aggregateFinding(records), ...creationFinding(records)];
}
