import type { Invocation, NodeStatus, Run, Stored } from "./model.ts";
import type { ResumePlan } from "./resume-plan.ts";
import { invocationResult } from "./run-status.ts";
import { nextStep } from "./scheduling.ts";

/** What is needed to see that a resume has nothing new to say. */
export interface RepeatedResumeFacts {
  readonly run: Run;
  /** Of the stored bundle. */
  readonly nodes: readonly { readonly id: string; readonly dependsOn: readonly string[] }[];
  /** Stable topological order (orchestration §1.3). */
  readonly order: readonly string[];
  readonly states: readonly { readonly nodeId: string; readonly status: NodeStatus }[];
  /** In the order of their records. */
  readonly invocations: readonly Stored<Invocation>[];
}

/**
 * The Invocation that a resume would only repeat, or null: it would start nothing, repair nothing and leave every record
 * as it is, and the last Invocation executed nothing either and ended the same. A schedule asks again and again for a Run
 * whose failed nodes are braked or must not run twice; each answer after the first one adds a record that says what the
 * one before it says, without limit (orchestration §4.6, W-31).
 */
export function repeatedInvocation(facts: RepeatedResumeFacts, plan: ResumePlan): Stored<Invocation> | null {
  const last = facts.invocations.at(-1);
  if (last === undefined || last.selectedNodeIds.length > 0 || plan.mode !== "RESUME") return null;
  const { missing, attempts, abandoned, repairs, states } = plan;
  if (missing.length + attempts.length + abandoned.length + repairs.length > 0) return null;
  // Blocked nodes are only set back to be judged anew; anything else that changes is news.
  if (states.some(({ before, next }) => before.status !== "BLOCKED" || next.status !== "WAITING"))
    return null;
  if (!endsAsItStands(facts, plan)) return null;
  const end = invocationResult(facts.run.status);
  return last.status === end.status && last.resultCode === end.resultCode ? last : null;
}

/** The walk starts nothing, and blocks exactly what is blocked now. */
function endsAsItStands({ nodes, order, states }: RepeatedResumeFacts, plan: ResumePlan): boolean {
  const walked = new Map(states.map(({ nodeId, status }) => [nodeId, { status }]));
  for (const { next } of plan.states) walked.set(next.nodeId, { status: next.status });
  const { mode, excluded } = plan;
  for (;;) {
    const step = nextStep({
      definition: { nodes },
      order,
      states: walked,
      tried: new Set(),
      mode,
      excluded,
    });
    if (step.kind === "block") walked.set(step.nodeId, { status: "BLOCKED" });
    else if (step.kind !== "done") return false;
    else return states.every(({ nodeId, status }) => walked.get(nodeId)?.status === status);
  }
}
