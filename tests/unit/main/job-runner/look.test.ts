import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJobReader } from "../../../../main/job-runner/index.ts";
import { targetsOf } from "../../../../main/job-runner/look/targets.ts";
import { getCountedRecords, write } from "../../../../main/kintone-client/index.ts";

const APPS = [
  { name: "案件", appId: 7 },
  { name: "月次集計", appId: 8 },
];
const HEAD = "-- @ksql name: t\n-- @ksql dialect: 1\n";

describe("the apps a job writes to (job-dialect §2.3)", () => {
  it("names each once with what is done to it, by which key and with which fields", () => {
    const script = `${HEAD}INSERT INTO LAPP_月次集計 (月, 件数) SELECT 月, COUNT(*) FROM LAPP_案件 GROUP BY 月;
UPDATE LAPP_案件 SET 状態 = '済' WHERE 月 = '9';
DELETE FROM LAPP_案件 WHERE 月 = '8';`;
    expect(targetsOf(script, APPS)).toEqual({
      ok: true,
      value: [
        { app: "月次集計", appId: 8, operations: ["INSERT"], fields: ["月", "件数"], key: null },
        { app: "案件", appId: 7, operations: ["UPDATE", "DELETE"], fields: ["状態"], key: null },
      ],
    });
  });

  it("is empty for a job that only reads", () => {
    expect(targetsOf(`${HEAD}SELECT COUNT(*) AS n FROM LAPP_案件;`, APPS)).toEqual({ ok: true, value: [] });
  });

  it.each([
    ["a broken statement", "INSERT INTO"],
    ["an app that is not configured", "INSERT INTO LAPP_無い (a) VALUES (1);"],
  ])("is no list for %s: a short one would be taken for a whole one", (_name, script) => {
    expect(targetsOf(HEAD + script, APPS)).toMatchObject({
      ok: false,
      error: { code: "JOB_SCRIPT_UNREADABLE" },
    });
  });
});

describe("looking through the runner's configuration", () => {
  it("refuses whatever is no read before anything is sent", async () => {
    const folder = await mkdtemp(join(tmpdir(), "job-reader-"));
    const configPath = join(folder, "ksql.config.json");
    const apps = { 案件: { id: 7, tokens: ["env:TOKEN"] } };
    // Nobody listens there: a request that was sent would be told as unreachable.
    const profile = {
      baseUrl: "http://localhost:9",
      timezone: "Asia/Tokyo",
      auth: { type: "apiToken" },
      apps,
    };
    await writeFile(configPath, JSON.stringify({ profiles: { p: profile } }));
    const sent: unknown[] = [];
    const sending = (...told: readonly unknown[]): void => void sent.push(told);
    const opened = openJobReader({ configPath, profile: "p", environment: { TOKEN: "t" }, sending });
    if (!opened.ok) throw new Error(opened.error.message);
    const change = write({ kind: "updateRecord", app: 7, entry: { id: "1", record: {} } });
    await expect(opened.value.read(change, "change")).rejects.toMatchObject({
      problem: { code: "NOT_A_READ" },
    });
    expect(sent).toEqual([]);
    const read = opened.value.read(getCountedRecords(7, "limit 1", ["$id"]), "look");
    await expect(read).rejects.toMatchObject({ problem: { code: "STORE_UNREACHABLE" } });
    expect(sent).toContainEqual(["http://localhost:9", [7]]);
    await opened.value.dispose();
    await rm(folder, { recursive: true, force: true });
  });
});
