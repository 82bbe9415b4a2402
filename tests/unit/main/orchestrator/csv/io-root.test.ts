import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openIoRoot } from "../../../../../main/orchestrator/csv/io-root.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "io-root-"));
  await mkdir(path.join(folder, "io"));
  await symlink(path.join(folder, "io"), path.join(folder, "link"));
  await writeFile(path.join(folder, "file"), "");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the IO root (orchestration §8.4)", () => {
  it.each([
    ["is not set", null, null, "IO_DIR_NOT_SET"],
    ["is empty", "", null, "IO_DIR_NOT_SET"],
    ["is relative", "io", null, "IO_DIR_UNUSABLE"],
    ["is not there", "/absent", null, "IO_DIR_UNUSABLE"],
    ["is a file", "/file", null, "IO_DIR_UNUSABLE"],
    ["is kept for 0 days", "/io", "0", "IO_RETENTION_INVALID"],
    ["is kept for 1.5 days", "/io", "1.5", "IO_RETENTION_INVALID"],
    ["is kept for -3 days", "/io", "-3", "IO_RETENTION_INVALID"],
    ["is kept for 90d", "/io", "90d", "IO_RETENTION_INVALID"],
  ])("that %s is refused with place and remedy", async (_, dir, retentionDays, code) => {
    const given = dir?.startsWith("/") ? `${folder}${dir}` : dir;
    const opened = await openIoRoot({ dir: given, retentionDays });
    expect(opened).toMatchObject({
      ok: false,
      error: { code, place: expect.stringMatching(/^environment /) },
    });
  });

  it("is kept for 90 days unless said otherwise, and may be a link itself", async () => {
    const dir = path.join(folder, "link");
    const realDir = await realpath(path.join(folder, "io"));
    expect(await openIoRoot({ dir, retentionDays: null })).toEqual({
      ok: true,
      value: { dir, realDir, retentionDays: 90 },
    });
    expect(await openIoRoot({ dir, retentionDays: "7" })).toMatchObject({ value: { retentionDays: 7 } });
  });
});
