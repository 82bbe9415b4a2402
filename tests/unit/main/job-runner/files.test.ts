import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ParsedArguments, parseArguments } from "../../../../main/job-runner/cli/arguments.ts";
import { COMMAND_FLAGS } from "../../../../main/job-runner/cli/commands.ts";
import { exportPlan, importRequests } from "../../../../main/job-runner/cli/file-arguments.ts";
import { RunFailure } from "../../../../main/job-runner/run/failure.ts";
import { commitExports } from "../../../../main/job-runner/run/result-outputs.ts";
import { createImportSources, IMPORT_BYTES_MAX } from "../../../../main/job-runner/sources/import-sources.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flownet-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const parsed = (args: readonly string[]): ParsedArguments => {
  const result = parseArguments(args, COMMAND_FLAGS.run ?? {});
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const HASH = "A".repeat(64);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const codeFrom = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof RunFailure) return `${error.resultCode} ${error.code}`;
    throw error;
  }
  return "nothing thrown";
};

describe("import arguments (execution-contract §4.3)", () => {
  it("split at the first =, keep case, lower the hash", () => {
    const args = parsed([
      ...["--import-csv", "価格=/in/a=b.csv", "--import-json=P=/in/p.json"],
      ...["--expected-import-sha256", `価格=${HASH}`, "--expected-import-sha256", `P=${HASH}`],
    ]);
    expect(importRequests(args, true)).toEqual({
      ok: true,
      value: [
        { name: "価格", kind: "CSV", path: "/in/a=b.csv", sha256: HASH.toLowerCase() },
        { name: "P", kind: "JSON", path: "/in/p.json", sha256: HASH.toLowerCase() },
      ],
    });
  });

  it.each([
    ["no name", ["--import-csv", "/in/a.csv"]],
    ["an empty name", ["--import-csv", "=/in/a.csv"]],
    ["a control character", ["--import-csv", "a\u0001=/in/a.csv"]],
    ["a relative path", ["--import-csv", "a=in/a.csv"]],
    ["a NUL in the path", ["--import-csv", "a=/in/\0"]],
    ["one name twice", ["--import-csv", "a=/in/a.csv", "--import-json", "a=/in/b.json"]],
    ["a short hash", ["--import-csv", "a=/in/a.csv", "--expected-import-sha256", "a=12"]],
    ["two hashes", ["--expected-import-sha256", `a=${HASH}`, "--expected-import-sha256", `a=${HASH}`]],
    ["a hash of nothing", ["--expected-import-sha256", `a=${HASH}`]],
    ["no hash with an orchestrator", ["--import-csv", "a=/in/a.csv"]],
  ])("refuse %s", (_what, args) => {
    expect(importRequests(parsed(args), true)).toMatchObject({ ok: false, error: { code: "CONFIG_ERROR" } });
  });

  it("need no hash without an orchestrator", () => {
    expect(importRequests(parsed(["--import-csv", "a=/in/a.csv"]), false).ok).toBe(true);
  });
});

describe("export arguments (execution-contract §4.4)", () => {
  it("are absent, named or one unnamed", () => {
    expect(exportPlan(parsed([]), "/w")).toEqual({ ok: true, value: null });
    const unnamed = exportPlan(parsed(["--export-csv", "out.csv", "--export-encoding", "sjis"]), "/w");
    expect(unnamed).toMatchObject({
      ok: true,
      value: { encoding: "sjis", files: [{ name: "select", named: false }] },
    });
    const two = ["--export-csv", "a=/o/a.csv", "--export-csv", "b=/o/b.csv"];
    expect(exportPlan(parsed(two), "/w")).toMatchObject({ ok: true, value: { encoding: "utf8" } });
  });

  it.each([
    ["a second unnamed one", ["--export-csv", "/o/a.csv", "--export-csv", "/o/b.csv"]],
    ["named beside unnamed", ["--export-csv", "/o/a.csv", "--export-csv", "b=/o/b.csv"]],
    ["one name twice", ["--export-csv", "a=/o/a.csv", "--export-csv", "a=/o/b.csv"]],
    ["one target twice", ["--export-csv", "a=/o/a.csv", "--export-csv", "b=/o/./a.csv"]],
    ["the result file", ["--export-csv", "a=/o/r.json", "--result-json", "/o/r.json"]],
    ["stdout", ["--export-csv", "a=-"]],
    ["a name with #", ["--export-csv", "#a=/o/a.csv"]],
    ["an empty name", ["--export-csv", "=/o/a.csv"]],
    ["a dry run", ["--export-csv", "a=/o/a.csv", "--dry-run"]],
    ["another encoding", ["--export-csv", "a=/o/a.csv", "--export-encoding", "utf16"]],
    ["no time zone", ["--export-csv", "a=/o/a.csv", "--export-timezone", "Nowhere/Else"]],
    ["an encoding alone", ["--export-encoding", "utf8"]],
    ["a zone alone", ["--export-timezone", "Asia/Tokyo"]],
  ])("refuse %s", (_what, args) => {
    expect(exportPlan(parsed(args), "/w")).toMatchObject({ ok: false, error: { code: "CONFIG_ERROR" } });
  });

  it("compare targets without case on Windows only", () => {
    const args = parsed(["--export-csv", "a=/o/A.csv", "--export-csv", "b=/o/a.csv"]);
    expect(exportPlan(args, "/w", true).ok).toBe(false);
    expect(exportPlan(args, "/w", false).ok).toBe(true);
  });
});

describe("import sources (execution-contract §4.3, §5.4)", () => {
  const request = (name: string, text: string | null, sha256: string | null = null) => {
    const path = join(folder, `${name}.csv`);
    if (text !== null) writeFileSync(path, text);
    return { name, kind: "CSV" as const, path, sha256 };
  };
  const needs = (name: string, kind: "CSV" | "JSON" = "CSV") => [{ name, kind }];

  it("reads the used ones once, warns of the others, and gives receipts by name", () => {
    const sources = createImportSources([request("b", "x\r\n1\r\n"), request("a", "y"), request("c", "z")]);
    expect(sources.check([...needs("b"), ...needs("a"), ...needs("b")])).toEqual([
      expect.stringContaining('"c"'),
    ]);
    sources.load();
    expect(Buffer.from(sources.bytesOf("a")).toString()).toBe("y");
    sources.decoded("b", 1, "UTF8");
    sources.decoded("b", 1, "UTF8");
    sources.decoded("b", 1, "SJIS");
    expect(sources.receipts()).toEqual([
      { name: "a", sha256: hashOf("y"), bytes: 1 },
      { name: "b", sha256: hashOf("x\r\n1\r\n"), bytes: 6, rows: 1, encoding: "UTF8" },
      { name: "b", sha256: hashOf("x\r\n1\r\n"), bytes: 6, rows: 1, encoding: "SJIS" },
    ]);
  });

  it("refuses what is not supplied, exactly by name and kind", () => {
    const sources = createImportSources([request("a", "y")]);
    const code = "VALIDATION_ERROR ImportSourceNotSuppliedError";
    expect(codeFrom(() => sources.check(needs("A")))).toBe(code);
    expect(codeFrom(() => sources.check(needs("a", "JSON")))).toBe(code);
    expect(codeFrom(() => sources.bytesOf("a"))).toBe(code);
  });

  it("refuses a changed file, a missing one, a link, a folder and one that is too long", () => {
    const load = (source: ReturnType<typeof request>) => () => {
      const sources = createImportSources([source]);
      sources.check(needs(source.name));
      sources.load();
    };
    expect(codeFrom(load(request("a", "y", hashOf("x"))))).toBe("INPUT_FILE_MUTATED INPUT_FILE_MUTATED");
    expect(codeFrom(load(request("a", "y", hashOf("y"))))).toBe("nothing thrown");
    expect(codeFrom(load(request("none", null)))).toBe("VALIDATION_ERROR ImportSourceReadError");
    symlinkSync(join(folder, "a.csv"), join(folder, "link.csv"));
    mkdirSync(join(folder, "dir.csv"));
    const irregular = "VALIDATION_ERROR ImportSourceNotRegularFileError";
    expect(codeFrom(load(request("link", null)))).toBe(irregular);
    expect(codeFrom(load(request("dir", null)))).toBe(irregular);
    writeFileSync(join(folder, "long.csv"), Buffer.alloc(IMPORT_BYTES_MAX + 1));
    expect(codeFrom(load(request("long", null)))).toBe("VALIDATION_ERROR ImportSourceTooLargeError");
    writeFileSync(join(folder, "full.csv"), Buffer.alloc(IMPORT_BYTES_MAX));
    expect(codeFrom(load(request("full", null)))).toBe("nothing thrown");
  });
});

describe("export files (execution-contract §4.4)", () => {
  const content = (name: string, target: string) => ({
    name,
    target,
    bytes: Buffer.from("a\r\n1\r\n"),
    rows: 1,
    encoding: "utf8" as const,
  });

  it("replace their targets whole and leave nothing beside them", () => {
    const target = join(folder, "out.csv");
    writeFileSync(target, "old");
    expect(commitExports([content("t", target)])).toEqual([
      { name: "t", sha256: hashOf("a\r\n1\r\n"), bytes: 6, rows: 1, encoding: "utf8" },
    ]);
    expect(readFileSync(target, "utf8")).toBe("a\r\n1\r\n");
    expect(readdirSync(folder)).toEqual(["out.csv"]);
  });

  it("end INTERNAL_ERROR when one cannot be put in place; the earlier ones stay", () => {
    const first = join(folder, "first.csv");
    const work = () => commitExports([content("a", first), content("b", join(folder, "none", "b.csv"))]);
    expect(work).toThrow("CSV output file commit failed (ENOENT)");
    expect(codeFrom(work)).toBe("INTERNAL_ERROR INTERNAL_ERROR");
    expect(readFileSync(first, "utf8")).toBe("a\r\n1\r\n");
  });
});
