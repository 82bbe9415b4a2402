import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseArguments } from "../../../../main/job-runner/cli/arguments.ts";
import { LEFT_OUT_COMMANDS, MACHINE_COMMANDS } from "../../../../main/job-runner/cli/commands.ts";
import { runJobRunner } from "../../../../main/job-runner/index.ts";
import { createStopControl } from "../../../../main/job-runner/run/stop.ts";
import { canonicalJson } from "../../../../shared/bundle/canonical-json.ts";
import {
  capabilitiesSchema,
  jobInspectionSchema,
  profileDescriptionSchema,
} from "../../../../shared/contract/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flownet-cli-"));
  writeFileSync(join(folder, "ksql.config.json"), JSON.stringify(CONFIG));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CONFIG = {
  profiles: {
    prod: {
      baseUrl: "https://Example.cybozu.com/",
      timezone: "Asia/Tokyo",
      apps: { 注文: { id: 7, tokens: ["env:TOKEN"] }, log: { id: 9, tokens: ["env:TOKEN"] } },
      logApp: "log",
      notifications: { onFailure: { webhook: "https://hook.example/secret-path" } },
    },
  },
};

async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = { TOKEN: "sekret-token" },
) {
  let stdout = "";
  let stderr = "";
  const stop = createStopControl();
  const code = await runJobRunner(args, {
    environment,
    cwd: folder,
    stop,
    stdout: (text) => {
      stdout += text;
    },
    stderr: (line) => {
      stderr += `${line}\n`;
    },
  });
  stop.dispose();
  return { code, stdout, stderr };
}

const PROFILE = ["--profile", "prod", "--config", "ksql.config.json", "--json"];

describe("arguments (execution-contract §1.1)", () => {
  const table = { file: "value", json: "boolean", "result-json": "value", "import-csv": "list" } as const;

  it("takes both forms, the last of a repeated flag, and every value of a repeatable one", () => {
    const parsed = parseArguments(
      ["-f", "a", "--file=-b".replace("--file", "-f"), "--import-csv", "x=1", "--import-csv=y=2", "--json"],
      table,
    );
    expect(
      parsed.ok && [parsed.value.value("file"), parsed.value.values("import-csv"), parsed.value.has("json")],
    ).toEqual(["-b", ["x=1", "y=2"], true]);
  });

  it.each([
    [["--nope"]],
    [["extra"]],
    [["--file"]],
    [["--file", "-x"]],
    [["--json=true"]],
    [["-f", "a", "--file", "b"]],
    [["--toString"]],
  ])("refuses %j", (args) => {
    expect(parseArguments(args, table)).toMatchObject({ ok: false, error: { code: "CONFIG_ERROR" } });
  });

  it("lets --result-json alone take a dash", () => {
    const parsed = parseArguments(["--result-json", "-"], table);
    expect(parsed.ok && parsed.value.value("result-json")).toBe("-");
  });
});

describe("commands (execution-contract §1.2)", () => {
  it("capabilities says what is true of this runner", async () => {
    const { code, stdout } = await run(["capabilities", "--json"]);
    expect(code).toBe(0);
    const value = capabilitiesSchema.parse(JSON.parse(stdout));
    expect(value.features).toMatchObject({
      importCsv: true,
      resultCsv: true,
      durableExecutionStarted: true,
    });
    expect(value.engineVersion).toContain("flownet");
  });

  it("describe-profile is canonical, defaulted, and free of secrets (§2.2)", async () => {
    const { code, stdout } = await run(["describe-profile", ...PROFILE]);
    expect(code).toBe(0);
    const value: unknown = JSON.parse(stdout);
    expect(stdout).toBe(`${canonicalJson(value)}\n`);
    expect(profileDescriptionSchema.parse(value)).toMatchObject({
      baseUrl: "https://example.cybozu.com",
      logApp: { name: "log", appId: 9 },
      limits: { maxApiCalls: null, maxReadRows: null, maxTempRows: null, batchTimeoutSec: 3600 },
      httpTimeoutMs: 30_000,
    });
    expect(stdout).not.toMatch(/sekret|hook/);
  });

  it("describe-profile fails when a secret's variable is missing", async () => {
    const { code, stdout, stderr } = await run(["describe-profile", ...PROFILE], {});
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("TOKEN");
  });

  it("inspect-job reports header, syntax, references and non-determinism, and exits 0 (§2.3)", async () => {
    writeFileSync(
      join(folder, "j.sql"),
      "-- @ksql name: daily\n-- @ksql depends_on: a, b\n-- @ksql timeout: 60\n-- @ksql dialect: 1\nSELECT COUNT(*) FROM LAPP_注文 WHERE 納期 < TODAY();\nSELECT * FROM LAPP_無い;",
    );
    const { code, stdout } = await run(["inspect-job", "-f", "j.sql", ...PROFILE]);
    expect(code).toBe(0);
    const value = jobInspectionSchema.parse(JSON.parse(stdout));
    expect(value).toMatchObject({
      jobId: "daily",
      fileName: "j.sql",
      dialect: 1,
      statementCount: 2,
      dependsOn: ["a", "b"],
      timeoutSec: 60,
    });
    expect(value.diagnostics.map(({ code: found, line, column }) => [found, line, column])).toEqual([
      ["KSQL1306", 5, 41],
      ["KSQL1101", 6, 15],
    ]);
    expect(value.nondeterministicElements.map(({ code: found }) => found)).toEqual(["KSQL1306"]);
  });

  it("inspect-job of a broken script counts no statements, and an unnamed job is called like its file", async () => {
    writeFileSync(join(folder, "k.sql"), "SELECT 1; INSERT INTO x;");
    const { code, stdout } = await run(["inspect-job", "-f", "k.sql", ...PROFILE]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      jobId: "k",
      statementCount: 0,
      diagnostics: [{ code: "KSQL1202" }],
    });
    expect((await run(["inspect-job", "-f", "none.sql", ...PROFILE])).code).toBe(1);
  });

  it.each(LEFT_OUT_COMMANDS)(
    "%s exits 1 and says that this runner leaves it to a network",
    async (command) => {
      const { code, stdout, stderr } = await run([command]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`This runner has no ${command}`);
    },
  );

  it.each(MACHINE_COMMANDS)("%s without --json exits 1 without JSON", async (command) => {
    const { code, stdout } = await run([command]);
    expect([code, stdout]).toEqual([1, ""]);
  });

  it("prints usage: for people on stdout, for the machine commands on stderr", async () => {
    expect(await run([])).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage") });
    expect(await run(["run", "--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage") });
    expect(await run(["capabilities", "-h"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Usage"),
    });
  });

  it("runs as a process of its own and prints one line of JSON", async () => {
    const entry = resolve(import.meta.dirname, "../../../../main/job-runner/index.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [entry, "capabilities", "--json"]);
    expect(stdout.split("\n")).toHaveLength(2);
    expect(capabilitiesSchema.parse(JSON.parse(stdout)).kind).toBe("CAPABILITIES");
  });
});

describe("configuration (execution-contract §12)", () => {
  it.each([
    [{ colour: 1 }, "colour"],
    [{ profiles: { prod: { baseUrl: "https://x", apps: {}, logApp: "none" } } }, "logApp"],
    [{ profiles: { prod: { ...CONFIG.profiles.prod, timezone: "Mars/Base" } } }, "Mars/Base"],
    [{ profiles: {} }, "prod"],
  ])("refuses %j naming the place", async (config, words) => {
    writeFileSync(
      join(folder, "ksql.config.json"),
      JSON.stringify({ ...("profiles" in config ? {} : CONFIG), ...config }),
    );
    const { code, stderr } = await run(["describe-profile", ...PROFILE]);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });
});
