import type { NodeState, Stored } from "../../shared/domain/model.ts";
import type { NodeDefinition } from "../../shared/domain/network-definition.ts";
import { type OperationPlan, planResumeOperation } from "../../shared/domain/operations/index.ts";
import { ok } from "../../shared/domain/problem.ts";
import { ref, storedRun, storedState } from "../support/entities.ts";
import { printTable } from "./machine.ts";

/** Own CPU a preview of a 1,000-node Run may take, milliseconds. */
const BUDGET_MS = 500;
const NODES = 1000;
const AT = "2026-09-02T00:00:00.000Z";

/** `width` 1 is a chain; otherwise layers of that many nodes, each depending on two of the layer before. */
function network(width: number): readonly NodeDefinition[] {
  return Array.from({ length: NODES }, (_, at): NodeDefinition => {
    const layer = Math.floor(at / width) - 1;
    const before =
      width === 1 ? [at - 1] : [layer * width + (at % width), layer * width + ((at + 1) % width)];
    const dependsOn = layer < 0 ? [] : before.map((each) => `n${each}`);
    const id = `n${at}`;
    return {
      id,
      jobId: id,
      sql: `${id}.sql`,
      dependsOn,
      triggerRule: "all_success",
      idempotent: true,
      inputs: {},
      outputs: {},
    };
  });
}

/** Every node failed half-way down: what is before it succeeded, what is after it is blocked. */
function records(nodes: readonly NodeDefinition[]): readonly Stored<NodeState>[] {
  return nodes.map(({ id }, at) => {
    const status = at < NODES / 2 ? "SUCCESS" : at === NODES / 2 ? "FAILED" : "BLOCKED";
    return { ...storedState(id, status, { jobId: id, revision: 1 }), ref: ref(String(at + 10), 1) };
  });
}

function preview(
  nodes: readonly NodeDefinition[],
  states: readonly Stored<NodeState>[],
  rerunFrom: string | null,
): OperationPlan {
  return planResumeOperation({
    run: { ...storedRun({ status: "FAILED", startedAt: AT, finishedAt: AT }), ref: ref("1", 1) },
    hold: null,
    lock: null,
    differences: ok([]),
    definition: ok({ nodes, order: nodes.map(({ id }) => id) }),
    judged: ok({ orphans: new Map(), unknownToLog: new Set<string>() }),
    records: { states, attempts: [], resolutions: [], invocations: [] },
    rerunFrom,
    bySchedule: false,
    inputs: null,
    requestedBy: "bench",
    now: Date.parse(AT),
    readAt: AT,
  });
}

/** Own CPU of previews of a large Run, without what is read for them (operator-ux §1.2). */
export function benchPlans(): Promise<void> {
  const rows = [1, 50].flatMap((width) => {
    const nodes = network(width);
    const states = records(nodes);
    return [`n0`, null].map((rerunFrom) => {
      const before = process.cpuUsage();
      const plan = preview(nodes, states, rerunFrom);
      const { user, system } = process.cpuUsage(before);
      return {
        network: width === 1 ? "chain" : `layers of ${width}`,
        nodes: NODES,
        operation: plan.operation,
        run: plan.counts.run,
        refused: plan.refusals.length,
        "cpu ms": Math.round((user + system) / 1000),
        budget: BUDGET_MS,
      };
    });
  });
  printTable("preview of a large Run, own CPU, first call each", rows);
  return Promise.resolve();
}
