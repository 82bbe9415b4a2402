import { describe, expect, it } from "vitest";
import { createNodePaces, type NodePaceDeps } from "../../../../main/console/api/pace.ts";
import type { RunGraph } from "../../../../main/store/index.ts";
import { storedState } from "../../../support/entities.ts";
import { row } from "../../../support/run-rows.ts";

const RUNS = 20;

/** Twenty successes of a network of so many nodes; each takes as many minutes as its Run's number. */
function paces(nodes: number) {
  const rows = Array.from({ length: RUNS }, (_, at) => row({ runId: `run-${at}`, status: "SUCCESS" }));
  const states = (runId: string) =>
    Array.from({ length: nodes }, (_, at) =>
      storedState(`n${at}`, "SUCCESS", {
        runId,
        startedAt: "2026-09-01T00:00:00.000Z",
        finishedAt: new Date(Date.UTC(2026, 8, 1) + Number(runId.slice(4)) * 60_000).toISOString(),
      }),
    );
  const asked: (readonly [number, string | undefined])[] = [];
  const graph: RunGraph = {
    run: null,
    hold: null,
    states: states("run-0"),
    invocations: [],
    attempts: [],
    resolutions: [],
  };
  const deps: NodePaceDeps = {
    records: { last: async () => ({ graph, readAt: "2026-09-02T00:00:00.000Z" }) },
    live: { row: () => rows[0], rows: async () => ({ rows, readAt: "2026-09-02T00:00:00.000Z" }) },
    reads: {
      async listNodeStatesOfRuns(runIds, _signal, only) {
        asked.push([runIds.length, only]);
        const wanted = (runId: string) =>
          states(runId).filter(({ nodeId }) => only === undefined || nodeId === only);
        return new Map(runIds.map((runId) => [runId, wanted(runId)]));
      },
    },
  };
  return { of: createNodePaces(deps), asked };
}

describe("how long a node usually takes (operator-ux §1.1)", () => {
  it("is read of all nodes of a small network at once", async () => {
    const { of, asked } = paces(25);
    const first = await of("run-0", "n3", undefined);
    expect(await of("run-0", "n7", undefined)).toEqual(first);
    expect(asked).toEqual([[RUNS, undefined]]);
  });

  it("is read of the node alone in a large one, once, from as many successes", async () => {
    const { of, asked } = paces(1_000);
    const first = await of("run-0", "n3", undefined);
    expect(first?.of).toBe(RUNS);
    expect(await of("run-0", "n3", undefined)).toEqual(first);
    expect(await of("run-0", "n999", undefined)).toEqual(first);
    expect(asked).toEqual([
      [RUNS, "n3"],
      [RUNS, "n999"],
    ]);
    expect(await paces(25).of("run-0", "n3", undefined)).toEqual(first);
  });
});
