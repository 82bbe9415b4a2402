import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalKintone } from "../../../main/local-kintone/index.ts";
import { MIGRATIONS, type Migration } from "../../../main/local-kintone/storage/migrations/index.ts";
import { CURRENT_LAYOUT, installSchema, layoutOf } from "../../../main/local-kintone/storage/schema.ts";
import { FIELDS, keyed, systemClock, systemIds } from "./support.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "local-kintone-migrations-"));
  file = join(folder, "kintone.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): ReturnType<typeof createLocalKintone> =>
  createLocalKintone({ databasePath: file, clock: systemClock, ids: systemIds, synchronous: "NORMAL" });

/** A whole store with one record, closed. */
async function storeWithOneRecord(): Promise<void> {
  const server = open();
  const app = server.provision.createApp({ name: "状態", code: "S", fields: FIELDS });
  server.provision.insertRecords(app, [keyed("R1:一")]);
  await server.dispose();
}

function on<T>(path: string, work: (handle: DatabaseSync) => T): T {
  const handle = new DatabaseSync(path);
  try {
    return work(handle);
  } finally {
    handle.close();
  }
}

const step = (statements: string): Migration => ({
  layout: CURRENT_LAYOUT + 1,
  name: "further",
  statements,
});
const rows = (handle: DatabaseSync): unknown => handle.prepare("SELECT key, body FROM records").all();

describe("layout steps (kintone-rest §0, local store)", () => {
  it("are numbered without gaps from 1", () => {
    expect(MIGRATIONS.map(({ layout }) => layout)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it("take every older layout forward with its records", async () => {
    await storeWithOneRecord();
    const before = on(file, rows);
    on(file, (handle) => {
      installSchema(handle, file, { steps: [...MIGRATIONS, step("CREATE TABLE further (one INTEGER);")] });
      expect(layoutOf(handle)).toBe(CURRENT_LAYOUT + 1);
      expect(handle.prepare("SELECT count(*) AS n FROM further").get()?.n).toBe(0);
      expect(rows(handle)).toEqual(before);
    });
  });

  it("write a copy of the older file first, for its owner alone, and keep the first such copy", async () => {
    await storeWithOneRecord();
    const before = on(file, rows);
    const copy = `${file}.layout-${CURRENT_LAYOUT}.bak`;
    on(file, (handle) =>
      installSchema(handle, file, { steps: [...MIGRATIONS, step("CREATE TABLE further (one);")] }),
    );
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    on(copy, (handle) => {
      expect(layoutOf(handle)).toBe(CURRENT_LAYOUT);
      expect(rows(handle)).toEqual(before);
    });
    const bytes = readFileSync(copy);
    on(file, (handle) => {
      handle.exec(`PRAGMA user_version = ${CURRENT_LAYOUT}`);
      installSchema(handle, file, { steps: [...MIGRATIONS, step("CREATE TABLE another (one);")] });
    });
    expect(readFileSync(copy).equals(bytes)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("leave the file at its old layout when one of them fails, also when an earlier one of the same run did not", async () => {
    await storeWithOneRecord();
    const good = step("CREATE TABLE further (one INTEGER);");
    const bad: Migration = {
      layout: CURRENT_LAYOUT + 2,
      name: "broken",
      statements: "CREATE TABLE half (one INTEGER); INSERT INTO nowhere VALUES (1);",
    };
    on(file, (handle) => {
      const before = rows(handle);
      expect(() => installSchema(handle, file, { steps: [...MIGRATIONS, good, bad] })).toThrow("nowhere");
      expect(layoutOf(handle)).toBe(CURRENT_LAYOUT);
      const tables = handle.prepare("SELECT name FROM sqlite_schema WHERE name IN ('further', 'half')").all();
      expect(tables).toEqual([]);
      expect(rows(handle)).toEqual(before);
    });
  });
});

describe("a store of a newer program", () => {
  it("is refused with LAYOUT_NEWER; its bytes, its time and its neighbours stay", async () => {
    await storeWithOneRecord();
    on(file, (handle) => handle.exec(`PRAGMA user_version = ${CURRENT_LAYOUT + 1}`));
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    chmodSync(file, 0o640);
    const bytes = readFileSync(file);
    const neighbours = readdirSync(folder);
    expect(open).toThrow("the file was not touched");
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(statSync(file).mtimeMs).toBe(1_700_000_000_000);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(neighbours);
  });

  it("is refused as well when its number stands in the log of a program that died", async () => {
    await storeWithOneRecord();
    const dead = `${folder}/dead`;
    // Copied while open: what a crash leaves behind.
    on(file, (handle) => {
      handle.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = ${CURRENT_LAYOUT + 1}`);
      for (const suffix of ["", "-wal"]) copyFileSync(`${file}${suffix}`, `${dead}${suffix}`);
    });
    const bytes = [readFileSync(dead), readFileSync(`${dead}-wal`)];
    expect(() => createLocalKintone({ databasePath: dead, clock: systemClock, ids: systemIds })).toThrow(
      "the file was not touched",
    );
    expect(readFileSync(dead).equals(bytes[0] ?? Buffer.alloc(0))).toBe(true);
    expect(existsSync(`${dead}-wal`)).toBe(true);
    expect(readFileSync(`${dead}-wal`).equals(bytes[1] ?? Buffer.alloc(0))).toBe(true);
  });
});
