import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DagNode, descendants, stableOrder } from "../../../../shared/domain/index.ts";

const dag = (text: string): DagNode[] =>
  text.split(" ").map((entry) => {
    const [id = "", ...dependsOn] = entry.split(/[<,]/);
    return { id, dependsOn };
  });

describe("the order of nodes (orchestration §1.3)", () => {
  it.each([
    ["c<b a b<a z", "a b c z"],
    ["a", "a"],
    ["n1 n2 n3<n1,n2", "n1 n2 n3"],
    ["d<b,c c<a b<a a", "a c b d"],
  ])("%s runs as %s", (definition, order) => {
    expect(stableOrder(dag(definition))).toEqual({ ok: true, value: order.split(" ") });
  });

  it("names the nodes of a cycle and what waits behind it, in definition order", () => {
    const result = stableOrder(dag("z<y a y<x x<y"));
    expect(result).toMatchObject({
      error: { code: "CYCLE_DETECTED", details: { nodeIds: ["z", "y", "x"] } },
    });
  });

  it("at each step takes the ready node that stands first, whatever the network", () => {
    const network = fc.integer({ min: 1, max: 25 }).chain((size) =>
      fc.tuple(
        fc.shuffledSubarray(
          Array.from({ length: size }, (_, i) => i),
          { minLength: size, maxLength: size },
        ),
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 40 }),
      ),
    );
    fc.assert(
      fc.property(network, ([fileOrder, edges]) => {
        // An edge always points from a smaller to a larger number, so there is no cycle.
        const nodes = fileOrder.map((number) => ({
          id: `n${number}`,
          dependsOn: [
            ...new Set(
              edges
                .filter(([a, b]) => Math.max(a, b) === number && a !== b)
                .map(([a, b]) => `n${Math.min(a, b)}`),
            ),
          ],
        }));
        const done = new Set<string>();
        const expected: string[] = [];
        while (expected.length < nodes.length) {
          const next = nodes.find((node) => !done.has(node.id) && node.dependsOn.every((id) => done.has(id)));
          if (next === undefined) throw new Error("the sample has a cycle");
          done.add(next.id);
          expected.push(next.id);
        }
        expect(stableOrder(nodes)).toEqual({ ok: true, value: expected });
      }),
      { seed: 20260901, numRuns: 200 },
    );
  });
});

describe("descendants (orchestration §1.3)", () => {
  it("are the node and all that follows it, in definition order", () => {
    expect(descendants(dag("d<c c<a b a x<b"), "a")).toEqual({ ok: true, value: ["d", "c", "a"] });
  });

  it.each([
    ["a b<a", "nobody", "DESCENDANTS_NODE_NOT_FOUND"],
    ["a<b b<a", "a", "DESCENDANTS_DAG_INVALID"],
  ])("of %s from %s: %s", (definition, from, code) => {
    expect(descendants(dag(definition), from)).toMatchObject({ ok: false, error: { code } });
  });
});
