import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { killUnderLoad } from "../../support/local-kintone/kills.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "local-kintone-kills-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

// Ten stores with twenty kills each: a store that only grows would make the later rounds ever slower.
it.each(Array.from({ length: 10 }, (_, at) => 7_000 + 1_000 * at))(
  "loses no acknowledged write in twenty kills under load (kintone-rest F29), seed %i",
  async (seed) => {
    const signal = AbortSignal.timeout(1_200_000);
    const report = await killUnderLoad({ dataDir, seed, rounds: 20, signal });
    expect(report.wrongs).toEqual([]);
    expect(report.unanswered).toBeGreaterThan(20);
  },
);
