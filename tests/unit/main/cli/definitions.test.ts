import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../../../main/cli/run-cli.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "..", "examples");

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-definitions-"));
  await mkdir(join(folder, "jobs"));
  await writeFile(join(folder, "jobs", "a.sql"), "-- @ksql name: job_a\nSELECT 1 AS one;\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function flownet(args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    env: {},
    cwd: folder,
    signal: new AbortController().signal,
    onStop: () => undefined,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, stdout: out.join(""), stderr: err.join("") };
}

const node = (id: string, dependsOn = "[]", more = ""): string =>
  `  - {id: ${id}, job_id: job_a, sql: jobs/a.sql, depends_on: ${dependsOn}, trigger_rule: all_success, idempotent: true${more}}`;

const network = (nodes: readonly string[], head = ""): string =>
  [
    "schema_version: 1",
    "network_id: net",
    "business_key_policy: {type: explicit}",
    "network_lock: {lease_duration_sec: 30, heartbeat_interval_sec: 10}",
    ...(head === "" ? [] : [head]),
    "nodes:",
    ...nodes,
    "",
  ].join("\n");

const written = async (text: string): Promise<string> => {
  const path = join(folder, "network.yaml");
  await writeFile(path, text);
  return path;
};

describe("validate and plan on good definitions (orchestration section 9.1)", () => {
  it.each(["monthly-summary", "diamond", "failing-assert"])("accept the example %s", async (name) => {
    const path = join(EXAMPLES, name, "network.yaml");
    const result = await flownet(["validate", path]);
    expect(result).toEqual({ code: 0, stdout: `Valid network definition: ${path}\n`, stderr: "" });
  });

  it("print the key of the period in the policy's zone and the order of the nodes", async () => {
    const path = join(EXAMPLES, "monthly-summary", "network.yaml");
    const result = await flownet(["plan", path, "--scheduled-for", "2026-08-31T15:00:00Z"]);
    expect(result.code).toBe(0);
    expect(result.stdout.split("\n").slice(0, 3)).toEqual([
      "Business key: monthly_summary@2026-09",
      "Execution plan:",
      "1. intake_gate | job_id=intake_gate | idempotent=true | depends_on=-",
    ]);
  });
});

describe("bad definitions are refused with code, place and remedy (orchestration section 1.2)", () => {
  const long = "k".repeat(129);
  const cases: readonly [string, string, string, string][] = [
    ["an unknown property", network([node("a")], "colour: red"), "UNKNOWN_PROPERTY", "$"],
    ["a duplicate YAML key", network([node("a")], "network_id: twice"), "YAML_PARSE_ERROR", "$"],
    ["YAML that does not end", "nodes: [", "YAML_PARSE_ERROR", "$"],
    ["an id of 129 characters", network([node(long)]), "SCHEMA_INVALID", "$/nodes/0/id"],
    ["a colon in an id", network([node("a:b")]), "SCHEMA_INVALID", "$/nodes/0/id"],
    ["the reserved id", network([node("__net__")]), "SCHEMA_INVALID", "$/nodes/0/id"],
    ["a cycle", network([node("a", "[b]"), node("b", "[a]")]), "CYCLE_DETECTED", "$.nodes"],
    ["a node depending on itself", network([node("a", "[a]")]), "SELF_DEPENDENCY", "$.nodes/0/depends_on/0"],
    ["an unknown dependency", network([node("a", "[x]")]), "UNKNOWN_DEPENDENCY", "$.nodes/0/depends_on/0"],
    ["a node twice", network([node("a"), node("a")]), "DUPLICATE_NODE_ID", "$.nodes/1/id"],
    [
      "a missing SQL file",
      network([node("a").replace("jobs/a.sql", "jobs/none.sql")]),
      "SQL_FILE_UNREADABLE",
      "$.nodes/0/sql",
    ],
    [
      "a trigger rule nobody runs",
      network([node("a").replace("all_success", "all_done")]),
      "TRIGGER_RULE_UNSUPPORTED",
      "$.nodes/0/trigger_rule",
    ],
  ];
  it.each(cases)("%s", async (_, text, code, place) => {
    const path = await written(text);
    const result = await flownet(["validate", path]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain(`Invalid network definition: ${path}\n- [${code}] ${place}: `);
    expect(result.stderr).toContain(`  at: ${path}`.slice(0, -"network.yaml".length));
    expect(result.stderr).toMatch(/\n {2}do: \S/);
  });

  it("a node id the bundle cannot hold (W-12)", async () => {
    const path = await written(network([node('"with space"')]));
    const result = await flownet(["validate", path]);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/- \[[A-Z_]+\] \$\.nodes\/0\/id: /);
  });

  it("a file that is not there", async () => {
    const result = await flownet(["validate", join(folder, "none.yaml")]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("- [NETWORK_FILE_UNREADABLE] $: ");
  });

  it("tells line and column of a wrong property", async () => {
    const path = await written(network([node("a"), node("b", "[]", ", colour: red")]));
    const result = await flownet(["validate", path]);
    expect(result.stderr).toContain("- [UNKNOWN_PROPERTY] $/nodes/1: ");
    expect(result.stderr).toMatch(new RegExp(`${path.replaceAll("\\", "\\\\")}:7:\\d+`));
  });
});

describe("bad keys are refused by plan (orchestration section 1.4)", () => {
  it.each([
    ["129 characters", "k".repeat(129), "BUSINESS_KEY_TOO_LONG"],
    ["a colon", "a:b", "RECORD_KEY_IDENTIFIER_SEPARATOR"],
    ["the reserved word", "__net__", "RECORD_KEY_IDENTIFIER_RESERVED"],
    ["a control character", "a\u0001b", "BUSINESS_KEY_CONTROL_CHARACTER"],
  ])("%s", async (_, key, code) => {
    const path = await written(network([node("a")]));
    const result = await flownet(["plan", path, "--business-key", key]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain(`[${code}]`);
  });

  it("a scheduled time without an offset", async () => {
    const path = join(EXAMPLES, "monthly-summary", "network.yaml");
    const result = await flownet(["plan", path, "--scheduled-for", "2026-09-01T00:00:00"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("[SCHEDULED_FOR_INVALID]");
  });
});
