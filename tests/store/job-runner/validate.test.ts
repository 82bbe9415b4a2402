import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture | null = null;
afterEach(async () => {
  await fixture?.dispose();
  fixture = null;
});
const opened = async (options?: Parameters<typeof startRunnerFixture>[0]): Promise<RunnerFixture> => {
  fixture = await startRunnerFixture(options);
  return fixture;
};
const config = ({ folder }: RunnerFixture) => ["--config", join(folder, "ksql.config.json")];

describe("validate (execution-contract §2.6)", () => {
  it("prints one line for each finding, form checks included, and exits 1 for an error", async () => {
    const one = await opened();
    const good = one.writeJob("SELECT COUNT(*) FROM LAPP_注文 WHERE 納期 = TODAY();", "good");
    const bad = one.writeJob("SELECT 1;\nSELECT COUNT(*) FROM LAPP_注文 WHERE 無い = 1;", "bad");
    const passed = await one.commandHere(["validate", "-f", good, ...config(one)]);
    expect(passed.code).toBe(0);
    expect(passed.stdout).toMatch(/^good\.sql: OK \(1 warnings\)\n {2}good\.sql:3:\d+ warning KSQL1306 /);
    const failed = await one.commandHere(["validate", "-f", bad, ...config(one)]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(
      /bad\.sql: NG \(1 errors, 0 warnings\)\n {2}bad\.sql:4:\d+ error ArgumentError /,
    );
    expect(await one.jobRecords()).toEqual([]);
  });

  it("tells a form that cannot be read as an error of the job", async () => {
    const one = await opened();
    one.writeConfig((profile) =>
      Object.assign(profile, { apps: { 注文: { id: 99, tokens: ["x"] } }, logApp: undefined }),
    );
    const job = one.writeJob("SELECT COUNT(*) FROM LAPP_注文;");
    const ended = await one.commandHere(["validate", "-f", job, ...config(one)]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("job.sql:1:1 error KSQL1201 The check could not be finished");
  });

  it.each([
    [["validate"], "-f"],
    [["validate", "-f", "none.sql"], "ENOENT"],
    [["validate-all"], "without a flag"],
    [["validate-all", "one", "two"], "two"],
    [["validate-all", "nowhere"], "ENOENT"],
    [["validate", "-f", "x.sql", "--json"], "--json"],
  ])("%j exits 1 naming %s", async (args, words) => {
    const one = await opened();
    const ended = await one.commandHere([...args, ...config(one)]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain(words);
  });
});

describe("validate-all (execution-contract §1.2, §2.6)", () => {
  const folderOf = (one: RunnerFixture, files: Readonly<Record<string, string>>): string => {
    const folder = join(one.folder, "jobs");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };

  it("checks every .sql file of a folder in the order of their names", async () => {
    const one = await opened();
    const folder = folderOf(one, {
      "b.sql": "-- @ksql depends_on: a\nSELECT 1;",
      "a.sql": "SELECT COUNT(*) FROM LAPP_無い;",
      "note.txt": "no job",
    });
    const ended = await one.commandHere(["validate-all", folder, ...config(one)]);
    expect(ended.code).toBe(1);
    const heads = ended.stdout.split("\n").filter((line) => !line.startsWith(" "));
    expect(heads).toEqual(["a.sql: NG (1 errors, 0 warnings)", "b.sql: OK", ""]);
  });

  it.each([
    ["two jobs of one name", { "a.sql": "-- @ksql name: x\nSELECT 1;", "x.sql": "SELECT 1;" }, 'the job "x"'],
    ["a missing dependency", { "a.sql": "-- @ksql depends_on: z\nSELECT 1;" }, "is not in the folder"],
    [
      "a dependency on a later job",
      { "a.sql": "-- @ksql depends_on: b\nSELECT 1;", "b.sql": "SELECT 1;" },
      "comes after it",
    ],
    ["no job", {}, "no .sql file"],
    ["the batch's reserved name", { "__batch__.sql": "SELECT 1;" }, "__batch__"],
  ])("refuses %s", async (_what, files, words) => {
    const one = await opened();
    const ended = await one.commandHere(["validate-all", folderOf(one, files), ...config(one)]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain(words);
  });
});

describe("validate --check-logapp (execution-contract §2.6, §6.1)", () => {
  it("finds nothing wrong with the log app as it should be", async () => {
    const one = await opened();
    const ended = await one.commandHere(["validate", "--check-logapp", ...config(one)]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe(`OK: the log app ${one.jobLogApp} fits\n`);
  });

  it("only informs about what older log apps lack", async () => {
    const one = await opened({
      withoutLogFields: ["deleted_count", "attempt_id"],
      withoutStatus: ["CANCELLED"],
    });
    const ended = await one.commandHere(["validate", "--check-logapp", ...config(one)]);
    expect(ended.code).toBe(0);
    const infos = ended.stdout.split("\n").filter((line) => line.includes("info:"));
    expect(infos).toHaveLength(3);
  });

  it("exits 1 for a missing field, another type, duplicates and other options", async () => {
    const one = await opened({ withoutLogFields: ["host"], withoutStatus: ["SKIPPED"] });
    const ended = await one.commandHere(["validate", "--check-logapp", ...config(one)]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("the field host is missing");
    expect(ended.stdout).toContain("the options of status differ: missing SKIPPED");
    one.writeConfig((profile) => Object.assign(profile, { logApp: "注文" }));
    expect((await one.commandHere(["validate", "--check-logapp", ...config(one)])).code).toBe(1);
  });

  it("exits 3 when the form cannot be read", async () => {
    const one = await opened();
    one.writeConfig((profile) => Object.assign(profile, { apps: { log: { id: 99, tokens: ["x"] } } }));
    const ended = await one.commandHere(["validate", "--check-logapp", ...config(one)]);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain("NG: kintone");
  });
});

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly login: string;
  readonly body: string;
}

/** The preview API of a domain that answers as told; the embedded server has no such part for users yet. */
async function previewServer(statuses: readonly string[], refuse = "") {
  const asked: Asked[] = [];
  const left = [...statuses];
  const server = createServer((message: IncomingMessage, to) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const url = message.url ?? "";
      const login = Buffer.from(String(message.headers["x-cybozu-authorization"]), "base64").toString();
      asked.push({ method: message.method ?? "", url, login, body: Buffer.concat(chunks).toString() });
      const refused = refuse !== "" && url.includes(refuse);
      to.writeHead(refused ? 403 : 200, { "content-type": "application/json" });
      if (refused) to.end(JSON.stringify({ code: "GAIA_NO01", id: "x", message: "no pass-word-1" }));
      else if (message.method === "GET")
        to.end(JSON.stringify({ apps: [{ app: "7", status: left.shift() }] }));
      else
        to.end(
          JSON.stringify(url.endsWith("preview/app.json") ? { app: "7", revision: "1" } : { revision: "2" }),
        );
    });
  });
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    asked,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

describe("init-logapp (execution-contract §2.6)", () => {
  const login = (profile: Record<string, unknown>): void => {
    Object.assign(profile, { auth: { type: "password", username: "admin", password: "pass-word-1" } });
  };

  it("makes the app, its fields with the unique job key, deploys it, and says what to configure", async () => {
    const one = await opened();
    const preview = await previewServer(["SUCCESS"]);
    one.writeConfig(login, preview.port);
    const ended = await one.commandHere(["init-logapp", "--name", "ログ2", ...config(one)]);
    await preview.close();
    expect(ended.code).toBe(0);
    expect(preview.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /k/v1/preview/app.json",
      "POST /k/v1/preview/app/form/fields.json",
      "POST /k/v1/preview/app/deploy.json",
      "GET /k/v1/preview/app/deploy.json?apps[0]=7",
    ]);
    expect(new Set(preview.asked.map(({ login: who }) => who))).toEqual(new Set(["admin:pass-word-1"]));
    expect(JSON.parse(preview.asked[0]?.body ?? "")).toEqual({ name: "ログ2" });
    const { app, properties } = JSON.parse(preview.asked[1]?.body ?? "");
    expect(app).toBe(7);
    expect(Object.keys(properties)).toHaveLength(28);
    expect(properties.job_key).toMatchObject({ type: "SINGLE_LINE_TEXT", code: "job_key", unique: true });
    expect(ended.stdout).toContain('"id": 7');
  });

  it("exits 3 for a refusal or a failed deploy, without the password", async () => {
    const one = await opened();
    for (const preview of [await previewServer([], "fields.json"), await previewServer(["FAIL"])]) {
      one.writeConfig(login, preview.port);
      const ended = await one.commandHere(["init-logapp", ...config(one)]);
      await preview.close();
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain("INIT_LOGAPP_FAILED");
      expect(ended.stderr).not.toContain("pass-word-1");
    }
  });

  it("exits 1 with API tokens and asks nothing", async () => {
    const one = await opened();
    const ended = await one.commandHere(["init-logapp", ...config(one)]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(one.arrivals).toEqual([]);
  });
});
