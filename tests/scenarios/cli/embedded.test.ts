import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldInputs } from "../../../main/console/provision-fields.ts";
import { createProvisioner, readServerFile } from "../../../main/local-kintone/index.ts";
import { appFields } from "../../../shared/records/index.ts";
import { EXAMPLES, flownet, type Serving, serve, temporaryFolder } from "./support.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Holds the server for the whole file, and ends it after the last test. */
let holder: Serving;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  holder = serve(["local-kintone", "--json", "--data-dir", folder.path]);
  const line = JSON.parse((await holder.nextLine()) ?? "null");
  expect(line).toMatchObject({
    event: "listening",
    baseUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
  });
  env = line.env;
});
afterAll(async () => {
  await holder.stop();
  await folder.remove();
});

/** The set-up entry of the running server, as the workspace itself uses it. */
function provisioner() {
  const server = readServerFile(folder.path);
  if (server === null) throw new Error("no local kintone is running");
  return createProvisioner(server.controlUrl, server.controlToken);
}

const here = (...args: readonly string[]) => flownet([...args, "--data-dir", folder.path]);
const monthly = join(EXAMPLES, "monthly-summary", "network.yaml");
const september = ["--scheduled-for", "2026-09-01T00:00:00+09:00"];

describe("a Run in the embedded workspace, with no variable set", () => {
  let runId = "";

  it("is NEW and ends in SUCCESS, then NOOP, and status agrees", async () => {
    const first = await here("run-network", monthly, ...september, "--json");
    expect(first.stderr).toBe("");
    const created = JSON.parse(first.stdout);
    expect(created).toMatchObject({
      outcome: "NEW",
      aggregate_status: "SUCCESS",
      invocation_result_code: "OK",
    });
    expect(first.code).toBe(0);
    runId = created.run_id;

    const again = await here("run-network", monthly, ...september, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({
      outcome: "NOOP",
      run_id: runId,
      aggregate_status: "SUCCESS",
    });
    expect(again.code).toBe(0);

    const status = await here("status", "monthly_summary", "--json");
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({
      network_id: "monthly_summary",
      lock: null,
      runs: [{ run_id: runId, business_key: "monthly_summary@2026-09", status: "SUCCESS" }],
    });
  });

  it("shows its nodes when one Run is asked for", async () => {
    const detail = await here("status", "monthly_summary", "--run-id", runId, "--json");
    const [run] = JSON.parse(detail.stdout).runs;
    expect(
      run.node_states.map((state: { node_id: string; status: string }) => [state.node_id, state.status]),
    ).toEqual(
      expect.arrayContaining([
        ["intake_gate", "SUCCESS"],
        ["test_data_gate", "SUCCESS"],
        ["deal_summary", "SUCCESS"],
        ["report", "SUCCESS"],
      ]),
    );
    expect(run.reconciliation.inconsistencies).toEqual([]);
  });

  it("is told in the peer's sentence without --json", async () => {
    const result = await here("run-network", monthly, ...september);
    expect(result.stdout).toBe(`NO-OP: Run ${runId} is already SUCCESS; nothing was executed.\n`);
  });

  it("of the diamond succeeds", async () => {
    const result = await here(
      "run-network",
      join(EXAMPLES, "diamond", "network.yaml"),
      "--business-key",
      "d-1",
      "--json",
    );
    expect(JSON.parse(result.stdout)).toMatchObject({ outcome: "NEW", aggregate_status: "SUCCESS" });
    expect(result.code).toBe(0);
  });

  it("whose ASSERT fails exits with 1, the node FAILED and its successor BLOCKED", async () => {
    const path = join(EXAMPLES, "failing-assert", "network.yaml");
    const result = await here("run-network", path, "--business-key", "f-1", "--json");
    const answer = JSON.parse(result.stdout);
    expect(answer).toMatchObject({
      aggregate_status: "FAILED",
      invocation_result_code: "NODE_FAILED_OR_BLOCKED",
    });
    expect(result.code).toBe(1);
    expect(Object.keys(answer)).toEqual([
      "outcome",
      "run_id",
      "invocation_id",
      "aggregate_status",
      "invocation_result_code",
      "retry_brake_node_ids",
      "blocked_run_ids",
    ]);
    expect(result.stderr).toMatch(/^Node amount_gate FAILED \[ASSERT_FAILED\]: \S.*\n1 node\(s\) BLOCKED/);
    expect(result.stderr).toContain(`flownet status failing_assert --run-id ${answer.run_id}\n`);
    const detail = await here("status", "failing_assert", "--business-key", "f-1", "--json");
    const [run] = JSON.parse(detail.stdout).runs;
    const states = Object.fromEntries(
      run.node_states.map((state: { node_id: string; status: string; status_reason: string | null }) => [
        state.node_id,
        [state.status, state.status_reason],
      ]),
    );
    expect(states).toEqual({
      count_deals: ["SUCCESS", expect.anything()],
      amount_gate: ["FAILED", "ASSERT_FAILED"],
      publish: ["BLOCKED", "ALL_SUCCESS_NOT_SATISFIED"],
    });

    const repeated = await here("run-network", path, "--business-key", "f-1", "--json");
    expect(JSON.parse(repeated.stdout)).toMatchObject({
      outcome: "REJECTED",
      invocation_result_code: "RUN_ALREADY_EXISTS",
      blocked_run_ids: [answer.run_id],
    });
    const other = await here("run-network", path, "--business-key", "f-2", "--json");
    expect(JSON.parse(other.stdout)).toMatchObject({
      outcome: "REJECTED",
      invocation_result_code: "MAX_ACTIVE_RUNS",
      blocked_run_ids: [answer.run_id],
    });
    expect([repeated.code, other.code]).toEqual([1, 1]);
    expect(repeated.stderr).toContain("has ended FAILED");

    const resumed = await here("run-network", path, "--business-key", "f-1", "--resume", "--json");
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      outcome: "RESUME",
      run_id: answer.run_id,
      aggregate_status: "FAILED",
    });
  });

  it("hands files through the data folder's io, where no variable names another (orchestration section 8.4)", async () => {
    const home = join(folder.path, "hand-over");
    await mkdir(home);
    const sql = "CREATE TEMP TABLE report AS SELECT 1 AS one;\nSELECT * FROM #report;\n";
    await writeFile(join(home, "out.sql"), `-- @ksql name: hand_over\n-- @ksql dialect: 1\n${sql}`);
    const definition = [
      "schema_version: 1",
      "network_id: hand_over",
      "business_key_policy: { type: explicit }",
      "network_lock: { lease_duration_sec: 90, heartbeat_interval_sec: 30 }",
      "nodes:",
      "  - { id: out, job_id: hand_over, sql: out.sql, depends_on: [], trigger_rule: all_success, idempotent: true,",
      '      outputs: { report: "{business_key}/{node_id}.csv" } }',
      "",
    ].join("\n");
    await writeFile(join(home, "network.yaml"), definition);
    const result = await here("run-network", join(home, "network.yaml"), "--business-key", "a@b", "--json");
    expect(result.stderr).toBe("");
    expect(JSON.parse(result.stdout)).toMatchObject({ outcome: "NEW", aggregate_status: "SUCCESS" });
    expect(await readFile(join(folder.path, "io", "out", "a%40b", "out.csv"), "utf8")).toBe("one\r\n1\r\n");
  });

  it("is refused for what can be no network, and hints at one nobody knows", async () => {
    const impossible = await here("status", "a:b");
    expect(impossible).toMatchObject({ code: 1, stdout: "" });
    expect(impossible.stderr).toMatch(
      /^Error \[RECORD_KEY_IDENTIFIER_SEPARATOR\]: .*\n {2}at: argument <network id>\n {2}do: /,
    );
    const path = await here("status", "../../etc");
    expect(path.code).toBe(0);
    expect(path.stderr).toContain("not its path");
    const unknown = await here("status", "monthly_sumary", "--json");
    expect(unknown.code).toBe(0);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ runs: [] });
    expect(unknown.stderr).toMatch(/^Hint: monthly_sumary has no Run /);
  });

  it("is refused for a Run that is not there", async () => {
    const result = await here("status", "monthly_summary", "--run-id", "netrun_none");
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("Error [RECORD_NOT_FOUND]: ");
  });
});

describe("the environment block (what local-kintone --json prints)", () => {
  it("lets a configured command work on the same records", async () => {
    const result = await flownet(
      ["status", "monthly_summary", "--json", "--data-dir", join(folder.path, "other")],
      env,
    );
    expect(result.stderr).toBe("");
    expect(JSON.parse(result.stdout).runs).toHaveLength(1);
  });

  it("names every variable of the contract, and a runner configuration without a token in it", async () => {
    const names = [
      "KSQL_FLOWNET_PROFILE",
      "KSQL_FLOWNET_BASE_URL",
      "KSQL_FLOWNET_STATE_APP_ID",
      "KSQL_FLOWNET_AUDIT_APP_ID",
      "KSQL_FLOWNET_REQUEST_APP_ID",
      "KSQL_FLOWNET_REQUEST_API_TOKEN",
      "KSQL_FLOWNET_REQUEST_ALLOWLIST_PATH",
      "KSQL_FLOW_BIN",
      "KSQL_FLOW_BIN_ARGS",
      "KSQL_FLOW_CONFIG",
      "KSQL_FLOW_WORKDIR",
      "KSQL_FLOW_LOG_APP_ID",
      "KSQL_FLOW_LOG_API_TOKEN",
      "KSQL_FLOWNET_IO_DIR",
    ];
    for (const name of names) expect(env[name], name).toBeTruthy();
    const files = [
      env.KSQL_FLOW_CONFIG ?? "",
      join(folder.path, "config.json"),
      join(folder.path, "networks.yaml"),
    ];
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    const tokens = Object.entries(env).filter(([name]) => name.includes("TOKEN"));
    expect(tokens.length).toBeGreaterThanOrEqual(7);
    for (const [name, token] of tokens) {
      for (const text of texts) expect(text.includes(token), name).toBe(false);
    }
  });

  const refused: readonly [string, () => Readonly<Record<string, string>>, string, string][] = [
    [
      "a missing variable",
      () => ({ KSQL_FLOWNET_STATE_API_TOKEN: "" }),
      "ENVIRONMENT_INCOMPLETE",
      "KSQL_FLOWNET_STATE_API_TOKEN",
    ],
    [
      "a wrong app id",
      () => ({ KSQL_FLOWNET_STATE_APP_ID: "9999" }),
      "APP_NOT_FOUND",
      "KSQL_FLOWNET_STATE_APP_ID",
    ],
    [
      "the id of another app",
      () => ({
        KSQL_FLOWNET_STATE_APP_ID: env.KSQL_FLOWNET_AUDIT_APP_ID ?? "",
        KSQL_FLOWNET_STATE_API_TOKEN: env.KSQL_FLOWNET_AUDIT_API_TOKEN ?? "",
      }),
      "APP_FORM_MISMATCH",
      "KSQL_FLOWNET_STATE_APP_ID",
    ],
    [
      "a token nobody knows",
      () => ({ KSQL_FLOWNET_AUDIT_API_TOKEN: "not-a-token-of-this-server" }),
      "TOKEN_REFUSED",
      "KSQL_FLOWNET_AUDIT_API_TOKEN",
    ],
    [
      "a port nobody listens on",
      () => ({ KSQL_FLOWNET_BASE_URL: "http://localhost:9" }),
      "KINTONE_UNREACHABLE",
      "KSQL_FLOWNET_BASE_URL",
    ],
  ];
  it.each(refused)(
    "refuses %s with code, place and remedy, before anything is written",
    async (_, change, code, name) => {
      const changed = { ...env, ...change() };
      const result = await flownet(
        [
          "run-network",
          join(EXAMPLES, "diamond", "network.yaml"),
          "--business-key",
          "never",
          "--json",
          "--data-dir",
          folder.path,
        ],
        changed,
      );
      expect(result.code).toBe(1);
      expect(JSON.parse(result.stdout)).toMatchObject({ outcome: "REJECTED", invocation_result_code: code });
      expect(result.stderr).toContain(`Error [${code}]: `);
      expect(result.stderr).toMatch(new RegExp(`\\n {2}at: environment .*${name}`));
      expect(result.stderr).toMatch(/\n {2}do: \S/);
      for (const [variable, value] of Object.entries(changed)) {
        if (variable.includes("TOKEN") && value !== "")
          expect(result.stderr.includes(value), variable).toBe(false);
      }
      const after = await here("status", "diamond", "--json");
      const { lock, runs } = JSON.parse(after.stdout);
      expect(lock).toBeNull();
      expect(runs.map((run: { business_key: string }) => run.business_key)).not.toContain("never");
    },
  );

  it.each([
    [["view"], "add"],
    [["view", "add"], "edit"],
  ] as const)("refuses a state token with only %j", async (rights, missing) => {
    const appId = env.KSQL_FLOWNET_STATE_APP_ID ?? "";
    const [token = ""] = await provisioner().createTokens([
      { appId, rights: [...rights], label: rights.join() },
    ]);
    const changed = { ...env, KSQL_FLOWNET_STATE_API_TOKEN: token };
    const result = await flownet(["status", "diamond", "--data-dir", folder.path], changed);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain(
      `Error [TOKEN_RIGHT_MISSING]: The token of the state app ${appId} lacks the right to ${missing} records.`,
    );
    expect(result.stderr).toContain("\n  at: environment KSQL_FLOWNET_STATE_API_TOKEN\n  do: ");
    expect(result.stderr).not.toContain(token);
  });

  it("refuses an audit app in a guest space (fenced-writes R8)", async () => {
    const code = "GUEST_AUDIT";
    const fields = fieldInputs(appFields("audit", null));
    const apps = await provisioner().createApps([{ name: "audit", code, guestSpaceId: 3, fields }]);
    const appId = apps.get(code) ?? "";
    const [token = ""] = await provisioner().createTokens([
      { appId, rights: ["view", "add", "edit"], label: "all" },
    ]);
    const changed = { ...env, KSQL_FLOWNET_AUDIT_APP_ID: appId, KSQL_FLOWNET_AUDIT_API_TOKEN: token };
    const result = await flownet(["status", "diamond", "--data-dir", folder.path], changed);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("Error [APP_IN_GUEST_SPACE]: ");
    expect(result.stderr).toContain("\n  at: environment KSQL_FLOWNET_AUDIT_APP_ID\n  do: ");
  });
});

describe("a busy port", () => {
  it("is PORT_BUSY with its place and remedy", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const other = await temporaryFolder();
    try {
      const result = await flownet(["local-kintone", "--port", String(port), "--data-dir", other.path]);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain("Error [PORT_BUSY]: ");
      expect(result.stderr).toMatch(/\n {2}do: \S/);
    } finally {
      blocker.close();
      await other.remove();
    }
  });

  it("cannot be chosen anew for a data folder that has one", async () => {
    const result = await here("local-kintone", "--port", "21999");
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("Error [PORT_ALREADY_CHOSEN]: ");
  });
});
