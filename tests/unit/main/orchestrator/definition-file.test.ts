import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadDefinition, unreadableSqlFiles } from "../../../../main/orchestrator/definition-file.ts";
import { planDefinition } from "../../../../main/orchestrator/validate-and-plan.ts";

const GOOD = `schema_version: 1
network_id: monthly_jobs
business_key_policy:
  type: scheduled_period
  period: month
  timezone: Asia/Tokyo
  format: "{network_id}@{yyyy}-{MM}"
network_lock:
  lease_duration_sec: 180
  heartbeat_interval_sec: 60
nodes:
  - id: summary
    job_id: summary_job
    sql: summary.sql
    depends_on: [gate]
    trigger_rule: all_success
    idempotent: true
  - id: gate
    job_id: gate_job
    sql: gate.sql
    depends_on: []
    trigger_rule: all_success
    idempotent: true
`;

let folder = "";
const write = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "definition-"));
  await write("summary.sql", "SELECT 1;");
  await write("gate.sql", "SELECT 1;");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function problemsOf(text: string) {
  const loaded = await loadDefinition(await write("network.yaml", text));
  return loaded.ok ? [] : loaded.error;
}

describe("loading a network definition (orchestration section 1.2)", () => {
  it("keeps the exact bytes of the file, because they are what is hashed and bundled", async () => {
    const loaded = await loadDefinition(await write("network.yaml", GOOD));
    expect(loaded.ok && Buffer.from(loaded.value.bytes).toString("utf8")).toBe(GOOD);
  });

  it("names the file that cannot be read", async () => {
    const loaded = await loadDefinition(path.join(folder, "absent.yaml"));
    expect(loaded).toMatchObject({
      ok: false,
      error: [
        { code: "NETWORK_FILE_UNREADABLE", place: "$", details: { file: path.join(folder, "absent.yaml") } },
      ],
    });
  });

  it.each([
    ["a duplicate key", `${GOOD}network_id: other\n`, 24],
    ["a tab as indentation", GOOD.replace("  type: scheduled", "\ttype: scheduled"), 4],
    ["an unclosed list", GOOD.replace("[gate]", "[gate"), 16],
  ])("refuses %s as YAML_PARSE_ERROR and says the line", async (_what, text, line) => {
    const problems = await problemsOf(text);
    expect(problems[0]).toMatchObject({ code: "YAML_PARSE_ERROR", place: "$" });
    expect(problems.map((problem) => problem.details?.line)).toContain(line);
  });

  it("refuses an alias that expands without end", async () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x,x]"];
    for (let i = 1; i < 8; i++)
      bomb.push(
        `b${i}: &b${i} [${Array(10)
          .fill(i === 1 ? "*a" : `*b${i - 1}`)
          .join(",")}]`,
      );
    expect(await problemsOf(bomb.join("\n"))).toMatchObject([
      { code: "YAML_VALUE_INVALID", details: { line: 2, column: 10 } },
    ]);
  });

  it("points at the alias that no anchor stands before", async () => {
    const text = GOOD.replace("schema_version: 1", "schema_version: &one 1").replace(
      "lease_duration_sec: 180",
      "lease_duration_sec: *lease",
    );
    expect(await problemsOf(text)).toMatchObject([
      { code: "YAML_VALUE_INVALID", place: "$", details: { line: 9, column: 23 } },
    ]);
  });

  it("points at line and column of a property that is not allowed", async () => {
    const problems = await problemsOf(
      GOOD.replace("    job_id: gate_job", "    retries: 3\n    job_id: gate_job"),
    );
    expect(problems).toMatchObject([
      { code: "UNKNOWN_PROPERTY", place: "$/nodes/1", details: { line: 19, column: 5 } },
    ]);
  });

  it.each([
    ["at the root", `${GOOD}colour: red\n`, "UNKNOWN_PROPERTY", 24, 1],
    [
      "behind an alias",
      `${GOOD}  - &n { id: c, x: 1, job_id: c, sql: s.sql, depends_on: [], trigger_rule: all_success, idempotent: true }\n  - *n\n`,
      "UNKNOWN_PROPERTY",
      24,
      17,
    ],
    ["that is missing, at what lacks it", GOOD.replace("    sql: gate.sql\n", ""), "SCHEMA_INVALID", 18, 5],
    [
      "with a wrong value, at the value",
      GOOD.replace("depends_on: []", "depends_on: 3"),
      "SCHEMA_INVALID",
      21,
      17,
    ],
  ])("points at a property %s", async (_what, text, code, line, column) => {
    const problems = await problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatchObject({ code, details: { line, column } });
  });

  it("lists every SQL file that is not a readable regular file", async () => {
    const text = GOOD.replace("gate.sql", "no.sql").replace("summary.sql", ".");
    const loaded = await loadDefinition(await write("network.yaml", text));
    if (!loaded.ok) throw new Error("the definition itself is valid");
    const problems = await unreadableSqlFiles(loaded.value);
    expect(problems.map((problem) => [problem.code, problem.place])).toEqual([
      ["SQL_FILE_UNREADABLE", "$.nodes/0/sql"],
      ["SQL_FILE_UNREADABLE", "$.nodes/1/sql"],
    ]);
  });
});

describe("planning (orchestration sections 1.3 and 1.4)", () => {
  it("lists the nodes in the order they would run and derives the key", async () => {
    const file = await write("network.yaml", GOOD);
    const { plan, problems } = await planDefinition(file, { scheduledFor: "2026-09-01T00:00:00+09:00" });
    expect(problems).toEqual([]);
    expect(plan?.businessKey).toBe("monthly_jobs@2026-09");
    expect(plan?.nodes.map((node) => node.id)).toEqual(["gate", "summary"]);
  });

  it.each([
    ["no key at all", {}, "SCHEDULED_FOR_REQUIRED"],
    [
      "a colon, which would fail only after the lock was taken (W-12)",
      { businessKey: "a:b" },
      "RECORD_KEY_IDENTIFIER_SEPARATOR",
    ],
    ["129 characters", { businessKey: "k".repeat(129) }, "BUSINESS_KEY_TOO_LONG"],
    ["a time without offset", { scheduledFor: "2026-09-01T00:00:00" }, "SCHEDULED_FOR_INVALID"],
  ])("refuses %s", async (_what, keys, code) => {
    const { plan, problems } = await planDefinition(await write("network.yaml", GOOD), keys);
    expect(plan).toBeNull();
    expect(problems.map((problem) => problem.code)).toContain(code);
  });
});
