import type { NetworkLock, Run, Stored } from "../model.ts";
import type { NodeDefinition } from "../network-definition.ts";
import type { Problem } from "../problem.ts";
import { activeRunProblem, decideRun } from "../run-input.ts";
import { forecast } from "./forecast.ts";
import { lockConflict, lockTaken } from "./network-lock.ts";
import {
  type ComparedInput,
  inserted,
  type OperationPlan,
  operationPlan,
  type PlannedNode,
  type PlannedWrite,
  says,
} from "./operation.ts";
import { contentRef, type SeenRecords } from "./seen.ts";

/** What the start of a new Run is planned from. */
export interface StartFacts {
  readonly profile: string;
  readonly networkId: string;
  readonly businessKey: string;
  readonly maxActiveRuns: number;
  /** Of the deployed definition, in its order; and their stable topological order. */
  readonly nodes: readonly NodeDefinition[];
  readonly order: readonly string[];
  readonly definitionSha256: string;
  /** The Run that bears the key already. */
  readonly existing: Stored<Run> | null;
  /** Every Run of the profile and network. */
  readonly runs: readonly Run[];
  readonly lock: NetworkLock | null;
  /** What the runner, the jobs and the bundle say against it (orchestration §2.1, N2 to N4). */
  readonly preparation: readonly Problem[];
  readonly inputs: readonly ComparedInput[] | null;
  readonly requestedBy: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly readAt: string;
}

/** What a start is decided on: that its Run is not there, and which definition would be run. */
export const startSeen = (
  existing: Pick<Stored<Run>, "ref"> | null,
  definitionSha256: string,
): SeenRecords => ({
  run: existing?.ref ?? null,
  definition: contentRef(definitionSha256),
});

function refusalsOf(facts: StartFacts): readonly Problem[] {
  const { existing, runs, businessKey, maxActiveRuns, lock, now, preparation } = facts;
  const decided = decideRun({ existing, onHold: false, resume: "none", rerunFrom: false });
  if (decided.kind === "reject") return [decided.problem];
  if (decided.kind === "noop") {
    return [
      {
        code: "NOOP_ALREADY_SUCCESS",
        message: "The Run of this key succeeded already; nothing would be executed.",
        place: `Run ${decided.runId}`,
        remedy: "Nothing is to be done. A correction is a Run of its own, under another key.",
      },
    ];
  }
  return [lockConflict(lock, now), activeRunProblem(runs, businessKey, maxActiveRuns), ...preparation].filter(
    (problem) => problem !== null,
  );
}

/** START (orchestration §2.1, N1 to N10): the Run of a business key that has none. */
export function planStartOperation(facts: StartFacts): OperationPlan {
  const { profile, networkId, businessKey, existing } = facts;
  const refusals = refusalsOf(facts);
  return operationPlan({
    operation: "START",
    subject: { profile, networkId, businessKey, runId: existing?.runId ?? null },
    seen: startSeen(existing, facts.definitionSha256),
    readAt: facts.readAt,
    refusals,
    nodes: existing === null ? nodesOf(facts) : [],
    inputs: facts.inputs,
    writes: writesOf(facts),
    consequences: [says("keyStaysTaken", { key: businessKey })],
  });
}

function nodesOf({ nodes, order }: StartFacts): readonly PlannedNode[] {
  return forecast({
    nodes,
    order,
    before: new Map(),
    after: new Map(nodes.map(({ id }) => [id, { status: "WAITING" }])),
    attempts: [],
    mode: "NEW",
    excluded: new Set(),
    selection: null,
    braked: new Set(),
  });
}

function writesOf({ networkId, businessKey, requestedBy, nodes }: StartFacts): readonly PlannedWrite[] {
  return [
    ...lockTaken(networkId),
    inserted("run", null, { businessKey, status: "CREATED" }),
    inserted("invocation", null, { mode: "NEW", requestedBy, status: "RUNNING" }),
    ...nodes.map(({ id }) => inserted("nodeState", id, { status: "WAITING" })),
  ];
}
