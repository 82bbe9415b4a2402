import { describe, expect, it } from "vitest";
import { causePath, edgeId, firstCauses, firstTrouble } from "../../../renderer/run/cause.ts";
import { collapseChains } from "../../../renderer/run/graph/collapse.ts";
import { graphOf } from "../../../renderer/run/graph/graph-model.ts";
import { elkGraphOf, layoutOf, neighbour } from "../../../renderer/run/graph/layout.ts";
import type { DefinitionNode } from "../../../shared/api/index.ts";
import type { NodeStatus } from "../../../shared/domain/model.ts";
import { node } from "./run-facts.ts";

const defined = (id: string, dependsOn: readonly string[] = []): DefinitionNode => ({
  id,
  jobId: `job_${id}`,
  dependsOn,
  triggerRule: "all_success",
  idempotent: true,
  inputs: [],
  outputs: [],
});
const states = (...of: readonly (readonly [string, NodeStatus, (readonly string[])?])[]) =>
  of.map(([nodeId, status, blockedBy = []]) => node({ nodeId, status, blockedBy }));

describe("why a node stands still (operator-ux §1.1, cause of a blocked node)", () => {
  const failed = states(
    ["a", "SUCCESS"],
    ["b", "FAILED"],
    ["c", "BLOCKED", ["b"]],
    ["d", "BLOCKED", ["c"]],
    ["e", "UNKNOWN"],
    ["f", "BLOCKED", ["d", "e"]],
  );
  it.each<[string, readonly string[]]>([
    ["c", ["b"]],
    ["d", ["b"]],
    ["f", ["e", "b"]],
    ["a", []],
    ["nobody", []],
  ])("the first causes of %s are %j", (nodeId, causes) => {
    expect(firstCauses(failed, nodeId)).toEqual(causes);
  });

  it("ends on records that block each other in a circle", () => {
    expect(firstCauses(states(["x", "BLOCKED", ["y"]], ["y", "BLOCKED", ["x"]]), "x")).toEqual([]);
  });

  it("names a cause of which no state is recorded", () => {
    expect(firstCauses(states(["x", "BLOCKED", ["gone"]]), "x")).toEqual(["gone"]);
  });

  it("leads from trouble to what it holds up, and leaves out what is well", () => {
    const { nodeIds, edgeIds } = causePath(failed);
    expect([...nodeIds].sort()).toEqual(["b", "c", "d", "e", "f"]);
    expect([...edgeIds].sort()).toEqual(
      [edgeId("b", "c"), edgeId("c", "d"), edgeId("d", "f"), edgeId("e", "f")].sort(),
    );
  });

  it.each<[string, ReturnType<typeof states>, string | null]>([
    ["an unknown outcome before a failure", failed, "e"],
    ["a failure before what it blocks", states(["c", "BLOCKED", ["b"]], ["b", "FAILED"]), "b"],
    ["nothing when all is well", states(["a", "SUCCESS"], ["b", "RUNNING"]), null],
  ])("zooms to %s", (_, nodes, expected) => {
    expect(firstTrouble(nodes)).toBe(expected);
  });
});

describe("the graph of a Run (operator-ux §1.1)", () => {
  const diamond = [defined("a"), defined("b", ["a"]), defined("c", ["a"]), defined("d", ["b", "c"])];

  it("takes edges from the definition and statuses from the records", () => {
    const graph = graphOf(diamond, states(["a", "SUCCESS"], ["b", "FAILED"]));
    expect(graph.edges.map(({ from, to }) => `${from}>${to}`)).toEqual(["a>b", "a>c", "b>d", "c>d"]);
    expect(graph.nodes.map((each) => each.status)).toEqual(["SUCCESS", "FAILED", null, null]);
    expect(graph.nodes[0]?.downstream).toEqual(["b", "c"]);
  });

  it("leaves out no recorded node, and draws no line to a node that does not exist", () => {
    const graph = graphOf([defined("a", ["ghost", "ghost"])], states(["a", "SUCCESS"], ["old", "FAILED"]));
    expect(graph.edges).toEqual([]);
    expect(graph.nodes.map((each) => each.id)).toEqual(["a", "old"]);
  });

  const chain = ["a", "b", "c", "d", "e"].map((id, at, ids) =>
    defined(id, at === 0 ? [] : [ids[at - 1] ?? ""]),
  );
  const all = (status: NodeStatus) => states(...chain.map((each) => [each.id, status] as const));
  it.each<[string, readonly DefinitionNode[], ReturnType<typeof states>, readonly string[]]>([
    ["a chain of successes", chain, all("SUCCESS"), ["a+4"]],
    ["not what has not succeeded", chain, all("WAITING"), ["a", "b", "c", "d", "e"]],
    [
      "only up to the failure",
      chain,
      [...all("SUCCESS").slice(0, 3), ...states(["d", "FAILED"])],
      ["a+2", "d", "e"],
    ],
    ["not two nodes", chain.slice(0, 2), all("SUCCESS").slice(0, 2), ["a", "b"]],
    [
      "no branch",
      diamond,
      states(["a", "SUCCESS"], ["b", "SUCCESS"], ["c", "SUCCESS"], ["d", "SUCCESS"]),
      ["a", "b", "c", "d"],
    ],
  ])("folds %s", (_, definition, facts, expected) => {
    const drawn = collapseChains(graphOf(definition, facts), true, new Set());
    const names = drawn.nodes.map(({ id, folded }) =>
      folded.length > 0 ? `${id}+${folded.length - 1}` : id,
    );
    expect(names).toEqual(expected);
    const ids = new Set(drawn.nodes.map((each) => each.id));
    for (const { from, to } of drawn.edges) expect(ids.has(from) && ids.has(to) && from !== to).toBe(true);
  });

  it("unfolds the chain that was asked for, and folds nothing when told so", () => {
    const graph = graphOf(chain, all("SUCCESS"));
    expect(collapseChains(graph, true, new Set(["a"])).nodes).toHaveLength(5);
    expect(collapseChains(graph, false, new Set()).nodes).toHaveLength(5);
  });

  it("asks for a layout from left to right and reads where the nodes are", () => {
    const drawn = collapseChains(graphOf(diamond, []), false, new Set());
    const asked = elkGraphOf(drawn);
    expect(asked.layoutOptions).toMatchObject({ "elk.direction": "RIGHT" });
    expect(asked.edges).toHaveLength(4);
    expect(layoutOf({ id: "root", children: [{ id: "a", x: 3, y: 4 }, { id: "b" }] })).toEqual(
      new Map([
        ["a", { x: 3, y: 4 }],
        ["b", { x: 0, y: 0 }],
      ]),
    );
  });

  const drawn = collapseChains(graphOf(diamond, []), false, new Set());
  const layout = new Map([
    ["a", { x: 0, y: 50 }],
    ["b", { x: 300, y: 0 }],
    ["c", { x: 300, y: 90 }],
    ["d", { x: 600, y: 50 }],
  ]);
  it.each<[string, string, string | null]>([
    ["ArrowRight", "a", "c"],
    ["ArrowRight", "d", null],
    ["ArrowLeft", "d", "c"],
    ["ArrowDown", "b", "c"],
    ["ArrowUp", "c", "b"],
    ["ArrowUp", "b", null],
    ["Home", "d", "a"],
    ["End", "a", "d"],
    ["x", "a", null],
  ])("the key %s leads from %s to %j (operator-ux §4, 2.1.1)", (key, at, expected) => {
    expect(neighbour(key, at, drawn, layout)).toBe(expected);
  });
});
