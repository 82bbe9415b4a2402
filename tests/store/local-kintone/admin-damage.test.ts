import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkStore } from "../../../main/local-kintone/admin/check.ts";
import { exportStore } from "../../../main/local-kintone/admin/export.ts";
import { importStore } from "../../../main/local-kintone/admin/import.ts";
import { linesOf } from "../../../main/local-kintone/admin/lines.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
let folder: string;
let database: string;
beforeEach(async () => {
  rig = await startRig();
  folder = mkdtempSync(join(tmpdir(), "local-kintone-damage-"));
  database = join(rig.folder, "kintone.sqlite");
  await rig.client.record.addRecord({ app: rig.app, record: keyed("秘密の値") });
});
afterEach(async () => {
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
type Line = readonly unknown[];

async function exported(): Promise<Buffer> {
  const target = join(folder, "export.gz");
  await exportStore({ source: database, target, withTokens: false, port: null, now: 0, signal });
  return readFileSync(target);
}

/** How the import of these bytes ends; nothing may be left of it unless it worked. */
async function importOf(bytes: Uint8Array): Promise<string> {
  const source = join(folder, "import.gz");
  writeFileSync(source, bytes);
  try {
    await importStore({ source, target: join(folder, "made.sqlite"), signal });
    return "it worked";
  } catch (error) {
    expect(readdirSync(folder).filter((name) => name.startsWith("made"))).toEqual([]);
    return error instanceof FlowError ? error.code : String(error);
  }
}

interface Head {
  readonly tables: { name: string; columns: string[] }[];
}

/** An export with changed contents whose counts and hash are right. */
function forged(original: Buffer, change: (head: Head, rows: readonly Line[]) => readonly Line[]): Buffer {
  const lines = gunzipSync(original).toString("utf8").trimEnd().split("\n").slice(0, -1);
  const [head, ...rows] = lines.map((line) => JSON.parse(line));
  const changed = change(head, rows);
  const text = [head, ...changed].map((line) => `${JSON.stringify(line)}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  return gzipSync(`${text}${JSON.stringify({ kind: "END", rows: changed.length, sha256 })}\n`);
}

const indexOf = (head: Head, table: string): number => head.tables.findIndex(({ name }) => name === table);
const setColumn =
  (table: string, column: string, value: unknown) =>
  (head: Head, rows: readonly Line[]): readonly Line[] => {
    const index = indexOf(head, table);
    const at = (head.tables[index]?.columns.indexOf(column) ?? -1) + 1;
    return rows.map((row) => (row[0] === index ? row.with(at, value) : row));
  };
const addTable =
  (name: string, columns: string[]) =>
  (head: Head, rows: readonly Line[]): readonly Line[] => {
    head.tables.push({ name, columns });
    return rows;
  };

describe("an export whose hash is right and whose contents are not (decisions §6)", () => {
  it.each<[string, (head: Head, rows: readonly Line[]) => readonly Line[]]>([
    ["a table of SQLite itself", addTable("sqlite_master", ["type", "name", "tbl_name", "rootpage", "sql"])],
    ["a table of its own", addTable("evil", ["a"])],
    ["an identity of another shape", (head, rows) => addTable("identity", ["a", "b", "c"])(head, rows)],
    ["a record that is no JSON", setColumn("records", "body", "nope")],
    ["a record that is no object", setColumn("records", "body", "5")],
    ["a record without its members", setColumn("records", "body", "{}")],
    ["an app without readable fields", setColumn("apps", "definitions", "nope")],
    ["a field code with a quote", setColumn("apps", "definitions", '[{"type":"NUMBER","code":"a\'b"}]')],
    ["an app with a text for a number", setColumn("apps", "revision", "nope")],
    ["no counter of ids", (head, rows) => rows.filter((row) => row[0] !== indexOf(head, "record_ids"))],
  ])("is refused whole: %s", async (_, change) => {
    expect(await importOf(forged(await exported(), change))).toBe("EXPORT_DAMAGED");
  });

  it("is refused at whatever byte it ends", async () => {
    const bytes = await exported();
    const ends = Array.from({ length: 40 }, (_, step) => Math.floor((step * bytes.length) / 40));
    for (const end of ends) expect(await importOf(bytes.subarray(0, end))).toBe("EXPORT_DAMAGED");
    expect(await importOf(Buffer.concat([bytes, bytes]))).toBe("EXPORT_DAMAGED");
    expect(await importOf(bytes)).toBe("it worked");
  });
});

describe("a check of rows that cannot be read (decisions §6)", () => {
  it.each([
    ["UPDATE records SET body = '秘密の値'", "record-body"],
    ["UPDATE apps SET definitions = '[{}]'", "app-row"],
    ["UPDATE apps SET revision = 'nope'", "app-row"],
    ["DELETE FROM record_ids", "record-counter"],
  ])("tells them instead of ending, and no value of a record: %s", (statement, rule) => {
    const handle = new DatabaseSync(database);
    handle.exec(statement);
    handle.close();
    const { findings } = checkStore(database);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
    expect(JSON.stringify(findings)).not.toContain("秘密");
  });
});

describe("the lines of an export", () => {
  const read = async (bytes: Uint8Array): Promise<readonly string[]> => {
    const source = join(folder, "lines.gz");
    writeFileSync(source, bytes);
    const lines: string[] = [];
    for await (const line of linesOf(source, signal)) lines.push(line);
    return lines;
  };

  it("come whole out of many chunks, with every character that a chunk parts", async () => {
    const long = randomBytes(300_000).toString("base64");
    const lines = ["", long, "短い", `${"長".repeat(100_000)}${long}`, "end"];
    expect(await read(gzipSync(`${lines.join("\n")}\n`))).toEqual(lines);
  });

  it("are refused when the last one is cut, or a byte is no text", async () => {
    await expect(read(gzipSync("a\nb"))).rejects.toThrow("its last line is cut");
    await expect(read(gzipSync(Buffer.from([0xff, 0x0a])))).rejects.toThrow("not valid");
    await expect(read(Buffer.from("no gzip"))).rejects.toThrow("incorrect header check");
  });
});
