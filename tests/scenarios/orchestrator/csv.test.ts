import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunNetworkResult } from "../../../main/orchestrator/index.ts";
import type { Attempt } from "../../../shared/domain/model.ts";
import { decodeIoAudit } from "../../../shared/records/index.ts";
import { type CsvNode, type CsvWorkspace, openCsvWorkspace } from "../../support/csv-workspace.ts";
import { openFlowRecords } from "../../support/flow-records.ts";
import { installPackage } from "../../support/npm-package.ts";

const run = promisify(execFile);

let bench: CsvWorkspace;
beforeAll(async () => {
  bench = await openCsvWorkspace();
});
afterAll(() => bench.dispose());

const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
const IMPORT = "IMPORT INTO LAPP_注文 (注文番号, 得意先, 金額) FROM CSV orders ON DUPLICATE (注文番号);";
const importing = (pattern: string, more = ""): CsvNode => ({
  id: "load",
  sql: `${IMPORT}\n${more}`,
  inputs: { orders: pattern },
});
function auditOf(attempt: Attempt | undefined) {
  const audit = decodeIoAudit(attempt?.errorMessage ?? "");
  if (!audit.ok) throw new Error(audit.error.message);
  return audit.value;
}

describe("CSV inputs (orchestration §8.2)", () => {
  it("csv1-01: a UTF-8 file is imported; the record tells hash, bytes, rows and encoding, no path and no cell (scenario 36)", async () => {
    const csv = "番号,客,円\r\nS36-1,髙橋,10\r\nS36-2,海野,20\r\nS36-3,空知,30\r\n";
    await bench.put("csv/S36%402026%2E08/orders.csv", csv);
    const file = await bench.network("s36", [importing("csv/{business_key}/orders.csv")]);
    const result = await bench.run(file, { businessKey: "S36@2026.08" });
    expect(result).toMatchObject({ outcome: "NEW", aggregateStatus: "SUCCESS", invocationResultCode: "OK" });
    const { attempts } = await bench.graph(result);
    expect(auditOf(attempts[0])).toEqual({
      version: 1,
      kind: "KSQL_FLOWNET_INPUT_AUDIT",
      baseline: [{ source: "orders", sha256: sha256(csv), bytes: Buffer.byteLength(csv) }],
      input_files: [
        {
          source: "orders",
          type: "IMPORT",
          sha256: sha256(csv).slice(0, 12),
          bytes: Buffer.byteLength(csv),
          rows: 3,
          encoding: "UTF8",
        },
      ],
    });
    const rows = await bench.orders("S36");
    expect(rows.map(({ 注文番号, 得意先, 金額 }) => [注文番号, 得意先, 金額])).toEqual([
      ["S36-1", "髙橋", "10"],
      ["S36-2", "海野", "20"],
      ["S36-3", "空知", "30"],
    ]);
    const stored = await bench.storedText(result.runId ?? "");
    expect(stored).toContain("KSQL_FLOWNET_INPUT_AUDIT");
    for (const secret of [bench.io, "orders.csv", "髙橋", "空知"]) expect(stored).not.toContain(secret);
  });

  it("csv1-02: after a failure the same file converges, another is refused before anything is written (scenario 37)", async () => {
    const gate = "ASSERT (SELECT COUNT(*) FROM LAPP_注文 WHERE 注文番号 = 'GATE37') = 1, 'gate';";
    const csv = "n,c,y\nS37-1,海,1\nS37-2,山,2\n";
    await bench.put("s37.csv", csv);
    const file = await bench.network("s37", [importing("s37.csv", gate)]);
    const first = await bench.run(file);
    expect(first).toMatchObject({ aggregateStatus: "FAILED" });
    // W-17b: what the person reads is the error, while the record keeps the files.
    expect(first.nodes[0]).toMatchObject({ nodeId: "load", code: "ASSERT_FAILED" });
    expect(first.nodes[0]?.message).not.toContain("KSQL_FLOWNET");
    expect(auditOf((await bench.graph(first)).attempts[0])?.kind).toBe("KSQL_FLOWNET_INPUT_AUDIT");

    await bench.put("s37.csv", csv.replace("山,2", "谷,3"));
    const before = [await bench.storedText(first.runId ?? ""), await bench.orders("S37")];
    const changed = await bench.run(file, { resume: true });
    expect(changed).toMatchObject({
      outcome: "REJECTED",
      invocationResultCode: "INPUT_FILE_MUTATED",
      problem: { place: "node load, input orders" },
    });
    expect([await bench.storedText(first.runId ?? ""), await bench.orders("S37")]).toEqual(before);

    await bench.put("s37.csv", csv);
    bench.addOrders(["GATE37"], "gate");
    const second = await bench.run(file, { resume: true });
    expect(second).toMatchObject({ outcome: "RESUME", runId: first.runId, aggregateStatus: "SUCCESS" });
    const graph = await bench.graph(second);
    expect([graph.attempts.length, graph.invocations.length]).toEqual([2, 2]);
    const rows = await bench.orders("S37");
    expect(rows.map(({ 注文番号, 得意先 }) => [注文番号, 得意先])).toEqual([
      ["S37-1", "海"],
      ["S37-2", "山"],
    ]);
  });
});

describe("what is refused before a child exists (orchestration §8, fenced-writes R5; scenario 38)", () => {
  const networkOf = () => {
    const sql = "CREATE TEMP TABLE report AS SELECT 1 AS x; SELECT * FROM #report;";
    return bench.network("s38", [
      { ...importing("late/orders.csv"), id: "missing" },
      { ...importing("linked/orders.csv"), id: "linked" },
      { id: "write", sql, outputs: { report: "linked.csv" } },
    ]);
  };
  let first: RunNetworkResult;

  it("csv1-03: a missing file, a folder that is a link, a link in a file's place: terminal Attempts without a start marker", async () => {
    const elsewhere = path.join(bench.folder, "elsewhere");
    await mkdir(elsewhere);
    await mkdir(path.join(bench.io, "out"), { recursive: true });
    await writeFile(path.join(elsewhere, "orders.csv"), "n,c,y\nS38-1,海,1\n");
    await symlink(elsewhere, path.join(bench.io, "in", "linked"));
    await symlink(path.join(elsewhere, "orders.csv"), path.join(bench.io, "out", "linked.csv"));
    first = await bench.run(await networkOf());
    expect(first).toMatchObject({
      outcome: "NEW",
      aggregateStatus: "FAILED",
      invocationResultCode: "OUTPUT_PATH_REJECTED",
    });
    const { attempts, states } = await bench.graph(first);
    const refused = [
      ["missing", "INPUT_FILE_MISSING", "in/late/orders.csv"],
      ["linked", "INPUT_PATH_REJECTED", "in/linked is a link"],
      ["write", "OUTPUT_PATH_REJECTED", "out/linked.csv"],
    ];
    const never = { status: "FAILED", executionStartedAt: null, runnerExecutionStartedAt: null };
    expect(attempts).toMatchObject(refused.map(([nodeId, resultCode]) => ({ nodeId, resultCode, ...never })));
    expect(states).toMatchObject(
      refused.map(([nodeId, statusReason]) => ({
        nodeId,
        statusReason,
        status: "FAILED",
        latestAttemptNo: 1,
      })),
    );
    for (const [at, [, , words = ""]] of refused.entries()) {
      expect(attempts[at]?.errorMessage).toContain(words);
      expect(attempts[at]?.errorMessage).not.toContain(bench.folder);
    }
    expect(await bench.orders("S38")).toEqual([]);
    expect(readFileSync(path.join(elsewhere, "orders.csv"), "utf8")).toContain("S38-1");
  });

  it("is resumed once the file is there; the others fail again at their own turn", async () => {
    await bench.put("late/orders.csv", "n,c,y\nS38C-1,海,1\n");
    const second = await bench.run(await networkOf(), { resume: true });
    expect(second).toMatchObject({ outcome: "RESUME", runId: first.runId, aggregateStatus: "FAILED" });
    const { states } = await bench.graph(second);
    expect(states.map(({ nodeId, status, latestAttemptNo }) => [nodeId, status, latestAttemptNo])).toEqual([
      ["missing", "SUCCESS", 2],
      ["linked", "FAILED", 2],
      ["write", "FAILED", 2],
    ]);
  });

  it("a resume after the retention is refused and leaves no Invocation (orchestration §2.1 R10)", async () => {
    const { run } = await bench.graph(first);
    if (run === null) throw new Error("no Run");
    const records = openFlowRecords(bench.kintone);
    const record = { created_at: { value: "2020-01-01T00:00:00Z" } };
    await records.update("state", { id: run.ref.recordId, record });
    const result = await bench.run(await networkOf(), { resume: true });
    expect(result).toMatchObject({ outcome: "REJECTED", invocationResultCode: "INPUT_RETENTION_EXPIRED" });
    expect((await bench.graph(first)).invocations).toHaveLength(2);
    expect((await records.lastLock()).leaseToken).toBeNull();
    await records.dispose();
  });
});

describe("CSV outputs (orchestration §8.3)", () => {
  const rows = (prefix: string): string =>
    `CREATE TEMP TABLE report AS SELECT 注文番号 AS no, 得意先 AS name FROM LAPP_注文 WHERE 注文番号 IN ('${prefix}-1', '${prefix}-2') ORDER BY no; SELECT * FROM #report;`;

  it("csv2-01: import, transform, export and gate; the file is what its receipt says (scenario 40)", async () => {
    await bench.put("s40.csv", "n,c,y\nS40-1,髙橋,1\nS40-2,山,2\n");
    const file = await bench.network("s40", [
      importing("s40.csv"),
      {
        id: "transform",
        dependsOn: ["load"],
        sql: "UPDATE LAPP_注文 SET 得意先 = '海' WHERE 注文番号 IN ('S40-2');",
      },
      {
        id: "write",
        dependsOn: ["transform"],
        sql: rows("S40"),
        outputs: { report: "{profile}/{run_id}/{node_id}.csv" },
      },
      {
        id: "gate",
        dependsOn: ["write"],
        sql: "ASSERT (SELECT COUNT(*) FROM LAPP_注文 WHERE 得意先 IN ('海') AND 注文番号 IN ('S40-2')) = 1, 'one';",
      },
    ]);
    const result = await bench.run(file);
    expect(result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK" });
    const { attempts } = await bench.graph(result);
    expect(attempts.map(({ nodeId, status }) => [nodeId, status])).toEqual(
      ["load", "transform", "write", "gate"].map((id) => [id, "SUCCESS"]),
    );
    const content = await bench.output(`csv/${result.runId}/write.csv`);
    expect(content.toString("utf8")).toBe("no,name\r\nS40-1,髙橋\r\nS40-2,海\r\n");
    expect(auditOf(attempts.find(({ nodeId }) => nodeId === "write"))).toEqual({
      version: 1,
      kind: "KSQL_FLOWNET_OUTPUT_AUDIT",
      output_files: [
        {
          sink: "report",
          type: "EXPORT",
          sha256: sha256(content),
          bytes: content.length,
          rows: 2,
          encoding: "utf8",
        },
      ],
    });
    const stored = await bench.storedText(result.runId ?? "");
    for (const secret of [bench.io, "write.csv", "髙橋"]) expect(stored).not.toContain(secret);
  });

  it("csv2-02, csv2-03: what was exported before a gate failed is whole, feeds an import and the vendor's command, and comes out the same again (scenarios 41 and 42)", async () => {
    bench.addOrders(["S41-1", "S41-2"], '髙橋,"①"');
    const gate = "ASSERT (SELECT COUNT(*) FROM LAPP_注文 WHERE 注文番号 = 'GATE41') = 1, 'gate';";
    const all =
      "CREATE TEMP TABLE report AS SELECT 注文番号, 得意先, 金額 FROM LAPP_注文 WHERE 注文番号 IN ('S41-1', 'S41-2') ORDER BY 注文番号; SELECT * FROM #report;";
    const file = await bench.network("s41", [
      { id: "write", sql: all, outputs: { report: "s41/report.csv" } },
      { id: "gate", dependsOn: ["write"], sql: gate },
    ]);
    expect(await bench.run(file)).toMatchObject({ aggregateStatus: "FAILED" });
    const content = await bench.output("s41/report.csv");
    expect(content.toString("utf8")).toContain('S41-2,"髙橋,""①""",\r\n');

    await bench.put("s41.csv", content.toString("utf8").replaceAll("S41-", "T41-"));
    const back = await bench.network("s41in", [importing("s41.csv")]);
    expect(await bench.run(back)).toMatchObject({ aggregateStatus: "SUCCESS" });
    expect((await bench.orders("T41")).map(({ 得意先 }) => 得意先)).toEqual(Array(2).fill('髙橋,"①"'));

    const copy = await bench.copyOfOrders();
    const { path: vendor } = await installPackage({ name: "@kintone/cli", version: "1.19.2" });
    const target = ["--base-url", copy.baseUrl, "--api-token", copy.token, "--app", String(copy.app)];
    const source = ["--file-path", path.join(bench.io, "out", "s41", "report.csv")];
    await run(process.execPath, [path.join(vendor, "cli.js"), "record", "import", ...target, ...source]);
    const loaded = (await copy.rows()).map(({ 注文番号, 得意先, 金額 }) => [注文番号, 得意先, 金額]);
    expect(loaded).toEqual(["S41-1", "S41-2"].map((number) => [number, '髙橋,"①"', ""]));

    bench.addOrders(["GATE41"], "gate");
    const rerun = await bench.run(file, { resume: true, rerunFrom: "write" });
    expect(rerun).toMatchObject({ outcome: "RESUME", aggregateStatus: "SUCCESS" });
    expect(sha256(await bench.output("s41/report.csv"))).toBe(sha256(content));
  });
});

describe("in Shift_JIS, and what fails (scenarios 41 and 43)", () => {
  let sjis: CsvWorkspace;
  beforeAll(async () => {
    sjis = await openCsvWorkspace({ sjis: true });
  });
  afterAll(() => sjis.dispose());

  it("csv2-02, csv2-04: a file goes out and comes in; a failure leaves the old file and no temporary one", async () => {
    const report = (number: string, rest = "SELECT * FROM #report;"): string =>
      `CREATE TEMP TABLE report AS SELECT 注文番号 AS no, 得意先 AS name FROM LAPP_注文 WHERE 注文番号 IN ('${number}');\n${rest}`;
    const back =
      "IMPORT INTO LAPP_注文 (注文番号, 得意先) FROM CSV orders ENCODING SJIS ON DUPLICATE (注文番号);";
    const csv = iconv.encode("no,name\r\nJ41-1,髙橋～①\r\n", "cp932");
    sjis.addOrders(["J41-1"], "髙橋～①");
    sjis.addOrders(["J43-1"], "波\u301c");
    await sjis.put("back.csv", csv);
    await mkdir(path.join(sjis.io, "out"), { recursive: true });
    for (const name of ["unmappable.csv", "failing.csv"])
      await writeFile(path.join(sjis.io, "out", name), "old");
    const file = await sjis.network("sjis", [
      { id: "good", sql: report("J41-1"), outputs: { report: "good.csv" } },
      { id: "back", dependsOn: ["good"], sql: back, inputs: { orders: "back.csv" } },
      { id: "unmappable", sql: report("J43-1"), outputs: { report: "unmappable.csv" } },
      { id: "failing", sql: report("J41-1", "ASSERT 1 = 0, 'no';"), outputs: { report: "failing.csv" } },
    ]);
    const result = await sjis.run(file);
    expect(result).toMatchObject({
      aggregateStatus: "FAILED",
      nodes: [
        { nodeId: "unmappable", code: "SQL_ERROR", message: expect.stringContaining("U+301C") },
        { nodeId: "failing", code: "ASSERT_FAILED" },
      ],
    });
    expect(await sjis.output("good.csv")).toEqual(csv);
    expect((await sjis.orders("J41")).map((row) => [row.得意先, row.$revision])).toEqual([["髙橋～①", "2"]]);
    expect(sjis.outputs()).toEqual(["failing.csv", "good.csv", "unmappable.csv"]);
    for (const name of ["unmappable.csv", "failing.csv"]) {
      expect((await sjis.output(name)).toString()).toBe("old");
    }
    const audits = (await sjis.graph(result)).attempts.map(auditOf);
    expect(audits).toMatchObject([
      { output_files: [{ sink: "report", sha256: sha256(csv), rows: 1, encoding: "sjis" }] },
      { input_files: [{ source: "orders", sha256: sha256(csv).slice(0, 12), rows: 1, encoding: "SJIS" }] },
      { kind: "KSQL_FLOWNET_OUTPUT_AUDIT", output_files: [] },
      { kind: "KSQL_FLOWNET_OUTPUT_AUDIT", output_files: [] },
    ]);
  });
});
