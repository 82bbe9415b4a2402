import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EnsuredKintone, ensureLocalKintone } from "../../../main/local-kintone/index.ts";
import { type CsvRow, csvRows, csvText } from "../../support/interop/csv.ts";
import { bareEnvironment, type ProgramEnd, startScript } from "../../support/interop/program.ts";
import { installPackage } from "../../support/npm-package.ts";

const COUNT = 10_000;
/** Every fiftieth record carries a file. */
const FILE_EVERY = 50;

const choices = (...labels: readonly string[]) =>
  Object.fromEntries(labels.map((label, index) => [label, { label, index: String(index) }]));

const FIELDS = {
  code: { type: "SINGLE_LINE_TEXT", unique: true, required: true },
  name: { type: "SINGLE_LINE_TEXT" },
  memo: { type: "MULTI_LINE_TEXT" },
  amount: { type: "NUMBER" },
  day: { type: "DATE" },
  at: { type: "DATETIME" },
  from: { type: "TIME" },
  kind: { type: "DROP_DOWN", options: choices("新規", "継続") },
  marks: { type: "CHECK_BOX", options: choices("急ぎ", "要確認", "済み") },
  site: { type: "LINK", protocol: "WEB" },
  files: { type: "FILE" },
  lines: {
    type: "SUBTABLE",
    fields: { item: { type: "SINGLE_LINE_TEXT" }, pieces: { type: "NUMBER" } },
  },
} as const;
const PLAIN = ["code", "name", "memo", "amount", "day", "at", "from", "kind", "marks", "site", "files"];

let folder = "";
let kintone: EnsuredKintone;
let cli = "";
const apps = new Map<string, { readonly id: string; readonly token: string }>();

beforeAll(async () => {
  cli = path.join((await installPackage({ name: "@kintone/cli", version: "1.19.2" })).path, "cli.js");
  folder = await mkdtemp(path.join(os.tmpdir(), "cli-kintone-"));
  const signal = new AbortController().signal;
  kintone = await ensureLocalKintone({ dataDir: folder, execPath: process.execPath, signal });
  for (const name of ["first", "second"]) {
    const made = await kintone.provisioner.createApps([{ name, code: name, fields: FIELDS }]);
    const id = made.get(name) ?? "";
    const rights = ["view", "add", "edit"] as const;
    const [token = ""] = await kintone.provisioner.createTokens([
      { appId: id, label: "cli", rights: [...rights] },
    ]);
    apps.set(name, { id, token });
  }
});
afterAll(async () => {
  await kintone.provisioner.stop();
  await kintone.release();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const at = (...parts: readonly string[]): string => path.join(folder, ...parts);

/** Runs the vendor's command on one app. */
function record(action: "import" | "export", app: string, args: readonly string[]): Promise<ProgramEnd> {
  const { id = "", token = "" } = apps.get(app) ?? {};
  const base = ["--base-url", kintone.baseUrl, "--api-token", token, "--app", id];
  return startScript(cli, ["record", action, ...base, ...args], bareEnvironment()).ended;
}

async function exported(app: string, args: readonly string[] = []): Promise<readonly CsvRow[]> {
  const end = await record("export", app, args);
  expect(end).toMatchObject({ exitCode: 0 });
  return csvRows(end.stdout);
}

async function countOf(app: string): Promise<number> {
  return (await exported(app, ["--fields", "code"])).length;
}

const codeOf = (n: number): string => `K${String(n).padStart(5, "0")}`;

/** A record with everything that a file of comma-separated values may trip over. */
function rowOf(n: number): CsvRow {
  const two = (value: number): string => String(value).padStart(2, "0");
  return {
    code: codeOf(n),
    name: n % 7 === 0 ? `"株式会社 ${n}", 本店` : `取引先${n}`,
    memo: n % 11 === 0 ? `一行目\n二行目 ${n}\n` : n % 5 === 0 ? "" : `メモ ${n}`,
    amount: n % 13 === 0 ? "" : n % 3 === 0 ? `-${n}.25` : String(n * 1000),
    day: n % 17 === 0 ? "" : `2026-${two((n % 12) + 1)}-${two((n % 28) + 1)}`,
    at: `2026-08-${two((n % 28) + 1)}T${two(n % 24)}:${two(n % 60)}:00Z`,
    from: `${two(n % 24)}:${two(n % 60)}`,
    kind: n % 2 === 0 ? "新規" : "継続",
    marks: n % 4 === 0 ? "急ぎ\n済み" : n % 4 === 1 ? "要確認" : "",
    site: `https://example.com/deals/${n}?q=%E6%A1%88`,
    files: n % FILE_EVERY === 0 ? `given/${n}.bin` : "",
  };
}

const rows = Array.from({ length: COUNT }, (_, index) => rowOf(index + 1));
const withFiles = rows.filter((row) => row.files !== "");
/** What a file column says depends on where the program put the file; the bytes are compared by themselves. */
const withoutFiles = (row: CsvRow): CsvRow =>
  Object.fromEntries(
    PLAIN.filter((column) => column !== "files").map((column) => [column, row[column] ?? ""]),
  );
const byCode = (list: readonly CsvRow[]): ReadonlyMap<string, CsvRow> =>
  new Map(list.map((row) => [row.code ?? "", row]));

async function expectSame(found: readonly CsvRow[], attachments: string): Promise<void> {
  expect(found.length).toBe(COUNT);
  const known = byCode(found);
  expect(rows.map((row) => withoutFiles(known.get(row.code ?? "") ?? {}))).toEqual(rows.map(withoutFiles));
  expect(found.filter((row) => row.files !== "").length).toBe(withFiles.length);
  for (const row of withFiles) {
    const kept = await readFile(path.join(attachments, known.get(row.code ?? "")?.files ?? ""));
    expect(kept.equals(await readFile(at("in", row.files ?? "")))).toBe(true);
  }
}

describe("@kintone/cli 1.19.2 on the local kintone (kintone-rest section 1)", () => {
  it("imports 10,000 records with 200 files and exports every value and byte of them", async () => {
    await mkdir(at("in", "given"), { recursive: true });
    // From nothing to more than one packet, and no length twice.
    for (const [index, row] of withFiles.entries()) {
      await writeFile(at("in", row.files ?? ""), randomBytes(index * 331));
    }
    await writeFile(at("in.csv"), csvText(PLAIN, rows));
    const put = ["--file-path", at("in.csv"), "--attachments-dir", at("in")];
    expect(await record("import", "first", put)).toMatchObject({ exitCode: 0 });
    const got = await exported("first", ["--attachments-dir", at("out")]);
    await expectSame(got, at("out"));

    // What was exported is imported again as it is, and nothing is lost on the way.
    await writeFile(at("again.csv"), csvText(PLAIN, got));
    const again = ["--file-path", at("again.csv"), "--attachments-dir", at("out")];
    expect(await record("import", "second", again)).toMatchObject({ exitCode: 0 });
    await expectSame(await exported("second", ["--attachments-dir", at("back")]), at("back"));
  });

  it("updates by key and adds what is not there, tables included", async () => {
    const changed = [1, 500, 9_999].map((n) => ({ code: codeOf(n), name: `変更 ${n}`, amount: String(-n) }));
    const added = [{ code: "NEW-1", name: "追加", amount: "1" }];
    await writeFile(at("keys.csv"), csvText(["code", "name", "amount"], [...changed, ...added]));
    const update = ["--file-path", at("keys.csv"), "--update-key", "code"];
    expect(await record("import", "first", update)).toMatchObject({ exitCode: 0 });
    const columns = ["--fields", "code,name,amount,kind"];
    const wanted = [...changed, ...added].map((row) => `"${row.code}"`).join(",");
    const now = byCode(await exported("first", [...columns, "--condition", `code in (${wanted})`]));
    for (const row of [...changed, ...added]) expect(now.get(row.code)).toMatchObject(row);
    // Columns the file does not name stay as they were.
    expect(now.get(codeOf(500))?.kind).toBe("新規");

    const table = [
      { "*": "*", code: codeOf(2), lines: "", item: "りんご", pieces: "3" },
      { "*": "", code: codeOf(2), lines: "", item: "みかん, 箱", pieces: "12" },
    ];
    await writeFile(at("table.csv"), csvText(["*", "code", "lines", "item", "pieces"], table));
    const put = ["--file-path", at("table.csv"), "--update-key", "code"];
    expect(await record("import", "first", put)).toMatchObject({ exitCode: 0 });
    const one = await exported("first", ["--condition", `code = "${codeOf(2)}"`]);
    expect(one.map(({ item, pieces }) => [item, pieces])).toEqual([
      ["りんご", "3"],
      ["みかん, 箱", "12"],
    ]);
  });

  it("exports and imports Shift_JIS", async () => {
    const condition = [
      "--condition",
      `code in ("${codeOf(7)}","${codeOf(11)}")`,
      "--fields",
      PLAIN.join(","),
    ];
    const plain = await exported("first", condition);
    const { id = "", token = "" } = apps.get("first") ?? {};
    const base = ["record", "export", "--base-url", kintone.baseUrl, "--api-token", token, "--app", id];
    const sjis = await startScript(cli, [...base, ...condition, "--encoding", "sjis"], bareEnvironment())
      .bytes;
    expect(csvRows(new TextDecoder("shift_jis", { fatal: true }).decode(sjis))).toEqual(plain);

    // "code","name" and K00003, 表示 in Shift_JIS: the second byte of 表 is a backslash.
    const bytes = Buffer.concat([
      Buffer.from('"code","name"\r\n"K00003","'),
      Buffer.from([0x95, 0x5c, 0x8e, 0xa6]),
      Buffer.from('"\r\n'),
    ]);
    await writeFile(at("sjis.csv"), bytes);
    const put = ["--file-path", at("sjis.csv"), "--update-key", "code", "--encoding", "sjis"];
    expect(await record("import", "first", put)).toMatchObject({ exitCode: 0 });
    const [now] = await exported("first", ["--condition", `code = "${codeOf(3)}"`]);
    expect(now?.name).toBe("表示");
  });

  it("says which row was refused, and keeps none of its request", async () => {
    const before = await countOf("first");
    const broken = Array.from({ length: 300 }, (_, index) => ({
      code: `ROW-${index + 1}`,
      amount: index === 149 ? "abc" : "1",
    }));
    await writeFile(at("broken.csv"), csvText(["code", "amount"], broken));
    const refused = await record("import", "first", ["--file-path", at("broken.csv")]);
    expect(refused.exitCode).toBe(1);
    // As the program counts: the heading is row 1.
    expect(refused.stderr).toContain("An error occurred on amount at row 151.");
    expect(await countOf("first")).toBe(before);

    const twice = [{ code: codeOf(1) }, { code: "ROW-X" }];
    await writeFile(at("twice.csv"), csvText(["code"], twice));
    const duplicate = await record("import", "first", ["--file-path", at("twice.csv")]);
    expect(duplicate.exitCode).toBe(1);
    expect(duplicate.stderr).toContain("CB_VA01");
    expect(await countOf("first")).toBe(before);
  });
});
