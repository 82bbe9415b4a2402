import type { Invocation, NodeState, NodeStatus, RecordRef, Run, Stored } from "../../shared/domain/model.ts";
import { nextAggregate } from "../../shared/domain/run-aggregate.ts";
import type { Change, RunKeyParts } from "../store/index.ts";

/**
 * What this holder knows to be in the store about the Run it drives: entities with the revisions they
 * stand at. It changes only by {@link committed}, after a write was proven applied.
 */
export interface Ledger {
  readonly run: Stored<Run>;
  readonly invocation: Stored<Invocation>;
  readonly states: ReadonlyMap<string, Stored<NodeState>>;
}

/** Node State after a change, with the business revision that must follow `$revision` (wire-format section 1.1). */
export function nextState(
  before: Stored<NodeState>,
  change: Partial<Omit<NodeState, "revision" | "updatedAt">>,
  at: string,
): NodeState {
  const { ref, ...state } = before;
  return { ...state, ...change, revision: ref.revision + 1, updatedAt: at };
}

export const stateChange = (before: Stored<NodeState>, next: NodeState): Change => ({
  kind: "nodeState.update",
  ref: before.ref,
  next,
});

const runKeyParts = (run: Run): RunKeyParts => ({
  profile: run.profileSnapshot.profile,
  networkId: run.networkId,
  businessKey: run.businessKey,
});

/**
 * The Run's aggregate over the Node States as they will be (orchestration section 4.4), as a change, or null
 * when nothing about the Run would differ: a Run PUT is written only if it changes (W-06, fenced-writes section 3).
 */
export function runChange(
  ledger: Pick<Ledger, "run">,
  after: ReadonlyMap<string, { readonly status: NodeStatus }>,
  at: string,
  options: { readonly starting?: boolean } = {},
): Extract<Change, { kind: "run.aggregate" }> | null {
  const { run } = ledger;
  const statuses = [...after.values()].map((state) => state.status);
  const aggregate = nextAggregate(run, statuses, at, options);
  if (aggregate === null) return null;
  const { runId, ref } = run;
  return { kind: "run.aggregate", runId, recordKey: runKeyParts(run), ref, ...aggregate, updatedAt: at };
}

/** The ledger after `changes` were applied; `refs` stand in their order. */
export function committed(ledger: Ledger, changes: readonly Change[], refs: readonly RecordRef[]): Ledger {
  let { run, invocation } = ledger;
  const states = new Map(ledger.states);
  let at = 0;
  for (const change of changes) {
    const ref = refs[at];
    at += change.kind === "nodeStates.insert" ? change.states.length : 1;
    if (ref === undefined) throw new Error(`no reference came back for ${change.kind}`);
    if (change.kind === "nodeState.update") states.set(change.next.nodeId, { ...change.next, ref });
    if (change.kind === "nodeStates.insert") {
      const inserted = refs.slice(at - change.states.length, at);
      change.states.forEach((state, index) => {
        const own = inserted[index];
        if (own !== undefined) states.set(state.nodeId, { ...state, ref: own });
      });
    }
    // A resume also ends Invocations that others left open.
    if (change.kind === "invocation.finalise" && change.next.invocationId === invocation.invocationId) {
      invocation = { ...change.next, ref };
    }
    if (change.kind === "run.aggregate") {
      const { status, startedAt, finishedAt, updatedAt } = change;
      run = { ...run, status, startedAt, finishedAt, updatedAt, ref };
    }
  }
  return { run, invocation, states };
}
