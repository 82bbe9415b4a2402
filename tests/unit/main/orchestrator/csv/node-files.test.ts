import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  checkRetriedInputs,
  mutatedInput,
  newestBaseline,
  retentionProblem,
} from "../../../../../main/orchestrator/csv/baselines.ts";
import { type IoRoot, openIoRoot } from "../../../../../main/orchestrator/csv/io-root.ts";
import { finalErrorMessage, prepareNodeFiles } from "../../../../../main/orchestrator/csv/node-files.ts";
import type { NodeDefinition } from "../../../../../shared/domain/index.ts";
import type { Attempt } from "../../../../../shared/domain/model.ts";
import { decodeIoAudit } from "../../../../../shared/records/index.ts";
import { storedRun } from "../../../../support/entities.ts";

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const facts = { businessKey: "k", profile: "p", runId: "r" };
const node = (over: Partial<NodeDefinition> = {}): NodeDefinition => ({
  id: "n1",
  jobId: "j1",
  sql: "n1.sql",
  dependsOn: [],
  triggerRule: "all_success",
  idempotent: true,
  inputs: { a: "a.csv" },
  outputs: { r: "r.csv" },
  ...over,
});
const attempt = (attemptNo: number, errorMessage: string | null, nodeId = "n1"): Attempt => ({
  attemptId: `attempt_${nodeId}_${attemptNo}`,
  runId: "r",
  nodeId,
  jobId: "j1",
  invocationId: "i",
  attemptNo,
  stateRevisionBefore: 1,
  status: "FAILED",
  resultCode: "SQL_ERROR",
  executionStartedAt: null,
  runnerExecutionStartedAt: null,
  finishedAt: null,
  executionId: null,
  durationSec: null,
  readCount: 0,
  writtenCount: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
  errorMessage,
});
const baselineText = (text: string, source = "a"): string =>
  JSON.stringify({
    version: 1,
    kind: "KSQL_FLOWNET_INPUT_BASELINE",
    inputs: [{ source, sha256: sha(text), bytes: text.length }],
  });

let folder = "";
let root: IoRoot;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "node-files-"));
  await mkdir(path.join(folder, "in"));
  await writeFile(path.join(folder, "in", "a.csv"), "one");
  const opened = await openIoRoot({ dir: folder, retentionDays: "10" });
  if (!opened.ok) throw new Error(opened.error.message);
  root = opened.value;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const prepared = async (over: Partial<Parameters<typeof prepareNodeFiles>[0]> = {}) => {
  const files = await prepareNodeFiles({ root, node: node(), facts, before: null, ...over });
  if (!files.ok) throw new Error(files.error.message);
  return files.value;
};

describe("a node's files before its start (orchestration §4.2 S2b, wire-format §1.5)", () => {
  it("give the arguments and the baseline that is stored with the Attempt", async () => {
    expect(await prepared()).toEqual({
      imports: [{ name: "a", path: path.join(folder, "in", "a.csv"), sha256: sha("one"), bytes: 3 }],
      exports: [{ name: "r", path: path.join(folder, "out", "r.csv") }],
      baseline: baselineText("one"),
    });
  });

  it("of a node without files ask for no root; outputs alone have no baseline", async () => {
    const none = { imports: [], exports: [], baseline: null };
    expect(await prepared({ root: null, node: node({ inputs: {}, outputs: {} }) })).toEqual(none);
    expect(await prepared({ node: node({ inputs: {} }) })).toMatchObject({ imports: [], baseline: null });
  });

  it("that changed since the last Attempt refuse it before an output folder is made", async () => {
    const before = [{ source: "a", sha256: sha("two"), bytes: 3 }];
    expect(await prepareNodeFiles({ root, node: node(), facts, before })).toMatchObject({
      ok: false,
      error: { code: "INPUT_FILE_MUTATED", place: "node n1, input a" },
    });
    expect(existsSync(path.join(folder, "out"))).toBe(false);
    expect(await prepared({ before: [{ source: "a", sha256: sha("one"), bytes: 3 }] })).toMatchObject({
      baseline: baselineText("one"),
    });
  });

  it("that are too many for the record are refused before the node is RUNNING (W-33)", async () => {
    const inputs = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`source_${at}`, "a.csv"]));
    expect(await prepareNodeFiles({ root, node: node({ inputs }), facts, before: null })).toMatchObject({
      ok: false,
      error: { code: "IO_AUDIT_TOO_LONG" },
    });
  });
});

describe("the newest baseline of a node (orchestration §8.2)", () => {
  const audit = JSON.stringify({
    version: 1,
    kind: "KSQL_FLOWNET_INPUT_AUDIT",
    baseline: [{ source: "a", sha256: sha("two"), bytes: 3 }],
    input_files: [],
  });
  const outputs = JSON.stringify({ version: 1, kind: "KSQL_FLOWNET_OUTPUT_AUDIT", output_files: [] });
  it.each([
    ["of a baseline", [attempt(1, baselineText("one"))], sha("one")],
    ["of an audit", [attempt(1, baselineText("one")), attempt(2, audit)], sha("two")],
    [
      "of the highest number, in whatever order",
      [attempt(2, audit), attempt(1, baselineText("one"))],
      sha("two"),
    ],
    [
      "past plain errors, nothing and output audits",
      [attempt(1, audit), attempt(2, "boom"), attempt(3, null), attempt(4, outputs)],
      sha("two"),
    ],
    ["of none", [attempt(1, "boom"), attempt(2, '{"kind":"OTHER"}')], undefined],
  ])("is that %s", (_, attempts, expected) => {
    const found = newestBaseline(attempts);
    expect(found.ok && found.value?.[0]?.sha256).toBe(expected);
  });

  it("is not guessed from a record that breaks the format", () => {
    const broken = baselineText("one").replace('"version":1', '"version":1,"more":2');
    expect(newestBaseline([attempt(1, baselineText("one")), attempt(2, broken)])).toMatchObject({
      ok: false,
      error: { code: "IO_AUDIT_INVALID", place: "attempt attempt_n1_2" },
    });
  });

  it.each([
    ["the same", [["a", "1", 1]], null],
    ["another hash", [["a", "2", 1]], "a"],
    ["another length", [["a", "1", 2]], "a"],
    ["gone", [], "a"],
  ] as const)("compared with %s", (_, now, changed) => {
    const item = (source: string, sha256: string, bytes: number) => ({ source, sha256, bytes });
    const found = mutatedInput(
      [item("a", "1", 1)],
      now.map(([source, hash, bytes]) => item(source, hash, bytes)),
    );
    expect(found?.source ?? null).toBe(changed);
  });
});

describe("before a resume writes anything (orchestration §2.1 R10 and R13)", () => {
  const check = (attempts: readonly Attempt[], nodes = [node()]) =>
    checkRetriedInputs({ root, facts, nodes, attempts });

  it("the same files give the baselines to the walk; a first start has none", async () => {
    const nodes = [node(), node({ id: "n2" }), node({ id: "n3", inputs: {} })];
    const found = await check([attempt(1, baselineText("one")), attempt(1, "boom", "n2")], nodes);
    expect(found.ok && [...found.value.keys()]).toEqual(["n1"]);
  });

  it("a changed one refuses the command", async () => {
    expect(await check([attempt(1, baselineText("two"))])).toMatchObject({
      error: { code: "INPUT_FILE_MUTATED", message: expect.stringContaining("Nothing was started.") },
    });
  });

  it("a missing or refused one is left to the node's turn", async () => {
    const before = [attempt(1, baselineText("one"))];
    expect(await check(before, [node({ inputs: { a: "absent.csv" } })])).toMatchObject({ ok: true });
    await mkdir(path.join(folder, "in", "d"));
    expect(await check(before, [node({ inputs: { a: "d" } })])).toMatchObject({ ok: true });
  });

  it.each([
    ["2026-09-01T00:00:00Z", "2026-09-11T00:00:59.999Z", null],
    ["2026-09-01T00:00:00Z", "2026-09-11T00:01:00.000Z", "INPUT_RETENTION_EXPIRED"],
  ])("a Run of %s at %s", (createdAt, now, code) => {
    expect(retentionProblem(storedRun({ createdAt }), root, Date.parse(now))?.code ?? null).toBe(code);
  });
});

describe("what the Attempt says in the end (orchestration §4.2, wire-format §1.5)", () => {
  const out = { name: "r", sha256: sha("out"), bytes: 3, rows: 1, encoding: "utf8" } as const;
  const input = { name: "a", sha256: sha("one"), bytes: 3 };
  const kindOf = (text: string | null): string | null => {
    const audit = decodeIoAudit(text ?? "");
    return audit.ok ? (audit.value?.kind ?? null) : "broken";
  };
  const full = { inputs: [{ ...input, rows: 1, encoding: "UTF8" }], outputs: [out] };

  it.each([
    ["inputs and outputs, a result", {}, full, "KSQL_FLOWNET_IO_AUDIT"],
    ["inputs and outputs, no result", {}, null, "KSQL_FLOWNET_INPUT_AUDIT"],
    [
      "inputs, a receipt without rows (W-17)",
      { outputs: {} },
      { inputs: [input], outputs: [] },
      "KSQL_FLOWNET_INPUT_AUDIT",
    ],
    ["outputs, a result", { inputs: {} }, { inputs: [], outputs: [] }, "KSQL_FLOWNET_OUTPUT_AUDIT"],
    ["outputs, no result", { inputs: {} }, null, null],
    ["no files", { inputs: {}, outputs: {} }, full, null],
  ])("%s", async (_, over, receipts, kind) => {
    const files = await prepared({ node: node(over) });
    const text = finalErrorMessage(files, { receipts, errorMessage: "boom" });
    expect(kindOf(text)).toBe(kind);
    if (kind === null) expect(text).toBe("boom");
  });

  it("keeps the baseline when a receipt would break the record", async () => {
    const files = await prepared();
    const receipts = { inputs: [], outputs: [{ ...out, bytes: -1 }] };
    expect(finalErrorMessage(files, { receipts, errorMessage: "boom" })).toBe(files.baseline);
  });

  it("never holds a path", async () => {
    const text = finalErrorMessage(await prepared(), { receipts: full, errorMessage: "boom" });
    expect(text).not.toContain("csv");
    expect(text).not.toContain(folder);
  });
});
