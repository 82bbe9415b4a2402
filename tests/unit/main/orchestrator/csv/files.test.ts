import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readInputs } from "../../../../../main/orchestrator/csv/input-files.ts";
import { resolveIo } from "../../../../../main/orchestrator/csv/io-paths.ts";
import { type IoRoot, openIoRoot } from "../../../../../main/orchestrator/csv/io-root.ts";
import { prepareOutputs } from "../../../../../main/orchestrator/csv/output-files.ts";

let folder = "";
let root: IoRoot;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "io-files-"));
  await mkdir(path.join(folder, "io", "in", "day"), { recursive: true });
  await writeFile(path.join(folder, "io", "in", "day", "a.csv"), "x,y\n1,2\n");
  await mkdir(path.join(folder, "outside"));
  await writeFile(path.join(folder, "outside", "a.csv"), "secret");
  const opened = await openIoRoot({ dir: path.join(folder, "io"), retentionDays: null });
  if (!opened.ok) throw new Error(opened.error.message);
  root = opened.value;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...parts: readonly string[]): string => path.join(folder, "io", ...parts);
const facts = { businessKey: "k", profile: "p", runId: "r" };
const read = (inputs: Record<string, string>) =>
  readInputs(root, resolveIo({ id: "n", inputs, outputs: {} }, facts, root.dir).inputs);
const prepare = (outputs: Record<string, string>) =>
  prepareOutputs(root, resolveIo({ id: "n", inputs: {}, outputs }, facts, root.dir).outputs);

describe("input files (orchestration §8.2)", () => {
  it("are hashed in the order of their names, an empty one and one of many chunks too", async () => {
    const large = Buffer.alloc(700_001, "株,");
    await writeFile(at("in", "large.csv"), large);
    await writeFile(at("in", "empty.csv"), "");
    const files = await read({ c: "large.csv", b: "empty.csv", a: "day/a.csv" });
    const sha = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");
    expect(files).toEqual({
      ok: true,
      value: [
        { name: "a", path: at("in", "day", "a.csv"), sha256: sha("x,y\n1,2\n"), bytes: 8 },
        { name: "b", path: at("in", "empty.csv"), sha256: sha(""), bytes: 0 },
        { name: "c", path: at("in", "large.csv"), sha256: sha(large), bytes: large.length },
      ],
    });
  });

  const links: readonly [string, () => Promise<unknown> | unknown, string, string, string][] = [
    ["nothing there", () => undefined, "b.csv", "INPUT_FILE_MISSING", "in/b.csv"],
    ["no folder there", () => undefined, "night/a.csv", "INPUT_FILE_MISSING", "in/night/a.csv"],
    [
      "no input folder at all",
      () => rm(at("in"), { recursive: true }),
      "a.csv",
      "INPUT_FILE_MISSING",
      "in/a.csv",
    ],
    [
      "a link to a file",
      () => symlink(at("in", "day", "a.csv"), at("in", "l.csv")),
      "l.csv",
      "INPUT_PATH_REJECTED",
      "in/l.csv is a link",
    ],
    [
      "a link to nothing",
      () => symlink("absent", at("in", "l.csv")),
      "l.csv",
      "INPUT_PATH_REJECTED",
      "is a link",
    ],
    [
      "a link to a folder within",
      () => symlink("day", at("in", "d")),
      "d/a.csv",
      "INPUT_PATH_REJECTED",
      "in/d is a link",
    ],
    [
      "a link to a folder outside",
      () => symlink(path.join(folder, "outside"), at("in", "d")),
      "d/a.csv",
      "INPUT_PATH_REJECTED",
      "in/d is a link",
    ],
    [
      "an input folder that is a link",
      async () => {
        await rm(at("in"), { recursive: true });
        await symlink(path.join(folder, "outside"), at("in"));
      },
      "a.csv",
      "INPUT_PATH_REJECTED",
      "in is a link",
    ],
    ["a folder in the file's place", () => undefined, "day", "INPUT_PATH_REJECTED", "is a folder"],
    [
      "a file in a folder's place",
      () => undefined,
      "day/a.csv/b",
      "INPUT_PATH_REJECTED",
      "in/day/a.csv is no folder",
    ],
    [
      "a pipe in the file's place",
      () => execFileSync("mkfifo", [at("in", "pipe")]),
      "pipe",
      "INPUT_PATH_REJECTED",
      "no regular file",
    ],
    ["a name that is too long", () => undefined, "a".repeat(300), "INPUT_PATH_REJECTED", "ENAMETOOLONG"],
  ];
  it.each(links)("%s", async (_, make, pattern, code, words) => {
    await make();
    const found = await read({ a: pattern });
    expect(found).toMatchObject({
      ok: false,
      error: { code, message: expect.stringContaining(words), place: "input a" },
    });
    // The message is stored in a record; the folder of the host is not.
    if (!found.ok) expect(found.error.message).not.toContain(folder);
  });

  it("stop at the first that is refused", async () => {
    expect(await read({ a: "nowhere.csv", b: "day" })).toMatchObject({
      error: { code: "INPUT_FILE_MISSING" },
    });
  });
});

describe("places of output files (orchestration §8.3)", () => {
  it("get their folders one by one, and a file that stands there is left alone", async () => {
    expect(await prepare({ b: "deep/er/b.csv", a: "a.csv" })).toEqual({
      ok: true,
      value: [
        { name: "a", path: at("out", "a.csv") },
        { name: "b", path: at("out", "deep", "er", "b.csv") },
      ],
    });
    expect(readdirSync(at("out"), { recursive: true }).sort()).toEqual(["deep", path.join("deep", "er")]);
    await writeFile(at("out", "a.csv"), "old");
    expect(await prepare({ a: "a.csv" })).toMatchObject({ ok: true });
    expect(readFileSync(at("out", "a.csv"), "utf8")).toBe("old");
  });

  const out = (): Promise<string | undefined> => mkdir(at("out"), { recursive: true });
  const refused: readonly [string, () => Promise<unknown>, Record<string, string>, string][] = [
    [
      "an output folder that is a link",
      () => symlink(path.join(folder, "outside"), at("out")),
      { a: "new/a.csv" },
      "out is a link",
    ],
    [
      "a folder that is a link",
      async () => {
        await out();
        await symlink(path.join(folder, "outside"), at("out", "d"));
      },
      { a: "d/new/a.csv" },
      "out/d is a link",
    ],
    [
      "a file where a folder belongs",
      async () => {
        await out();
        await writeFile(at("out", "d"), "");
      },
      { a: "d/a.csv" },
      "out/d is no folder",
    ],
    [
      "a link in the file's place",
      async () => {
        await out();
        await symlink(path.join(folder, "outside", "a.csv"), at("out", "a.csv"));
      },
      { a: "a.csv" },
      "its place is a link",
    ],
    [
      "a folder in the file's place",
      () => mkdir(at("out", "a.csv"), { recursive: true }),
      { a: "a.csv" },
      "its place is a folder",
    ],
    ["two outputs in one place", out, { a: "x/{node_id}.csv", b: "x/n.csv" }, "another output"],
    ["a folder name that is too long", out, { a: `${"d".repeat(300)}/a.csv` }, "ENAMETOOLONG"],
  ];
  it.each(refused)(
    "%s: OUTPUT_PATH_REJECTED, and nothing is made elsewhere",
    async (_, make, outputs, words) => {
      await make();
      const prepared = await prepare(outputs);
      expect(prepared).toMatchObject({
        ok: false,
        error: { code: "OUTPUT_PATH_REJECTED", message: expect.stringContaining(words) },
      });
      if (!prepared.ok) expect(prepared.error.message).not.toContain(folder);
      expect(existsSync(path.join(folder, "outside", "new"))).toBe(false);
      expect(readFileSync(path.join(folder, "outside", "a.csv"), "utf8")).toBe("secret");
    },
  );
});
