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

it("loses no acknowledged write and damages nothing in twenty seeded kills under load (kintone-rest F29)", async () => {
  const signal = AbortSignal.timeout(280_000);
  const report = await killUnderLoad({ dataDir, seed: 20_260_901, rounds: 20, signal });
  expect(report.wrongs).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(400);
  // Kills that hit nothing would prove nothing.
  expect(report.unanswered).toBeGreaterThan(20);
}, 300_000);
