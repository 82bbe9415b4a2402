import type { Attempt, Invocation, NodeState, RecordEdits, Resolution, Run, Stored } from "./model.ts";
import type { NodeDefinition } from "./network-definition.ts";
import { fail, ok, type Problem, type Result } from "./problem.ts";
import { reconcile } from "./reconciliation.ts";
import type { Finding } from "./reconciliation-finding.ts";
import {
  createDrafts,
  type Drafts,
  type OrphanEnd,
  type RepairNote,
  WAITING_AGAIN,
} from "./resume-drafts.ts";
import {
  excludedSet,
  planRerunFrom,
  prepareResume,
  rerunExcludedRoots,
  resumeInvocationLists,
} from "./resume-preparation.ts";
import { applyOrphan, applyRepair, orphanedAttempts, unstartedAttempts } from "./resume-repairs.ts";
import { type FailureStreak, retryBrakeReason } from "./retry-brake.ts";

/** Everything a RESUME or RERUN_FROM is planned from, read under the Network lock. */
export interface ResumeFacts {
  readonly run: Stored<Run>;
  /** Of the stored bundle, in definition order. */
  readonly nodes: readonly NodeDefinition[];
  readonly states: readonly Stored<NodeState>[];
  readonly attempts: readonly Stored<Attempt>[];
  readonly resolutions: readonly Resolution[];
  readonly invocations: readonly Stored<Invocation>[];
  readonly edits?: RecordEdits | undefined;
  /** The node to run again from; null resumes. */
  readonly rerunFrom: string | null;
  readonly invocationId: string;
  /** Every orphaned Attempt, judged. */
  readonly orphans: ReadonlyMap<string, OrphanEnd>;
  /** Attempts the JOB log provably knows nothing of (W-01). */
  readonly unknownToLog: ReadonlySet<string>;
  /** ISO-8601 UTC. */
  readonly at: string;
}

export interface ResumePlan {
  readonly mode: "RESUME" | "RERUN_FROM";
  /** Nodes of the bundle that have no state yet; they are made WAITING. */
  readonly missing: readonly NodeDefinition[];
  readonly states: ReturnType<Drafts["changedStates"]>;
  readonly attempts: ReturnType<Drafts["changedAttempts"]>;
  /** Invocations another process left open. */
  readonly abandoned: readonly { readonly before: Stored<Invocation>; readonly next: Invocation }[];
  readonly repairs: readonly RepairNote[];
  readonly lists: {
    readonly selected: readonly string[];
    readonly preserved: readonly string[];
    readonly blocked: readonly string[];
  };
  /** For the walk. */
  readonly excluded: ReadonlySet<string>;
  readonly selection: ReadonlySet<string> | null;
  readonly braked: readonly { readonly nodeId: string; readonly streak: FailureStreak }[];
  /** What was adjudicated and braked, for the Invocation's reason. */
  readonly notes: readonly string[];
}

/**
 * Attempts whose end has to be looked up before {@link planResume} can be asked: the orphans, and those that may be
 * withdrawn when the JOB log knows nothing of them (orchestration §5.3, W-01).
 */
export function attemptsToLookUp(
  facts: Pick<ResumeFacts, "run" | "states" | "attempts" | "resolutions" | "invocationId">,
): { readonly orphans: readonly Stored<Attempt>[]; readonly unstarted: readonly string[] } {
  const findings = reconcile(facts);
  return {
    orphans: orphanedAttempts(facts.states, facts.attempts, facts.invocationId),
    unstarted: unstartedAttempts(findings),
  };
}

/**
 * What a RESUME or RERUN_FROM writes before its walk (orchestration §2.1 R11 to R14, §4.1 step 3 and 4, §4.9, §5.3, §6.3):
 * repairs, judged orphans, nodes set back, abandoned Invocations. Orphans are judged before anything is reset (W-09).
 * Codes `RUN_SNAPSHOT_MISMATCH`, `RECONCILIATION_REQUIRED` (`details.findings`), `RERUN_FROM_*`.
 */
export function planResume(facts: ResumeFacts): Result<ResumePlan> {
  const mismatch = snapshotProblem(facts);
  if (mismatch !== null) return fail(mismatch);
  const findings = reconcile({ ...facts, nodeIds: facts.nodes.map(({ id }) => id) });
  const stuck = findings.filter((finding) => !mayPass(finding, facts.unknownToLog));
  if (stuck.length > 0) return fail(reconciliationRequired(facts.run.runId, stuck));
  const drafts = createDrafts(inDefinitionOrder(facts), facts.attempts);
  const repairs = findings.flatMap((finding) => {
    const note = applyRepair(finding, drafts, facts.at) ?? aggregateNote(finding, facts.run);
    return note === null ? [] : [note];
  });
  const notes = orphanedAttempts(facts.states, facts.attempts, facts.invocationId).flatMap((attempt) => {
    const end = facts.orphans.get(attempt.attemptId);
    return end === undefined ? [] : [applyOrphan(attempt, end, drafts, facts.at)];
  });
  const prepared = facts.rerunFrom === null ? resumed(facts, drafts) : rerun(facts, facts.rerunFrom, drafts);
  if (!prepared.ok) return prepared;
  const abandoned = abandonedInvocations(facts);
  const present = new Set(facts.states.map(({ nodeId }) => nodeId));
  return ok({
    ...prepared.value,
    missing: facts.nodes.filter(({ id }) => !present.has(id)),
    states: drafts.changedStates(facts.at),
    attempts: drafts.changedAttempts(),
    abandoned,
    repairs: [...repairs, ...abandoned.map(({ before, next }) => abandonedNote(before, next))],
    notes: [
      ...notes,
      ...prepared.value.braked.map(({ nodeId, streak }) => `${nodeId} ${retryBrakeReason(streak)}`),
    ],
  });
}

type Prepared = Pick<ResumePlan, "mode" | "lists" | "excluded" | "selection" | "braked">;

function resumed({ nodes }: ResumeFacts, drafts: Drafts): Result<Prepared> {
  const lists = resumeInvocationLists(drafts.states());
  const { reset, excludedRoots, braked } = prepareResume(drafts.states(), drafts.attempts());
  for (const nodeId of reset) drafts.setState(nodeId, WAITING_AGAIN);
  for (const { nodeId, streak } of braked) {
    const statusReason = retryBrakeReason(streak);
    if (drafts.state(nodeId)?.statusReason !== statusReason) drafts.setState(nodeId, { statusReason });
  }
  return ok({ mode: "RESUME", lists, excluded: excludedSet(nodes, excludedRoots), selection: null, braked });
}

function rerun({ nodes, run }: ResumeFacts, nodeId: string, drafts: Drafts): Result<Prepared> {
  const states = drafts.states();
  const selected = planRerunFrom({ nodes, nodeId, runStatus: run.status, states });
  if (!selected.ok) return selected;
  const selection = new Set(selected.value);
  const kept = resumeInvocationLists(states.filter((state) => !selection.has(state.nodeId)));
  for (const id of selection) {
    const state = drafts.state(id);
    if (state !== undefined && state.status !== "WAITING") drafts.setState(id, WAITING_AGAIN);
  }
  return ok({
    mode: "RERUN_FROM",
    lists: { selected: selected.value, preserved: kept.preserved, blocked: kept.blocked },
    excluded: excludedSet(nodes, rerunExcludedRoots(states, selection)),
    selection,
    braked: [],
  });
}

function inDefinitionOrder({ states, nodes }: ResumeFacts): readonly Stored<NodeState>[] {
  const place = new Map(nodes.map(({ id }, index) => [id, index]));
  return states.toSorted((a, b) => (place.get(a.nodeId) ?? 0) - (place.get(b.nodeId) ?? 0));
}

/** What the stored bundle and the Node States say of the same node (orchestration §2.1 R11). */
function snapshotProblem({ nodes, states, run }: ResumeFacts): Problem | null {
  const defined = new Map(nodes.map((node) => [node.id, node]));
  const different = states.filter((state) => {
    const node = defined.get(state.nodeId);
    return (
      node === undefined ||
      node.jobId !== state.jobId ||
      node.idempotent !== state.idempotent ||
      node.triggerRule !== state.triggerRule
    );
  });
  if (different.length === 0) return null;
  const ids = different.map(({ nodeId }) => nodeId);
  return {
    code: "RUN_SNAPSHOT_MISMATCH",
    message: `The stored definition and the Node States disagree about: ${ids.join(", ")}. Nothing was started.`,
    place: `Run ${run.runId}`,
    remedy:
      "Compare the records with the stored bundle; start a Run under a correction key and close this one.",
    details: { nodeIds: ids },
  };
}

function mayPass({ severity, repair }: Finding, unknownToLog: ReadonlySet<string>): boolean {
  if (severity === "blocking") return false;
  return repair?.type !== "UNSTARTED_ATTEMPT_WITHDRAWN" || unknownToLog.has(repair.attemptId);
}

const reconciliationRequired = (runId: string, findings: readonly Finding[]): Problem => ({
  code: "RECONCILIATION_REQUIRED",
  message: `The records of the Run contradict each other: ${findings.map(({ code, nodeId }) => (nodeId === null ? code : `${code} (${nodeId})`)).join(", ")}. Nothing was started.`,
  place: `Run ${runId}`,
  remedy: `Look at each finding in the Run's status; one of the records was changed by hand or left by a crash.${realignable(findings) ? " A Node State that was edited by hand can be taken up again with realign-node." : ""}`,
  details: {
    findings: findings.map(({ code, nodeId, detail, attemptIds }) => ({ code, nodeId, detail, attemptIds })),
  },
});

const realignable = (findings: readonly Finding[]): boolean =>
  findings.some(({ code }) => code === "REVISION_SERIES_INVERTED");

function aggregateNote({ repair, detail }: Finding, run: Stored<Run>): RepairNote | null {
  if (repair?.type !== "RUN_AGGREGATE_RECOMPUTED") return null;
  return {
    repairType: "RUN_AGGREGATE_RECOMPUTED",
    targetType: "NETWORK_RUN",
    targetId: run.runId,
    before: { status: run.status },
    after: { status: repair.status },
    basis: detail,
  };
}

/** Open Invocations of a Run whose lock is ours have no owner any more (orchestration §4.1 step 3). */
function abandonedInvocations({ invocations, invocationId, at }: ResumeFacts): ResumePlan["abandoned"] {
  return invocations
    .filter((other) => other.status === "RUNNING" && other.invocationId !== invocationId)
    .map((before) => {
      const { ref: _ref, ...open } = before;
      const next: Invocation = {
        ...open,
        status: "CANCELLED",
        resultCode: "NETWORK_LEASE_INTERRUPTED",
        finishedAt: at,
        reason: `${open.reason}; finalized as interrupted by ${invocationId}`,
      };
      return { before, next };
    });
}

const abandonedNote = (before: Invocation, next: Invocation): RepairNote => ({
  repairType: "INVOCATION_FINALIZED",
  targetType: "RUN_INVOCATION",
  targetId: before.invocationId,
  before: { status: before.status, result_code: before.resultCode },
  after: { status: next.status, result_code: next.resultCode },
  basis: "The Network lock is held by another Invocation, so nobody carries this one on.",
});
