import { validateKeyPolicy } from "./business-key.ts";
import { type PatternKind, patternFault } from "./csv-pattern.ts";
import { stableOrder } from "./dag.ts";
import {
  type NetworkDefinition,
  type NetworkProblem,
  type NodeDefinition,
  pointerSegment,
} from "./network-definition.ts";

function policyProblems(definition: NetworkDefinition): NetworkProblem[] {
  return validateKeyPolicy(definition.businessKeyPolicy).map((problem) => ({
    ...problem,
    place: problem.place ?? "$.business_key_policy",
  }));
}

function lockProblems({ networkLock }: NetworkDefinition): NetworkProblem[] {
  const { leaseDurationSec: lease, heartbeatIntervalSec: heartbeat } = networkLock;
  const place = "$.network_lock.heartbeat_interval_sec";
  const problems: NetworkProblem[] = [];
  if (heartbeat >= lease) {
    const message = `The heartbeat of ${heartbeat} s is not shorter than the lease of ${lease} s: the lease would end between two beats.`;
    problems.push({ code: "NETWORK_LOCK_HEARTBEAT_NOT_LESS_THAN_LEASE", message, place });
  }
  if (heartbeat > lease / 3) {
    const message = `The heartbeat of ${heartbeat} s is longer than a third of the lease of ${lease} s: three failures must fit into one lease.`;
    problems.push({ code: "NETWORK_LOCK_HEARTBEAT_EXCEEDS_ONE_THIRD", message, place });
  }
  return problems;
}

function patternProblems(node: NodeDefinition, path: string, kind: PatternKind): NetworkProblem[] {
  const [patterns, property] = kind === "input" ? [node.inputs, "inputs"] : [node.outputs, "outputs"];
  return Object.entries(patterns).flatMap(([name, pattern]) => {
    const fault = patternFault(pattern, kind);
    if (fault === null) return [];
    const code = kind === "input" ? "INPUT_PATTERN_INVALID" : "OUTPUT_PATTERN_INVALID";
    const place = `${path}/${property}/${pointerSegment(name)}`;
    return [{ code, message: `The pattern "${pattern}" ${fault}.`, place }];
  });
}

function dependencyProblems(node: NodeDefinition, path: string): NetworkProblem[] {
  return node.dependsOn.flatMap((dependency, index): NetworkProblem[] => {
    const place = `${path}/depends_on/${index}`;
    const problems: NetworkProblem[] = [];
    if (dependency === node.id) {
      problems.push({ code: "SELF_DEPENDENCY", message: `Node "${node.id}" waits for itself.`, place });
    }
    if (node.dependsOn.indexOf(dependency) < index) {
      const message = `Node "${node.id}" names the dependency "${dependency}" twice.`;
      problems.push({ code: "DUPLICATE_DEPENDENCY", message, place });
    }
    return problems;
  });
}

function nodeProblems(node: NodeDefinition, path: string, duplicate: boolean): NetworkProblem[] {
  const problems: NetworkProblem[] = [];
  if (duplicate) {
    const message = `The node id "${node.id}" is used more than once.`;
    problems.push({ code: "DUPLICATE_NODE_ID", message, place: `${path}/id` });
  }
  problems.push(...patternProblems(node, path, "input"), ...patternProblems(node, path, "output"));
  if (node.triggerRule !== "all_success") {
    problems.push({
      code: "TRIGGER_RULE_UNSUPPORTED",
      message: `The trigger rule ${node.triggerRule} is known but not supported.`,
      place: `${path}/trigger_rule`,
      remedy: "Use all_success.",
    });
  }
  return [...problems, ...dependencyProblems(node, path)];
}

function unknownDependencies(nodes: readonly NodeDefinition[]): NetworkProblem[] {
  const ids = new Set(nodes.map((node) => node.id));
  return nodes.flatMap((node, index) =>
    node.dependsOn.flatMap((dependency, position) =>
      ids.has(dependency)
        ? []
        : [
            {
              code: "UNKNOWN_DEPENDENCY",
              message: `Node "${node.id}" waits for "${dependency}", which is not a node of this network.`,
              place: `$.nodes/${index}/depends_on/${position}`,
            },
          ],
    ),
  );
}

/**
 * Phase 2 of validation (orchestration §1.2), in the peer's order: policy, lock, each node, unknown
 * dependencies, cycle. A duplicate id or an unknown dependency suppresses the cycle check.
 */
export function semanticProblems(definition: NetworkDefinition): readonly NetworkProblem[] {
  const seen = new Set<string>();
  let duplicates = false;
  const perNode = definition.nodes.flatMap((node, index) => {
    const duplicate = seen.has(node.id);
    duplicates ||= duplicate;
    seen.add(node.id);
    return nodeProblems(node, `$.nodes/${index}`, duplicate);
  });
  const unknown = unknownDependencies(definition.nodes);
  const problems = [...policyProblems(definition), ...lockProblems(definition), ...perNode, ...unknown];
  if (duplicates || unknown.length > 0) return problems;
  const order = stableOrder(definition.nodes);
  return order.ok ? problems : [...problems, { ...order.error, place: "$.nodes" }];
}
