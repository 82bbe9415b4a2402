import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { executionResultSchema } from "../../../shared/contract/index.ts";
import { type RunnerFixture, startRunnerFixture } from "../../store/job-runner/fixture.ts";
import { RUNNER } from "../../store/job-runner/launch.ts";

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture();
});
afterEach(() => fixture.dispose());

/** Runs our runner where no file may grow beyond `kib` KiB; 0 KiB is a disk that takes nothing any more. */
async function runLimited(kib: number, sql: string, extra: readonly string[]): Promise<number | null> {
  const args = [
    ...[RUNNER, "run", "-f", sql, "--profile", "prod", "--as-of", "2026-04-01T01:00:00+09:00"],
    ...["--result-json", join(fixture.folder, "result.json"), "--correlation-id", "c", "--attempt-id", "a"],
    ...["--expected-job-id", "job", ...extra],
  ];
  const child = spawn("/bin/sh", ["-c", `ulimit -f ${kib * 2}; exec "$0" "$@"`, process.execPath, ...args], {
    cwd: fixture.folder,
    env: { PATH: process.env.PATH ?? "", ORDERS_TOKEN: fixture.token, LOG_TOKEN: fixture.logToken },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((done) => child.once("close", (code) => done(code)));
}

const leftovers = (): readonly string[] =>
  readdirSync(fixture.folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes(".tmp"));

describe("a disk without room (execution-contract §4.4, §5.5)", () => {
  it("no result appears in part, and the exit code still says how the job ended", async () => {
    const sql = fixture.writeJob("SELECT COUNT(*) FROM LAPP_注文;");
    const code = await runLimited(0, sql, []);
    expect(existsSync(join(fixture.folder, "result.json"))).toBe(false);
    expect(leftovers()).toEqual([]);
    expect([0, 3]).toContain(code);
    for (const { status } of await fixture.jobRecords()) expect(status).not.toBe("RUNNING");
  });

  it("an export that does not fit leaves the file of the last run as it was", async () => {
    const target = join(fixture.folder, "out.csv");
    writeFileSync(target, "of the last run\r\n");
    fixture.addOrders(
      Array.from({ length: 400 }, (_, index) => ({ 備考: { value: `${index} ${"x".repeat(100)}` } })),
    );
    const sql = fixture.writeJob("CREATE TEMP TABLE r AS SELECT 備考 FROM LAPP_注文; SELECT 1;");
    const code = await runLimited(16, sql, ["--export-csv", `r=${target}`]);
    const result = executionResultSchema.parse(
      JSON.parse(readFileSync(join(fixture.folder, "result.json"), "utf8")),
    );
    expect(code).toBe(3);
    expect(result).toMatchObject({ resultCode: "INTERNAL_ERROR", exitCode: 3, output_files: [] });
    expect(readFileSync(target, "utf8")).toBe("of the last run\r\n");
    expect(leftovers()).toEqual([]);
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", job_key: "" });
  });
});
