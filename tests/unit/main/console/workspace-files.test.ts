import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureAllowList, parseAllowList, readAllowList } from "../../../../main/console/allow-list.ts";
import { clockFor } from "../../../../main/console/clock.ts";
import { defaultDataDir, prepareDataDir, writePrivateFile } from "../../../../main/console/data-dir.ts";
import { ensureRunnerConfig, runnerVariables } from "../../../../main/console/runner-config.ts";
import { SAMPLE_APPS } from "../../../../main/console/sample-records.ts";
import { readDataFile, readWorkspaceConfig } from "../../../../main/console/workspace-config.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flownet-console-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return "none";
  } catch (error) {
    return error instanceof FlowError ? error.code : String(error);
  }
};

describe("the data folder (decisions section 2)", () => {
  it.each([
    ["win32", { ProgramData: "C:\\ProgramData" }, join("C:\\ProgramData", "FlowNetConsole")],
    ["win32", { LOCALAPPDATA: "C:\\Users\\a" }, join("C:\\Users\\a", "FlowNetConsole")],
    ["linux", { XDG_DATA_HOME: "/data" }, "/data/flownet"],
    ["linux", { HOME: "/home/a" }, "/home/a/.local/share/flownet"],
  ] as const)("is, on %s with %j, %s", (platform, env, expected) => {
    expect(defaultDataDir(env, platform)).toBe(expected);
  });

  it("is made for this account alone, and taken back when it was open", async () => {
    const root = join(folder, "data");
    await mkdir(root, { mode: 0o755 });
    await chmod(root, 0o755);
    const { journal } = await prepareDataDir(root);
    for (const path of [root, journal]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it("is refused when a file stands in its place", async () => {
    await writeFile(join(folder, "data"), "");
    expect(await codeOf(() => prepareDataDir(join(folder, "data")))).toBe("DATA_DIR_UNUSABLE");
  });

  it("gets its files whole or not at all, readable by this account alone", async () => {
    const path = join(folder, "a.json");
    await writePrivateFile(path, "one");
    await writePrivateFile(path, "two");
    expect(await readFile(path, "utf8")).toBe("two");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await codeOf(() => writePrivateFile(join(folder, "no", "b"), "x"))).toBe("DATA_FILE_WRITE_FAILED");
    expect(await readdir(folder)).toEqual(["a.json"]);
  });
});

describe("a file of the data folder that cannot be read (decisions section 2)", () => {
  const runner = { profile: "local", baseUrl: "", timezone: "", apps: [], logApp: "", logDir: "" };
  it.each<[string, string, (path: string) => Promise<unknown>]>([
    ["config.json", "DATA_FILE_UNREADABLE", readWorkspaceConfig],
    ["ksql.config.json", "DATA_FILE_UNREADABLE", (path) => ensureRunnerConfig(path, runner)],
    ["networks.yaml", "ALLOWLIST_UNREADABLE", (path) => ensureAllowList(path, [])],
    ["notes.json", "DATA_FILE_UNREADABLE", readDataFile],
  ])("is named with what to do: %s is a folder", async (name, code, read) => {
    const path = join(folder, name);
    await mkdir(path);
    const problem = { code, place: path, message: /EISDIR/, remedy: expect.stringMatching(/./) };
    await expect(read(path)).rejects.toMatchObject({
      problem: { ...problem, message: expect.stringMatching(problem.message) },
    });
  });
});

describe("config.json", () => {
  it.each([
    ["text that is no JSON", "{"],
    ["another kind", '{"kind":"X"}'],
    ["an unknown key", '{"kind":"FLOWNET_WORKSPACE","formatVersion":1,"more":1}'],
  ])("is refused when it holds %s", async (_, text) => {
    const path = join(folder, "config.json");
    await writeFile(path, text);
    expect(await codeOf(() => readWorkspaceConfig(path))).toBe("WORKSPACE_CONFIG_INVALID");
  });

  it("says so when it is not JSON", async () => {
    const path = join(folder, "config.json");
    await writeFile(path, "{");
    await expect(readWorkspaceConfig(path)).rejects.toThrow(/cannot be used: it is not JSON$/);
  });

  it("is null in a new folder", async () => {
    expect(await readWorkspaceConfig(join(folder, "config.json"))).toBeNull();
  });
});

describe("the list of networks (orchestration section 7.7)", () => {
  it("is refused in one line when it is no YAML", () => {
    expect(() => parseAllowList("networks: [", "/n.yaml")).toThrow(/^[^\n]+$/);
  });

  const entry = "network_id: a\n    definition_path: /a.yaml";
  it.each([
    ["no networks", "networks: []", "CONFIG_SHAPE_INVALID"],
    ["another root key", `networks:\n  - ${entry}\nmore: 1`, "CONFIG_SHAPE_INVALID"],
    ["an unknown entry key", `networks:\n  - ${entry}\n    owner: x`, "NETWORK_ENTRY_INVALID"],
    [
      "app_start that is no boolean",
      `networks:\n  - ${entry}\n    app_start: maybe`,
      "NETWORK_ENTRY_INVALID",
    ],
    ["a network twice", `networks:\n  - ${entry}\n  - ${entry}`, "DUPLICATE_NETWORK"],
    [
      "a relative path",
      "networks:\n  - network_id: a\n    definition_path: a.yaml",
      "DEFINITION_PATH_NOT_ABSOLUTE",
    ],
    ["a duplicate key", "networks: []\nnetworks: []", "ALLOWLIST_PARSE_ERROR"],
    ["broken YAML", "networks: [", "ALLOWLIST_PARSE_ERROR"],
  ])("is refused with %s", async (_, text, code) => {
    expect(await codeOf(() => parseAllowList(text, "/list.yaml"))).toBe(code);
  });

  it("is refused by a relative path and where there is none", async () => {
    expect(await codeOf(() => readAllowList("list.yaml"))).toBe("ALLOWLIST_PATH_NOT_ABSOLUTE");
    expect(await codeOf(() => readAllowList(join(folder, "no.yaml")))).toBe("ALLOWLIST_UNREADABLE");
  });

  it("starts a network from the request app only when it says so", () => {
    expect(parseAllowList(`networks:\n  - ${entry}`, "/l")).toEqual([
      { networkId: "a", definitionPath: "/a.yaml", appStart: false },
    ]);
  });

  it("keeps what others wrote beside the samples, and follows a program that moved", async () => {
    const path = join(folder, "networks.yaml");
    await ensureAllowList(path, [{ networkId: "s", definitionPath: "/old/s.yaml", appStart: true }]);
    const own = `${await readFile(path, "utf8")}  - network_id: mine\n    definition_path: /mine.yaml\n`;
    await writeFile(path, own);
    await ensureAllowList(path, [{ networkId: "s", definitionPath: "/new/s.yaml", appStart: true }]);
    expect(await readAllowList(path)).toEqual([
      { networkId: "s", definitionPath: "/new/s.yaml", appStart: true },
      { networkId: "mine", definitionPath: "/mine.yaml", appStart: false },
    ]);
  });
});

describe("the list of networks with the samples in it (orchestration section 7.7)", () => {
  const samples = ["s", "t"].map((networkId) => ({
    networkId,
    definitionPath: `/new/${networkId}.yaml`,
    appStart: true,
  }));
  const own = [
    "# Ours. Nobody but the day shift changes it.",
    "networks:",
    "  - network_id: mine # month end",
    "    definition_path: /mine.yaml",
    "  - network_id: s",
    "    definition_path: /old/s.yaml # moves with the program",
    "    app_start: false",
    "",
  ].join("\n");

  it("keeps what the operator wrote: app_start, order, comments; only the paths of samples follow the program", async () => {
    const path = join(folder, "networks.yaml");
    await writeFile(path, own);
    const networks = await ensureAllowList(path, samples);
    expect(networks).toEqual([
      { networkId: "mine", definitionPath: "/mine.yaml", appStart: false },
      { networkId: "s", definitionPath: "/new/s.yaml", appStart: false },
      { networkId: "t", definitionPath: "/new/t.yaml", appStart: true },
    ]);
    const kept = own.replace("/old/s.yaml", "/new/s.yaml");
    const added = "  - network_id: t\n    definition_path: /new/t.yaml\n    app_start: true\n";
    expect(await readFile(path, "utf8")).toBe(kept + added);
    expect(await readAllowList(path)).toEqual(networks);
  });

  it("is not touched where it says everything already, however it is written", async () => {
    const path = join(folder, "networks.yaml");
    const text = `networks: [ {network_id: "s", definition_path: /new/s.yaml} ]  # short\n`;
    await writeFile(path, text);
    const before = await stat(path);
    await ensureAllowList(path, samples.slice(0, 1));
    expect(await readFile(path, "utf8")).toBe(text);
    expect((await stat(path)).ino).toBe(before.ino);
  });
});

describe("ksql.config.json (execution-contract section 12)", () => {
  const input = (id: number) => ({
    profile: "local",
    baseUrl: "http://localhost:21000",
    timezone: "Asia/Tokyo",
    apps: [{ name: "案件", id, tokenVariable: "TOKEN_DEALS" }],
    logApp: "job_log",
    logDir: "/log",
  });

  it("names tokens only as variables, and tells which ones a child needs", async () => {
    const path = join(folder, "ksql.config.json");
    await ensureRunnerConfig(path, input(5));
    expect(await runnerVariables(path, { TOKEN_DEALS: "t", OTHER: "o" })).toEqual({ TOKEN_DEALS: "t" });
    expect(await codeOf(() => runnerVariables(path, {}))).toBe("KSQL_CONFIG_VARIABLE_MISSING");
  });

  it("keeps limits changed by hand, and is written anew for other apps", async () => {
    const path = join(folder, "ksql.config.json");
    await ensureRunnerConfig(path, input(5));
    const edited = (await readFile(path, "utf8")).replace("3600", "60");
    await writeFile(path, edited);
    await ensureRunnerConfig(path, input(5));
    expect(await readFile(path, "utf8")).toBe(edited);
    await ensureRunnerConfig(path, input(6));
    expect(await readFile(path, "utf8")).toContain('"id": 6');
  });

  it.each([
    ["is not there", null],
    ["is not JSON", "{"],
  ])("is refused when it %s", async (_, text) => {
    const path = join(folder, "ksql.config.json");
    if (text !== null) await writeFile(path, text);
    expect(await codeOf(() => runnerVariables(path, {}))).toBe("KSQL_CONFIG_UNREADABLE");
  });
});

describe("the sample records", () => {
  const all = SAMPLE_APPS.map((app) => ({ app, records: app.records() }));

  it("are at least 5,000, the same at every call, with unique keys and values their form allows", () => {
    expect(all.reduce((count, { records }) => count + records.length, 0)).toBeGreaterThanOrEqual(5000);
    for (const { app, records } of all) {
      expect(app.records()).toEqual(records);
      for (const field of Object.values(app.form)) {
        const values = records.map((record) => record[field.code]?.value ?? "");
        if (field.unique === true) expect(new Set(values).size).toBe(records.length);
        if (field.options !== undefined) {
          const allowed = Object.keys(field.options);
          expect(values.filter((value) => !allowed.includes(value))).toEqual([]);
        }
      }
    }
  });

  it("have deals in every month of two years, in every state", () => {
    const deals = all.find(({ app }) => app.logicalName === "案件")?.records ?? [];
    const months = new Set(deals.map((deal) => deal.受注予定日?.value.slice(0, 7)));
    expect(months.size).toBe(24);
    expect(new Set(deals.map((deal) => deal.状態?.value)).size).toBe(4);
  });
});

describe("the clock (decisions section 4)", () => {
  const env = { FLOWNET_TEST_CLOCK_OFFSET_MS: "86400000" };
  it("is shifted on this machine only", () => {
    expect(clockFor("http://localhost:21000", env).nowMs()).toBeGreaterThan(Date.now() + 80_000_000);
    expect(clockFor("https://example.test", env).nowMs()).toBeLessThan(Date.now() + 1_000_000);
  });
});
