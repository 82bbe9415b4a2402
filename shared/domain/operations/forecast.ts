import type { Attempt, NodeState, NodeStatus, RunMode } from "../model.ts";
import type { NodeDefinition } from "../network-definition.ts";
import { failureStreak } from "../retry-brake.ts";
import { type Disposition, nextStep } from "../scheduling.ts";
import type { FateReason, NodeFate, PlannedNode } from "./operation.ts";

/** What a walk is foretold from: the nodes as they will stand when it begins. */
export interface ForecastFacts {
  readonly nodes: readonly NodeDefinition[];
  /** Stable topological order (orchestration §1.3). */
  readonly order: readonly string[];
  /** As stored now; a node without a state has none. */
  readonly before: ReadonlyMap<string, NodeState>;
  /** When the walk begins. */
  readonly after: ReadonlyMap<string, { readonly status: NodeStatus }>;
  readonly attempts: readonly Pick<Attempt, "nodeId" | "attemptNo" | "status" | "resultCode">[];
  readonly mode: RunMode;
  readonly excluded: ReadonlySet<string>;
  readonly selection: ReadonlySet<string> | null;
  readonly braked: ReadonlySet<string>;
}

/**
 * What becomes of every node if each that is started succeeds, in definition order: the walk's own decisions
 * (orchestration §4.1 step 5), taken without starting anything.
 */
export function forecast(facts: ForecastFacts): readonly PlannedNode[] {
  const dispositions = walkThrough(facts);
  const fates = new Map(facts.nodes.map(({ id }) => [id, fateOf(facts, id, dispositions.get(id))] as const));
  const causes = causesOf(facts, fates);
  const attempts = grouped(facts.attempts);
  return facts.nodes.map((node): PlannedNode => {
    const state = facts.before.get(node.id);
    const [does, why] = fates.get(node.id) ?? ["left", "notSelected"];
    return {
      nodeId: node.id,
      does,
      why,
      status: state?.status ?? "WAITING",
      idempotent: node.idempotent,
      attempts: state?.latestAttemptNo ?? 0,
      by: does === "blocked" ? [...(causes.get(node.id) ?? [])] : [],
      streak: failureStreak(attempts.get(node.id) ?? []),
    };
  });
}

/** The walk with every started node a success. A blocked node is marked as the walk would mark it. */
function walkThrough(facts: ForecastFacts): ReadonlyMap<string, Disposition> {
  const { order, mode, excluded, selection } = facts;
  const states = new Map(facts.after);
  const tried = new Set<string>();
  const definition = { nodes: facts.nodes };
  for (;;) {
    const step = nextStep({
      definition,
      order,
      states,
      tried,
      mode,
      excluded,
      ...(selection === null ? {} : { selected: selection }),
    });
    if (step.kind === "done" || step.kind === "stop") return step.dispositions;
    if (step.kind === "execute") tried.add(step.nodeId);
    states.set(step.nodeId, { status: step.kind === "execute" ? "SUCCESS" : "BLOCKED" });
  }
}

type Fate = readonly [NodeFate, FateReason];

function fateOf(facts: ForecastFacts, id: string, disposition: Disposition | undefined): Fate {
  const state = facts.before.get(id);
  switch (disposition) {
    case "EXECUTED":
      return ["run", runReason(facts, id, state)];
    case "PRESERVED":
      return ["keep", "succeeded"];
    case "BLOCKED":
    case "DEFERRED":
      return ["blocked", "upstream"];
    case "EXCLUDED":
    case undefined:
      return facts.selection !== null && !facts.selection.has(id)
        ? ["left", "notSelected"]
        : refusalOf(facts, id, facts.after.get(id)?.status);
  }
}

function runReason({ mode, selection }: ForecastFacts, id: string, state: NodeState | undefined): FateReason {
  if (mode === "NEW" || state === undefined) return "new";
  if (selection?.has(id) === true) return "selected";
  return state.latestAttemptNo > 0 && state.status !== "WAITING" ? "retry" : "waiting";
}

/** Why a resume leaves a node as it is (orchestration §4.1 step 4). */
function refusalOf({ braked }: ForecastFacts, id: string, status: NodeStatus | undefined): Fate {
  if (status === "UNKNOWN") return ["refused", "unknownOutcome"];
  if (braked.has(id)) return ["refused", "retryBrake"];
  return status === "FAILED" || status === "CANCELLED" ? ["refused", "ranOnce"] : ["blocked", "upstream"];
}

/** For each blocked node the refused nodes before it, however far up (operator-ux §1.1: a blocked node names its cause). */
function causesOf(
  { order, nodes }: ForecastFacts,
  fates: ReadonlyMap<string, Fate>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const dependsOn = new Map(nodes.map((node) => [node.id, node.dependsOn]));
  const causes = new Map<string, ReadonlySet<string>>();
  for (const id of order) {
    if (fates.get(id)?.[0] !== "blocked") continue;
    const own = new Set<string>();
    for (const dependency of dependsOn.get(id) ?? []) {
      const fate = fates.get(dependency)?.[0];
      if (fate === "refused" || fate === "left") own.add(dependency);
      for (const cause of causes.get(dependency) ?? []) own.add(cause);
    }
    causes.set(id, own);
  }
  return causes;
}

function grouped<T extends { readonly nodeId: string }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.nodeId);
    if (group === undefined) groups.set(row.nodeId, [row]);
    else group.push(row);
  }
  return groups;
}
