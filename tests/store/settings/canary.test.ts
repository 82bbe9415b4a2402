import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ConsoleApiHost,
  createConsoleApi,
  openWorkspace,
  systemClock,
  type Workspace,
  waitOrAbort,
} from "../../../main/console/index.ts";
import { createLoopback, type Loopback } from "../../../main/loopback/index.ts";
import type { ConsoleApi, SettingsView } from "../../../shared/api/index.ts";
import type { Result } from "../../../shared/domain/problem.ts";
import { connectionSample, rolesSample, settingsSample } from "../../support/settings-samples.ts";
import { connectPage } from "../../support/socket-client.ts";

const CANARY = "kanarienvogel0123456789abcdefghijklmnWXYZ";
/** All of it but what may be shown. */
const SECRET = CANARY.slice(0, -4);
/** A runner that writes down how it was called. */
const TELLS = "require('fs').writeFileSync('called-'+process.pid+'.json',JSON.stringify(process.argv))";

let dataDir: string;
let workspace: Workspace;
let host: ConsoleApiHost;
let front: Loopback;
let page: Awaited<ReturnType<typeof connectPage>>;
let api: ConsoleApi;
/** Everything that came back over the line. */
const answers: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "flownet-canary-"));
  workspace = await openWorkspace({ dataDir, env: {}, endServer: true, standIn: true });
  host = createConsoleApi({ workspace, clock: systemClock, random: Math.random });
  front = await createLoopback({
    api: host,
    staticDir: dataDir,
    port: 0,
    clock: systemClock,
    randomBytes: (size) => randomBytes(size),
    wait: waitOrAbort,
  });
  page = await connectPage(front.url);
  api = page.api;
}, 120_000);

afterAll(async () => {
  await page.close();
  await front.close();
  await host.dispose();
  await workspace.dispose();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}, 120_000);

async function heard<T>(call: Promise<T>): Promise<T | null> {
  try {
    const answer = await call;
    answers.push(JSON.stringify(answer));
    return answer;
  } catch (error) {
    const own = error instanceof Error ? Object.getOwnPropertyNames(error) : [];
    answers.push(`${String(error)} ${JSON.stringify(error, own)} ${JSON.stringify(error)}`);
    return null;
  }
}

function viewIn(answer: Result<SettingsView> | null): SettingsView {
  if (answer?.ok === true) return answer.value;
  throw new Error(JSON.stringify(answer));
}

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

describe("a token that was entered once (electron-desktop, secrets)", () => {
  it("never comes back: not in an answer, a refusal, an error, a file or a command line", async () => {
    const workDir = join(dataDir, "work");
    const configPath = join(dataDir, "own.config.json");
    await writeFile(configPath, JSON.stringify({ profiles: { prod: { tokens: ["env:T_DEALS"] } } }));
    const connection = connectionSample({
      baseUrl: workspace.baseUrl,
      apps: { state: 1, audit: 2, request: 3, jobLog: 4 },
      runner: { bin: process.execPath, binArgs: ["-e", TELLS, "--"], configPath, workDir },
    });
    await heard(
      api.settings.save({ revision: "none", settings: settingsSample({ connections: [connection] }) }),
    );
    for (const slot of ["state", "audit", "request", "jobLog", "runner/T_DEALS"]) {
      const view = viewIn(await heard(api.settings.setToken({ connectionId: "prod", slot, token: CANARY })));
      expect(view.tokens.find((token) => token.slot === slot)).toMatchObject({
        state: "set",
        ending: "WXYZ",
      });
    }
    for (const [connectionId, slot, token] of [
      ["prod", "state", `${CANARY} with blanks`],
      ["prod", "state", `${CANARY},${CANARY}`],
      ["prod", `runner/${CANARY.repeat(4)}`, CANARY],
      ["prod", "runner/OTHER", CANARY],
      ["gone", "state", CANARY],
    ] as const) {
      await heard(api.settings.setToken({ connectionId, slot, token }));
    }
    for await (const event of await api.settings.check({ connectionId: "prod" }))
      answers.push(JSON.stringify(event));
    const view = viewIn(await heard(api.settings.get({})));
    await heard(api.settings.save({ revision: "stale", settings: view.settings }));
    await heard(api.settings.saveRoles({ revision: "stale", roles: rolesSample() }));
    await heard(api.workspace.get({}));
    await heard(api.networks.list({}));

    expect(answers.length).toBeGreaterThan(30);
    expect(answers.filter((answer) => answer.includes(SECRET))).toEqual([]);
    expect(answers.join("\n")).toContain("TOKEN_UNKNOWN");
    const files = await filesIn(dataDir);
    const called = files.filter((file) => file.includes("called-"));
    expect(called.length).toBeGreaterThan(0);
    const holding: string[] = [];
    for (const file of files) {
      if ((await readFile(file)).includes(SECRET)) holding.push(file);
    }
    expect(holding).toEqual([join(dataDir, "secrets.json")]);
  });

  it("is gone from the disk once it is removed", async () => {
    for (const slot of ["state", "audit", "request", "jobLog", "runner/T_DEALS"]) {
      viewIn(await heard(api.settings.removeToken({ connectionId: "prod", slot })));
    }
    const files = await filesIn(dataDir);
    expect(files).not.toContain(join(dataDir, "secrets.json"));
  });
});

describe("which workspace is opened (decisions §1)", () => {
  it("refuses a connection without tokens, and a console stands in for it to look at only", async () => {
    await expect(openWorkspace({ dataDir, env: {} })).rejects.toMatchObject({
      problem: { code: "TOKEN_MISSING", place: "settings connections.prod" },
    });
    const standIn = await openWorkspace({ dataDir, env: {}, standIn: true });
    const opened = await standIn.settings?.view();
    await standIn.dispose();
    expect(standIn.kind).toBe("embedded");
    expect(opened).toMatchObject({
      session: { mode: "view", source: "fallback" },
      opened: { source: "fallback", problem: { code: "TOKEN_MISSING" } },
    });
  });

  it("lets variables win over the settings", async () => {
    const env = { KSQL_FLOWNET_BASE_URL: "https://example.test" };
    await expect(openWorkspace({ dataDir, env, standIn: true })).rejects.toMatchObject({
      problem: { code: "ENVIRONMENT_INCOMPLETE" },
    });
  });

  it("does not guess what settings that cannot be read would have said", async () => {
    await writeFile(join(dataDir, "settings.json"), "{");
    await expect(openWorkspace({ dataDir, env: {} })).rejects.toMatchObject({
      problem: { code: "SETTINGS_FILE_INVALID" },
    });
  });
});
