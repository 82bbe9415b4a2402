import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attemptErrorText } from "../../../shared/records/index.ts";
import { type CsvNode, type CsvWorkspace, openCsvWorkspace } from "../../support/csv-workspace.ts";
import { createProgram, jsonOf, type Program } from "../../support/interop/program.ts";
import { installPackage } from "../../support/npm-package.ts";

let bench: CsvWorkspace;
let peer: Program;
beforeAll(async () => {
  const { path: installed } = await installPackage({ name: "@rex0220/ksql-flownet", version: "1.0.0" });
  bench = await openCsvWorkspace();
  const file = path.join(installed, "dist", "cli", "index.js");
  peer = createProgram({ name: "peer", file, env: bench.env });
});
afterAll(() => bench.dispose());

const csvOf = (id: string): string => `n,c,y\n${id}-1,海,1\n${id}-2,山,2\n`;
/** Two nodes: one that fails until its gate opens, after it has read its file and written; and one that exports. */
function nodesOf(id: string): readonly CsvNode[] {
  const load = "IMPORT INTO LAPP_注文 (注文番号, 得意先, 金額) FROM CSV orders ON DUPLICATE (注文番号);";
  const gate = `ASSERT (SELECT COUNT(*) FROM LAPP_注文 WHERE 注文番号 IN ('GATE-${id}')) = 1, 'gate';`;
  const report = `CREATE TEMP TABLE report AS SELECT 注文番号 AS no FROM LAPP_注文 WHERE 注文番号 IN ('${id}-1'); SELECT * FROM #report;`;
  return [
    { id: "load", sql: `${load}\n${gate}`, inputs: { orders: `${id}/{business_key}.csv` } },
    {
      id: "write",
      dependsOn: ["load"],
      sql: report,
      outputs: { report: "{profile}/{business_key}/{node_id}.csv" },
    },
  ];
}
const KEY = "k@2026.08";
const place = (id: string): string => `${id}/k%402026%2E08.csv`;
const peerRun = (file: string, ...more: readonly string[]) =>
  peer.run(["run-network", file, "--business-key", KEY, "--json", ...more]);
const ours = (file: string, resume: boolean) => bench.run(file, { businessKey: KEY, resume });

describe("CSV files, with kSQL-FlowNet 1.0.0 on the same Run (orchestration §8)", () => {
  it("what ours started, the peer compares, refuses when it changed, and finishes", async () => {
    await bench.put(place("OP"), csvOf("OP"));
    const file = await bench.network("op", nodesOf("OP"));
    const first = await ours(file, false);
    expect(first).toMatchObject({ aggregateStatus: "FAILED" });
    await bench.put(place("OP"), csvOf("OP").replace("山", "谷"));
    const refused = await peerRun(file, "--resume");
    expect(jsonOf(refused)).toMatchObject({
      outcome: "REJECTED",
      invocation_result_code: "INPUT_FILE_MUTATED",
    });
    await bench.put(place("OP"), csvOf("OP"));
    bench.addOrders(["GATE-OP"], "gate");
    const second = jsonOf(await peerRun(file, "--resume"));
    expect(second).toMatchObject({ outcome: "RESUME", run_id: first.runId, aggregate_status: "SUCCESS" });
    expect((await bench.output("csv/k%402026%2E08/write.csv")).toString()).toBe("no\r\nOP-1\r\n");
  });

  it("what the peer started, ours compares, refuses when it changed, and finishes", async () => {
    await bench.put(place("PO"), csvOf("PO"));
    const file = await bench.network("po", nodesOf("PO"));
    const first = jsonOf(await peerRun(file));
    expect(first).toMatchObject({ outcome: "NEW", aggregate_status: "FAILED" });
    await bench.put(place("PO"), csvOf("PO").replace("山", "谷"));
    expect(await ours(file, true)).toMatchObject({
      outcome: "REJECTED",
      invocationResultCode: "INPUT_FILE_MUTATED",
    });
    await bench.put(place("PO"), csvOf("PO"));
    bench.addOrders(["GATE-PO"], "gate");
    const second = await ours(file, true);
    expect(second).toMatchObject({ outcome: "RESUME", runId: first.run_id, aggregateStatus: "SUCCESS" });
    const { attempts } = await bench.graph(second);
    // The same text from both, but for who wrote it.
    const kinds = attempts.map(({ errorMessage }) => /"kind":"(\w+)"/.exec(errorMessage ?? "")?.[1]);
    expect(kinds).toEqual([
      "KSQL_FLOWNET_INPUT_AUDIT",
      "KSQL_FLOWNET_INPUT_AUDIT",
      "KSQL_FLOWNET_OUTPUT_AUDIT",
    ]);
    expect(attemptErrorText(attempts[0]?.errorMessage ?? null, "gate")).toBe("gate");
    expect(attempts[0]?.errorMessage).toBe(attempts[1]?.errorMessage);
  });

  it("a job that was refused before it read its file leaves a record the peer goes on from (W-17)", async () => {
    await bench.put(place("W17"), csvOf("W17"));
    const file = await bench.network("w17", nodesOf("W17"));
    const release = await bench.holdJobLock("w17_load");
    const first = await ours(file, false);
    expect(first).toMatchObject({ invocationResultCode: "NODES_DEFERRED" });
    await release();
    bench.addOrders(["GATE-W17"], "gate");
    const second = jsonOf(await peerRun(file, "--resume"));
    expect(second).toMatchObject({ outcome: "RESUME", run_id: first.runId, aggregate_status: "SUCCESS" });
    const { attempts } = await bench.graph(first);
    expect(attempts.map(({ status, resultCode }) => `${status}/${resultCode}`)).toEqual([
      "CANCELLED/PREPARE_FAILED",
      "SUCCESS/OK",
      "SUCCESS/OK",
    ]);
  });
});
