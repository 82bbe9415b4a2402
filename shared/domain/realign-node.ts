import type { Attempt, NodeState, RecordEdits, Resolution, Run, Stored } from "./model.ts";
import { fail, ok, type Result } from "./problem.ts";
import { contradictions } from "./realign-contradictions.ts";
import { reconcile } from "./reconciliation.ts";

/** What a person says who takes up a Node State that was edited by hand (orchestration §11.1, weakness without a number). */
export interface RealignWish {
  readonly nodeId: string;
  readonly reason: string;
  readonly evidenceRef: string;
  /** Who made sure what was edited, and that the record may stand as it is. */
  readonly confirmedBy: string;
  readonly requestedBy: string;
  readonly servicePrincipal: string;
}

/** The records of one Run. */
export interface RealignFacts {
  readonly run: Stored<Run>;
  readonly states: readonly Stored<NodeState>[];
  readonly attempts: readonly Stored<Attempt>[];
  readonly resolutions: readonly Resolution[];
  readonly edits?: RecordEdits | undefined;
}

export interface RealignPlan {
  readonly state: Stored<NodeState>;
  /** The same but for its revision. */
  readonly next: NodeState;
  /** What was found, in the words of the finding. */
  readonly basis: string;
}

const refuse = (problem: {
  readonly code: string;
  readonly message: string;
  readonly place: string;
  readonly remedy: string;
  readonly details?: Readonly<Record<string, unknown>>;
}): Result<never> => fail(problem);

/** The rule that needs no record. Code `AUDIT_INPUT_REQUIRED`. */
export function checkRealignInputs(wish: RealignWish): Result<null> {
  const fields = ["reason", "evidenceRef", "confirmedBy", "requestedBy", "servicePrincipal"] as const;
  const missing = fields.filter((field) => wish[field].trim() === "");
  if (missing.length === 0) return ok(null);
  return refuse({
    code: "AUDIT_INPUT_REQUIRED",
    message: `Left blank: ${missing.join(", ")}. A decision nobody can trace is none.`,
    place: missing[0] ?? "",
    remedy: "Fill in every field.",
  });
}

/**
 * What taking up an edited Node State writes (orchestration §6.2 `REVISION_SERIES_INVERTED`, §11.1): the revision that
 * follows kintone's, and nothing else. Codes `AUDIT_INPUT_REQUIRED`, `RUN_NOT_RESUMABLE`, `NODE_STATE_NOT_UNIQUE`,
 * `REVISION_NOT_INVERTED`, `NODE_RECORDS_CONTRADICT` (`details.findings`).
 */
export function planRealign(wish: RealignWish, facts: RealignFacts): Result<RealignPlan> {
  const inputs = checkRealignInputs(wish);
  if (!inputs.ok) return inputs;
  const { nodeId } = wish;
  if (facts.run.lifecycle === "ARCHIVED") {
    return refuse({
      code: "RUN_NOT_RESUMABLE",
      message: "The Run was closed; its records stay as they are.",
      place: facts.run.runId,
      remedy: "Nothing is to be done.",
    });
  }
  const states = facts.states.filter((each) => each.nodeId === nodeId);
  const [state] = states;
  if (state === undefined || states.length !== 1) {
    return refuse({
      code: "NODE_STATE_NOT_UNIQUE",
      message: `The Run has ${states.length} states of this node, not one.`,
      place: nodeId,
      remedy: "Check the node's name; nothing was written.",
    });
  }
  if (state.revision === state.ref.revision) {
    return refuse({
      code: "REVISION_NOT_INVERTED",
      message: `The state's revision follows kintone's (${state.revision}); it was not edited by hand.`,
      place: nodeId,
      remedy: "Look at the Run's status for what else stops it.",
    });
  }
  return aligned(state, facts);
}

function aligned(state: Stored<NodeState>, facts: RealignFacts): Result<RealignPlan> {
  const { ref, ...before } = state;
  const next: NodeState = { ...before, revision: ref.revision + 1 };
  const remaining = findingsAfter(next, state, facts);
  if (remaining.length === 0) {
    return ok({ state, next, basis: basisOf(state, facts) });
  }
  return refuse({
    code: "NODE_RECORDS_CONTRADICT",
    message: `More than the revision is contradictory: ${remaining.map(({ code, detail }) => `${code} (${detail})`).join(" ")}`,
    place: state.nodeId,
    remedy:
      "Have the edit taken back by whoever made it, by kintone's record history, or correct under a new key; nothing was written.",
    details: { findings: remaining },
  });
}

/** What would still stop a resume at this node if only the revision were set. */
function findingsAfter(next: NodeState, { ref }: Stored<NodeState>, { run, ...facts }: RealignFacts) {
  const state = { ...next, ref: { ...ref, revision: next.revision } };
  const attempts = facts.attempts.filter(({ nodeId }) => nodeId === next.nodeId);
  const { resolutions } = facts;
  const found = reconcile({ run, states: [state], attempts, resolutions })
    .filter(({ nodeId, severity }) => nodeId === next.nodeId && severity === "blocking")
    .map(({ code, detail }) => ({ code, detail }));
  return [...found, ...contradictions({ state, attempts, resolutions })];
}

function basisOf({ nodeId }: NodeState, { run, states, attempts, resolutions, edits }: RealignFacts): string {
  const findings = reconcile({ run, states, attempts, resolutions, edits });
  const own = findings.find((each) => each.nodeId === nodeId && each.code === "REVISION_SERIES_INVERTED");
  return own?.detail ?? "";
}
