import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbedded } from "../../../main/console/index.ts";
import { parseLockRecovery } from "../../../shared/contract/index.ts";
import { jobLogWrites } from "../../../shared/records/index.ts";
import { flownet, type Serving, serve, temporaryFolder } from "./support.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Holds the server for the whole file, and ends it after the last test. */
let holder: Serving;

beforeAll(async () => {
  folder = await temporaryFolder();
  holder = serve(["local-kintone", "--json", "--data-dir", folder.path]);
  expect(JSON.parse((await holder.nextLine()) ?? "null")).toMatchObject({ event: "listening" });
  await writeFile(join(folder.path, "good.sql"), "-- @ksql name: good\nASSERT 1 = 1, 'never';");
  await writeFile(join(folder.path, "bad.sql"), "-- @ksql name: bad\nASSERT 1 = 2, 'two';");
});
afterAll(async () => {
  await holder.stop();
  await folder.remove();
});

const here = (...args: readonly string[]) => flownet([...args, "--data-dir", folder.path]);
const file = (name: string): string => join(folder.path, name);

/** The lock of a job whose runner is gone. */
async function holdJobLock(job: string): Promise<void> {
  const workspace = await openEmbedded({ dataDir: folder.path, env: {} });
  const env = workspace.environment();
  const at = "2026-09-01T00:00:00Z";
  const record = jobLogWrites.encodeInsert({
    ...{
      jobKey: `${workspace.profile}:${job}`,
      batchId: "batch_1",
      parentBatchId: null,
      scriptName: "held.sql",
    },
    ...{ profile: workspace.profile, asOf: at, startedAt: at, executedBy: "u", host: "HOST-A", gitRef: "" },
    ...{ ksqlVersion: "v", correlation: null },
  });
  const answer = await fetch(`${workspace.baseUrl}/k/v1/record.json`, {
    method: "POST",
    headers: { "X-Cybozu-API-Token": env.FLOWNET_TOKEN_JOB_LOG ?? "", "Content-Type": "application/json" },
    body: JSON.stringify({ app: env.KSQL_FLOW_LOG_APP_ID, record }),
  });
  await workspace.dispose();
  expect(answer.status).toBe(200);
}

describe("flownet job, with the workspace's own runner", () => {
  it("validates and runs a job by hand, and exits as the runner does (execution-contract §3)", async () => {
    const [valid, run, failed] = await Promise.all([
      here("job", "validate", file("good.sql")),
      here("job", "run", file("good.sql"), "--dry-run", "--json"),
      here("job", "run", file("bad.sql")),
    ]);
    expect(valid).toEqual({ code: 0, stdout: "good.sql: OK\n", stderr: "" });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ kind: "DRY_RUN", status: "SUCCESS" });
    expect(failed.code).toBe(2);
    expect(failed.stderr).toContain("ASSERT_FAILED");
  });

  it("inspects and forces a job lock, and keeps the answer for record-job-unlock", async () => {
    const free = await here("job", "inspect-lock", "good");
    expect(free.code).toBe(0);
    expect(free.stdout).toMatch(/^[^:]+:good: free\n$/);
    const evidence = ["--reason", "crashed", "--confirmed-by", "Sato", "--evidence-ref", "file:///e/1.txt"];
    const kept = file("unlock.json");
    const unlocked = await here("job", "force-unlock", "good", ...evidence, "--result-file", kept);
    expect(unlocked.code).toBe(0);
    expect(unlocked.stdout).toContain("NOT_FOUND");
    const result = parseLockRecovery(JSON.parse(await readFile(kept, "utf8")));
    expect(result).toMatchObject({ ok: true, value: { outcome: "NOT_FOUND" } });
    const missing = await here("job", "force-unlock", "good");
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain("--reason");
  });

  it("shows what a forced release would do, does it on the lock that was seen, and on no other", async () => {
    await holdJobLock("held");
    const evidence = ["--reason", "crashed", "--confirmed-by", "Sato", "--evidence-ref", "file:///e/1.txt"];
    const force = (...more: readonly string[]) => here("job", "force-unlock", "held", ...evidence, ...more);
    const [text, kept] = await Promise.all([force("--dry-run"), force("--dry-run", "--json")]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toContain("JOB_UNLOCK of job local:held (danger L4)");
    expect(text.stdout).toContain("Possible now. Nothing was written.");
    expect(JSON.parse(kept.stdout)).toMatchObject({ operation: "JOB_UNLOCK", available: true });
    await writeFile(file("plan.json"), kept.stdout);
    const released = await force("--seen", file("plan.json"));
    expect(released).toMatchObject({ code: 0, stdout: expect.stringContaining("RELEASED: local:held") });
    const moved = await force("--seen", file("plan.json"));
    expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining("PLAN_STALE") });
    const free = await force("--dry-run");
    expect(free).toMatchObject({ code: 0, stdout: expect.stringContaining("[JOB_LOCK_FREE]") });
  });

  it("explains a job from files alone", async () => {
    const config = file("explain.json");
    const profile = { baseUrl: "https://example.invalid", apps: { 注文: { id: 5, tokens: ["env:NONE"] } } };
    await writeFile(config, JSON.stringify({ defaultProfile: "p", profiles: { p: profile } }));
    await writeFile(file("read.sql"), "SELECT COUNT(*) FROM LAPP_注文;");
    const text = await here("job", "explain", file("read.sql"), "--config", config);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toContain("reads LAPP_注文 (app 5)");
    const broken = await here("job", "explain", file("read.sql"), "--config", file("none.json"), "--json");
    expect([broken.code, broken.stdout]).toEqual([1, ""]);
    expect(broken.stderr).toContain("CONFIG_ERROR");
  });
});
