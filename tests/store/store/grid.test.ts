import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGridReader, gridParts } from "../../../main/console/api/run-grid.ts";
import type { FlowStore } from "../../../main/store/ports.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { row } from "../../support/run-rows.ts";
import { freshState } from "../../support/store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
let store: FlowStore;

beforeAll(async () => {
  kintone = await startKintoneFixture();
  store = openStore(kintone);
});
afterAll(async () => {
  await store.dispose();
  await kintone.dispose();
});

/** Writes the Node States of Runs of one network and gives their rows, newest last. */
async function writeRuns(prefix: string, runs: number, nodes: number) {
  const session = await takeLock(store);
  const rows = Array.from({ length: runs }, (_, at) =>
    row({ runId: `netrun_${prefix}_${at}`, status: "SUCCESS", activity: null }),
  );
  for (const { runId } of rows) {
    const states = Array.from({ length: nodes }, (_, at) => freshState(runId, `n${at}`));
    await session.write([{ kind: "nodeStates.insert", states }]);
  }
  await session.release({ status: "SUCCESS", resultCode: "OK" });
  await session.dispose();
  kintone.seen.clear();
  return rows;
}

describe("the grid of nodes within the request budget (operator-ux U2)", () => {
  it("reads twenty Runs of a small network with two requests, and finished ones only once", async () => {
    const rows = await writeRuns("small", 20, 3);
    const reader = createGridReader(store);
    const columns = await reader.read(rows, undefined);
    expect(columns.map(({ runId, cells }) => [runId, cells.map(({ nodeId }) => nodeId)])).toEqual(
      rows.map(({ runId }) => [runId, ["n0", "n1", "n2"]]),
    );
    expect(kintone.seen.list()).toHaveLength(2);

    kintone.seen.clear();
    const alive = row({ runId: "netrun_small_alive", status: "RUNNING", activity: "LIVE" });
    const again = await reader.read([...rows, alive], undefined);
    expect(again.slice(0, rows.length)).toEqual(columns);
    expect(again.at(-1)?.cells).toEqual([]);
    expect(kintone.seen.list()).toHaveLength(1);
  });

  it("gives every Run its own states where they fill more than a page", async () => {
    const rows = await writeRuns("large", 4, 260);
    const columns = await createGridReader(store).read(rows, undefined);
    expect(columns.map(({ runId, cells }) => [runId, cells.length])).toEqual(
      rows.map(({ runId }) => [runId, 260]),
    );
    // One Run alone, then three in two parts of one full page at most.
    expect(kintone.seen.list()).toHaveLength(4);
  });

  it("reads one node of many Runs with one request, however many nodes they have", async () => {
    const rows = await writeRuns("one", 3, 200);
    const runIds = rows.map(({ runId }) => runId);
    const states = await store.listNodeStatesOfRuns(runIds, undefined, "n19");
    expect(runIds.map((runId) => states.get(runId)?.map(({ nodeId }) => nodeId))).toEqual([
      ["n19"],
      ["n19"],
      ["n19"],
    ]);
    expect(kintone.seen.list()).toHaveLength(1);
  });

  it.each<[number, number, readonly number[]]>([
    [0, 10, []],
    [1, 1_000, [1]],
    [19, 3, [19]],
    [59, 40, [15, 15, 15, 14]],
    [59, 500, [15, 15, 15, 14]],
    [3, 260, [2, 1]],
  ])("asks for %i Runs of %i nodes in parts of %j", (runs, nodes, sizes) => {
    const runIds = Array.from({ length: runs }, (_, at) => `netrun_${at}`);
    expect(gridParts(runIds, nodes).map((part) => part.length)).toEqual(sizes);
  });
});
