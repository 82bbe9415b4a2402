import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../../main/cli/run-cli.ts";
import { createdAppsSchema, provisionReportSchema } from "../../../main/console/index.ts";
import {
  backupResultSchema,
  checkResultSchema,
  compactedSchema,
  exportResultSchema,
  findLocalKintone,
  folderStatusSchema,
  importResultSchema,
} from "../../../main/local-kintone/index.ts";

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flownet-admin-"));
  dataDir = join(folder, "data");
});
afterEach(async () => {
  await run("local-kintone", "stop");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function runWith(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ended> {
  const texts = { out: "", err: "" };
  const code = await runCli(args, {
    env,
    cwd: folder,
    signal: AbortSignal.timeout(120_000),
    onStop: () => undefined,
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
  });
  return { code, ...texts };
}
const run = (...args: readonly string[]): Promise<Ended> => runWith({}, [...args, "--data-dir", dataDir]);
async function json(...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await run(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("the commands for the local kintone's files", () => {
  it("take a workspace from its making through export and import into another, served and not", async () => {
    const made = createdAppsSchema.parse(await json("local-kintone", "create-apps", "--workspace", "drill"));
    expect(made.baseUrl).toMatch(/^http:\/\/localhost:\d+\/drill$/);
    const again = createdAppsSchema.parse(await json("local-kintone", "create-apps", "--workspace", "drill"));
    expect(again).toEqual(made);

    const status = folderStatusSchema.parse(await json("local-kintone", "status"));
    expect(status).toMatchObject({ workspaces: ["drill"], server: { users: 0 } });

    const spot = ["--workspace", "drill"];
    const exported = exportResultSchema.parse(await json("local-kintone", "export", "all.gz", ...spot));
    expect(exported).toMatchObject({ path: join(folder, "all.gz"), apps: 4, withTokens: false });
    const copied = backupResultSchema.parse(await json("local-kintone", "backup", "copy.sqlite", ...spot));
    expect(copied).toMatchObject({ apps: 4, databaseId: exported.databaseId });
    compactedSchema.parse(await json("local-kintone", "compact", ...spot));

    const served = await run("local-kintone", "import", "all.gz", "--workspace", "copy");
    expect([served.code, served.err]).toEqual([1, expect.stringContaining("Error [FOLDER_IN_USE]")]);
    expect(await run("local-kintone", "stop")).toMatchObject({ code: 0, out: "Ended.\n" });
    const imported = importResultSchema.parse(
      await json("local-kintone", "import", "all.gz", "--workspace", "copy"),
    );
    expect(imported).toMatchObject({ apps: 4, databaseId: exported.databaseId });
    const checked = checkResultSchema.parse(await json("local-kintone", "check", "--workspace", "copy"));
    expect(checked).toMatchObject({ apps: 4, findings: [] });
    compactedSchema.parse(await json("local-kintone", "compact", "--workspace", "copy"));
    const unknown = await run("local-kintone", "check", "--workspace", "nobody");
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("Error [WORKSPACE_UNKNOWN]")]);
  });
});

describe("provision against a kintone (wire-format §1)", () => {
  it("makes the apps, writes the variables once, shows no password, and finds nothing to do again", async () => {
    await run("local-kintone", "create-apps", "--workspace", "real");
    const server = await findLocalKintone(dataDir, AbortSignal.timeout(10_000));
    if (server === null) throw new Error("the server runs");
    await server.provisioner.createWorkspace("site");
    const site = server.provisioner.inWorkspace("site");
    await site.createUser({ code: "admin", name: "管理者", password: "hidden words" });
    const baseUrl = `${server.baseUrl}/site`;
    await server.release();

    const command = ["provision", "--base-url", baseUrl, "--user", "admin"];
    const env = { FLOWNET_PROVISION_PASSWORD: "hidden words" };
    const missing = await runWith({}, command);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("FLOWNET_PROVISION_PASSWORD")]);
    const dry = await runWith(env, [...command, "--dry-run"]);
    expect([dry.code, dry.out]).toEqual([1, expect.stringContaining("would create")]);

    const first = await runWith(env, [...command, "--out", "tokens.env", "--json"]);
    expect(first.err).toBe("");
    const report = provisionReportSchema.parse(JSON.parse(first.out));
    expect([first.code, report.complete]).toEqual([0, true]);
    const out = join(folder, "tokens.env");
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readFileSync(out, "utf8")).toContain(`KSQL_FLOWNET_BASE_URL=${baseUrl}\n`);
    const second = await runWith(env, [...command, "--out", "tokens.env"]);
    expect([second.code, second.err]).toEqual([1, expect.stringContaining("Error [TARGET_EXISTS]")]);
    const third = await runWith(env, command);
    expect([third.code, third.out]).toEqual([0, expect.stringContaining("unchanged")]);
    for (const { out: shown, err } of [missing, dry, first, second, third]) {
      expect(shown + err).not.toContain("hidden words");
    }
    expect(existsSync(join(folder, "tokens.env.tmp"))).toBe(false);
  });
});
