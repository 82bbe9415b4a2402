import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Arrival } from "../../../main/local-kintone/index.ts";
import { type RunnerFixture, startRunnerFixture } from "../../store/job-runner/fixture.ts";

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture({ delayMs: 25, rights: ["view", "add", "edit", "delete"] });
});
afterEach(() => fixture.dispose());

const ROWS = Array.from({ length: 260 }, (_, index) => `('k${index}', ${index})`).join(", ");
const JOB = `UPSERT INTO LAPP_注文 (注文番号, 金額) VALUES ${ROWS} KEY (注文番号);
ASSERT (SELECT COUNT(*) FROM LAPP_注文) = 260, 'counted';`;

const times = (arrivals: readonly Arrival[], method: string, end: string): number =>
  arrivals.filter((arrival) => arrival.method === method && arrival.path.endsWith(end)).length;

/** Where the process is killed, what it has then shown to kintone, and whether a lock is left. */
const PHASES: readonly (readonly [string, (arrivals: readonly Arrival[]) => boolean, boolean])[] = [
  ["reading the log form", (seen) => times(seen, "GET", "fields.json") >= 1, false],
  ["inserting the lock", (seen) => times(seen, "POST", "record.json") >= 1, true],
  ["writing the marker", (seen) => times(seen, "PUT", "record.json") >= 1, true],
  ["in the first chunk", (seen) => times(seen, "PUT", "records.json") >= 1, true],
  ["in the last chunk", (seen) => times(seen, "PUT", "records.json") >= 3, true],
  [
    "reading behind the writes",
    (seen) => seen.filter(({ path }) => path.endsWith("records.json")).length >= 5,
    true,
  ],
];

/** Everything the run left on disk beside what was put there for it. */
function written(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".sql") && entry.name !== "ksql.config.json")
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("a runner killed at once (execution-contract §7, §9)", () => {
  it.each(PHASES)(
    "%s: its lock can be seen and released, and the job converges",
    async (_, reached, locked) => {
      const sql = fixture.writeJob(JOB);
      const job = fixture.start(sql);
      await fixture.arrived(reached);
      job.child.kill("SIGKILL");
      expect((await job.ended).result).toBeNull();

      const where = ["--profile", "prod", "--config", join(fixture.folder, "ksql.config.json"), "--json"];
      const key = ["--job-key", "prod:job"];
      const seen = JSON.parse((await fixture.commandHere(["inspect-lock", ...key, ...where])).stdout);
      expect(seen.locked).toBe(locked);
      if (locked) {
        expect((await fixture.run(sql)).result).toMatchObject({ resultCode: "LOCK_CONFLICT", exitCode: 5 });
        const why = ["--reason", "killed", "--confirmed-by", "tester", "--evidence-ref", "file:///evidence"];
        const freed = await fixture.commandHere(["force-unlock-job", ...key, ...why, ...where]);
        expect(JSON.parse(freed.stdout)).toMatchObject({ outcome: "RELEASED" });
      }
      const again = await fixture.run(sql);
      expect(again.result).toMatchObject({ resultCode: "OK", writtenCount: 260 });
      const orders = await fixture.orders();
      expect(orders).toHaveLength(260);
      for (const path of written(fixture.folder)) {
        const text = readFileSync(path, "utf8");
        expect(text.includes(fixture.token) || text.includes(fixture.logToken), path).toBe(false);
      }
    },
  );
});
