import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseLockRecovery } from "../../../shared/contract/index.ts";
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
