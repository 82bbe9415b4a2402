import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fillTheDisk } from "../../support/local-kintone/full-disk.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-kintone-full-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each(Array.from({ length: 20 }, (_, at) => 100 + at))(
  "keeps what it acknowledged when the disk fills at a random point, and nothing else (decisions §6), seed %i",
  async (seed) => {
    const report = await fillTheDisk(folder, seed);
    expect(report.wrongs).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(10);
    expect(report.refused).toBeGreaterThanOrEqual(30);
  },
);
