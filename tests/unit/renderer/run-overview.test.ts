import { describe, expect, test } from "vitest";
import { NODE_HEIGHT, NODE_WIDTH } from "../../../renderer/run/graph/layout.ts";
import { boundsOf, boxesPath, linesPath, nodeAt } from "../../../renderer/run/graph/overview.ts";

const layout = new Map([
  ["a", { x: 10, y: 20 }],
  ["b", { x: 300, y: -40 }],
]);

describe("the overview of a large graph (operator-ux §3.2, DAG)", () => {
  test("its bounds reach from the first corner to the last", () => {
    expect(boundsOf(layout)).toEqual({ x: 10, y: -40, width: 290, height: 60 });
    expect(boundsOf(new Map())).toEqual({ x: 0, y: 0, width: 0, height: 0 });
  });

  test("boxes of one tone are one shape, those without a place left out", () => {
    const box = `h${NODE_WIDTH}v${NODE_HEIGHT}h${-NODE_WIDTH}z`;
    expect(boxesPath(["a", "gone", "b"], layout)).toBe(`M10 20${box}M300 -40${box}`);
  });

  test("edges go from the right side of a box to the left side of the next", () => {
    const edges = [
      { id: "1", from: "a", to: "b" },
      { id: "2", from: "a", to: "gone" },
    ];
    expect(linesPath(edges, layout)).toBe(
      `M${10 + NODE_WIDTH} ${20 + NODE_HEIGHT / 2}L300 ${-40 + NODE_HEIGHT / 2}`,
    );
  });

  test.each([
    ["inside a box", { x: 11, y: 21 }, "a"],
    ["on its last corner", { x: 300 + NODE_WIDTH, y: -40 + NODE_HEIGHT }, "b"],
    ["beside all of them", { x: 250, y: 21 }, null],
  ])("a point %s names its node, or none", (_, point, wanted) => {
    expect(nodeAt(point, layout.keys(), layout)).toBe(wanted);
  });
});
