import { describe, expect, it } from "vitest";
import { type GridColumn, gridOf } from "../../../main/console/api/run-grid.ts";
import { pathOf } from "../../../renderer/components/glyphs.ts";
import { cellAt } from "../../../renderer/runs/grid-model.ts";
import { withNodes } from "../../../renderer/state/run-grid.ts";
import { type NodeDiff, packCell, unpackCell } from "../../../shared/api/index.ts";
import { NODE_STATUSES } from "../../../shared/domain/model.ts";

const column = (runId: string, ...nodeIds: readonly string[]): GridColumn => ({
  runId,
  recordId: "1",
  businessKey: runId,
  status: "SUCCESS",
  cells: nodeIds.map((nodeId) => ({ nodeId, status: "SUCCESS", attemptNo: 1 })),
});
const grid = gridOf(
  "net",
  [column("old", "a", "gone", "b"), column("new", "b", "a")],
  "2026-09-01T00:00:00Z",
);

describe("the grid of nodes and Runs (operator-ux §1.1)", () => {
  it("stands in the order of the newest Run and hides no node of an older one", () => {
    expect(grid.nodeIds).toEqual(["b", "a", "gone"]);
    expect(cellAt(grid, 2, 0)).toEqual({ status: "SUCCESS", attemptNo: 1 });
    expect(cellAt(grid, 2, 1)).toBeNull();
    expect(cellAt(grid, 0, 9)).toBeNull();
  });

  it.each(NODE_STATUSES.flatMap((status) => [0, 1, 40_000].map((attemptNo) => ({ status, attemptNo }))))(
    "carries %j as one number and back",
    (cell) => {
      expect(packCell(cell)).toBeGreaterThan(0);
      expect(unpackCell(packCell(cell))).toEqual(cell);
    },
  );

  it.each([[undefined], [0], [15], [-1]])("reads %j as no cell", (packed) => {
    expect(unpackCell(packed)).toBeNull();
  });

  it("takes what this host's scheduler tells of single nodes at once, and of them alone (operator-ux U3)", () => {
    const news = (runId: string, nodeId: string): NodeDiff => ({
      runId,
      nodeId,
      status: "FAILED",
      attemptId: null,
      pid: null,
    });
    const next = withNodes(grid, [news("new", "a"), news("new", "gone"), news("other", "a")]);
    expect(cellAt(next, 1, 1)).toEqual({ status: "FAILED", attemptNo: 1 });
    // A node the Run does not have is not put into it.
    expect(cellAt(next, 2, 1)).toBeNull();
    expect(next.runs[0]).toBe(grid.runs[0]);
    expect(withNodes(grid, [news("other", "a")])).toBe(grid);
  });

  it("draws the marks of one status as one path", () => {
    const places = [
      [0, 0],
      [44, 8],
    ] as const;
    expect(pathOf([[1, 2, "h3"]], places)).toBe("M1 2h3M45 10h3");
  });
});
