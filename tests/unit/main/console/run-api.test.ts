import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definitionOf } from "../../../../main/console/api/run-definition.ts";
import type { OpenedWorkspace } from "../../../../main/console/index.ts";
import { type ConsoleApi, type RunQuery, type RunRow, unpackCell } from "../../../../shared/api/index.ts";
import { type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";

const SLOW = 180_000;
const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "..", "examples");

let opened: EmbeddedConsole;
let api: ConsoleApi;
const runIds: Record<string, string> = {};

async function run(workspace: OpenedWorkspace, folder: string, businessKey: string): Promise<void> {
  const definitionPath = join(EXAMPLES, folder, "network.yaml");
  const { runId } = await workspace.orchestrator.runNetwork({
    definitionPath,
    businessKey,
    requestedBy: "tester",
  });
  runIds[businessKey] = runId ?? "";
}

beforeAll(async () => {
  opened = await openConsole({
    async prepare(workspace) {
      await run(workspace, "diamond", "菱形@2026-09");
      await run(workspace, "failing-assert", "fail@2026-09");
    },
  });
  api = opened.api;
}, SLOW);

afterAll(() => opened.close(), SLOW);

async function listed(query: RunQuery): Promise<readonly RunRow[]> {
  const { recordIds } = value(await api.runList.order(query));
  return value(await api.runList.rows({ recordIds })).rows;
}

describe("the Run list out of main (operator-ux §3.2)", () => {
  it("gives the order as record ids and the rows of those that are asked for, in that order", async () => {
    const rows = await listed({});
    expect(rows.map((row) => row.businessKey)).toEqual(["fail@2026-09", "菱形@2026-09"]);
    const [, second] = rows;
    const some = value(await api.runList.rows({ recordIds: [second?.recordId ?? "", "999999"] }));
    expect(some.rows.map((row) => row.businessKey)).toEqual(["菱形@2026-09"]);
  });

  it.each<[RunQuery, readonly string[]]>([
    [{ sort: "oldest" }, ["菱形@2026-09", "fail@2026-09"]],
    [{ status: "FAILED" }, ["fail@2026-09"]],
    [{ text: "菱形 ２０２６" }, ["菱形@2026-09"]],
    [{ networkId: "diamond" }, ["菱形@2026-09"]],
    [{ createdBefore: "2020-01-01T00:00:00Z" }, []],
  ])("answers %j", async (query, keys) => {
    expect((await listed(query)).map((row) => row.businessKey)).toEqual(keys);
  });

  it("refuses an order by a time, and more rows than one answer holds", async () => {
    const wrong: RunQuery = JSON.parse('{"sort":"updatedAt"}');
    await expect(api.runList.order(wrong)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const recordIds = Array.from({ length: 501 }, (_, at) => String(at));
    await expect(api.runList.rows({ recordIds })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("gives the grid of a network with the state of every node", async () => {
    const { runs, nodeIds } = value(await api.runList.grid({ networkId: "failing_assert", runs: 20 }));
    expect(runs.map((each) => [each.businessKey, each.status])).toEqual([["fail@2026-09", "FAILED"]]);
    expect(nodeIds).toEqual(["count_deals", "amount_gate", "publish"]);
    expect(runs[0]?.cells.map(unpackCell)).toEqual([
      { status: "SUCCESS", attemptNo: 1 },
      { status: "FAILED", attemptNo: 1 },
      { status: "BLOCKED", attemptNo: 0 },
    ]);
  });
});

describe("a Run's own definition (wire-format §3, operator-ux §1.1)", () => {
  it("comes from the stored bundle, with its dependencies, and names the hashes it was proven by", async () => {
    const runId = runIds["菱形@2026-09"] ?? "";
    const definition = value(await api.runParts.definition({ runId }));
    const detail = value(await api.runs.detail({ runId }));
    expect(definition.nodes.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ["open", []],
      ["stock_by_warehouse", ["open"]],
      ["customers_by_trade", ["open"]],
      ["close", ["stock_by_warehouse", "customers_by_trade"]],
    ]);
    expect(definition.bundleSha256).toBe(detail.bundleSha256);
    expect(definition.definitionSha256).toBe(detail.definitionSha256);
    expect(value(await api.runParts.definition({ runId }))).toEqual(definition);
  });

  it("is a problem where the Run does not exist", async () => {
    const answer = await api.runParts.definition({ runId: "netrun_nobody" });
    expect(answer.ok ? null : answer.error.code).toBe("RECORD_NOT_FOUND");
  });

  it("is refused when the bundle or the record was changed", async () => {
    const stored = await opened.workspace.reads.findRunById(runIds["fail@2026-09"] ?? "");
    if (stored?.bundleFileKey == null) throw new Error("the Run has no bundle");
    const zip = await opened.workspace.bundles.downloadBundle(stored.bundleFileKey);
    expect(definitionOf(stored, zip).ok).toBe(true);
    const touched = Uint8Array.from(zip);
    touched[touched.length - 1] = (touched.at(-1) ?? 0) ^ 1;
    expect(definitionOf(stored, touched)).toMatchObject({ error: { code: "BUNDLE_HASH_MISMATCH" } });
    const other = { ...stored, definitionSha256: "0".repeat(64) };
    expect(definitionOf(other, zip)).toMatchObject({ error: { code: "DEFINITION_HASH_MISMATCH" } });
  });
});

describe("what this host saw of an attempt (decisions §3)", () => {
  it("names the process, its end and the result file of an attempt that ran here", async () => {
    const detail = value(await api.runs.detail({ runId: runIds["fail@2026-09"] ?? "" }));
    const failed = detail.attempts.find((attempt) => attempt.status === "FAILED");
    const evidence = value(await api.runParts.evidence({ attemptId: failed?.attemptId ?? "" }));
    expect(evidence).toMatchObject({ stored: true, launchFailure: null, forced: false });
    expect(evidence.pid).toBeGreaterThan(0);
    expect(evidence.exitCode).toBeGreaterThan(0);
    expect(evidence.resultSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("says that it knows nothing of one that did not", async () => {
    const evidence = value(await api.runParts.evidence({ attemptId: "attempt_elsewhere" }));
    expect(evidence).toMatchObject({
      host: null,
      pid: null,
      exitCode: null,
      stored: null,
      mayBeIncomplete: true,
    });
  });
});

describe("the facts of a Run that events are ordered by (wire-format §5)", () => {
  it("carry the place of their record", async () => {
    const { attempts, invocations } = value(await api.runs.detail({ runId: runIds["fail@2026-09"] ?? "" }));
    const places = [...invocations, ...attempts].map((record) => Number(record.recordId));
    expect(places).toEqual([...places].sort((left, right) => left - right));
    for (const { recordRevision } of attempts) expect(recordRevision).toBeGreaterThan(1);
  });
});
