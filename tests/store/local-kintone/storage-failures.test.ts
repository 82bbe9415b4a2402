import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createLocalKintone,
  createProvisioner,
  ensureLocalKintone,
} from "../../../main/local-kintone/index.ts";
import { startControl } from "../../../main/local-kintone/process/control.ts";
import { createLeases } from "../../../main/local-kintone/process/leases.ts";
import { storageFailure } from "../../../main/local-kintone/storage/failures.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "local-kintone-storage-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FlowError) return error.problem;
    throw error;
  }
  throw new Error("it worked");
}

const ensure = () =>
  ensureLocalKintone({ dataDir, execPath: process.execPath, signal: AbortSignal.timeout(25_000) });

describe("what breaks under the embedded server (decisions §6)", () => {
  it.each([
    [13, "LOCAL_DISK_FULL"],
    [10, "LOCAL_DISK_FAILED"],
    [778, "LOCAL_DISK_FAILED"],
    [26, "LOCAL_DATABASE_DAMAGED"],
    [11, "LOCAL_DATABASE_DAMAGED"],
    [8, "LOCAL_FOLDER_NOT_WRITABLE"],
    [14, "LOCAL_FOLDER_NOT_WRITABLE"],
    [2067, null],
    ["ENOSPC", "LOCAL_DISK_FULL"],
    ["EACCES", "LOCAL_FOLDER_NOT_WRITABLE"],
    ["ECONNRESET", null],
  ])("has a stable code: %s is %s", (cause, code) => {
    const extra = typeof cause === "number" ? { errcode: cause } : { code: cause };
    expect(storageFailure(Object.assign(new Error("x"), extra))?.code ?? null).toBe(code);
  });

  it("is named with its file when the database is none", async () => {
    mkdirSync(join(dataDir, "kintone"));
    const file = join(dataDir, "kintone", "kintone.sqlite");
    writeFileSync(file, "no database at all\n".repeat(1_000));
    expect(await problemOf(ensure())).toMatchObject({
      code: "LOCAL_DATABASE_DAMAGED",
      place: file,
      remedy: expect.stringContaining("backup"),
    });
  });

  it("is named with its file when the log cannot be written", async () => {
    const log = join(dataDir, "log", "local-kintone.log");
    mkdirSync(log, { recursive: true });
    expect(await problemOf(ensure())).toMatchObject({
      code: "LOCAL_FOLDER_NOT_WRITABLE",
      place: log,
      remedy: expect.stringContaining("--data-dir"),
    });
  });

  it("reaches whoever sets the server up, with the data folder as its place", async () => {
    const kintone = createLocalKintone({
      databasePath: join(dataDir, "k.sqlite"),
      clock: { now: () => Date.now() },
      ids: { random: (bytes) => randomBytes(bytes) },
      maxPageCount: 80,
    });
    const token = "t".repeat(43);
    const control = await startControl({
      token,
      leases: createLeases(null, () => undefined),
      provision: kintone.provision,
      place: dataDir,
      status: () => ({ pid: 1, baseUrl: "http://localhost:1" }),
      stop: () => undefined,
    });
    try {
      const provisioner = createProvisioner(control.url, token);
      const fields = { note: { type: "MULTI_LINE_TEXT" } } as const;
      const appId = (await provisioner.createApps([{ name: "a", code: "A", fields }])).get("A") ?? "";
      const records = Array.from({ length: 400 }, () => ({ note: { value: "x".repeat(2_000) } }));
      expect(await problemOf(provisioner.insertRecords({ appId, records }))).toMatchObject({
        code: "LOCAL_DISK_FULL",
        place: dataDir,
        remedy: expect.stringContaining("Free space"),
      });
    } finally {
      await control.close();
      await kintone.dispose();
    }
  });
});
