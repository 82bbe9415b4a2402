import { describe, expect, it } from "vitest";
import { ATTEMPT_ID_VARIABLE } from "../../../../main/attempt/index.ts";
import { systemBootId } from "../../../../main/process/index.ts";
import { ATTEMPT_TOKEN_VARIABLE } from "../../../../main/process/inspector/attempt-token.ts";
import { redactWords, splitCommandLine } from "../../../../main/process/inspector/redact.ts";
import {
  environmentBlock,
  impossibleVariable,
  windowsEnvironment,
} from "../../../../main/process/windows/environment-block.ts";
import { codeOfError } from "../../../../main/process/windows/error-codes.ts";
import { fileTimeToIso } from "../../../../main/process/windows/file-time.ts";
import { jobName } from "../../../../main/process/windows/job.ts";
import { lazyNative } from "../../../../main/process/windows/native.ts";
import { parseProcessTable } from "../../../../main/process/windows/process-table.ts";
import { commandLineFor, quoteArgument } from "../../../../main/process/windows/quote.ts";

describe("a command line of Windows (electron-desktop §4 C2)", () => {
  it.each([
    ["plain", "plain"],
    ["", '""'],
    ["a b", '"a b"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['back\\"slash', '"back\\\\\\"slash"'],
    ["C:\\dir\\", "C:\\dir\\"],
    ["C:\\a dir\\", '"C:\\a dir\\\\"'],
    ["%PATH%&^|", "%PATH%&^|"],
    ["tab\there", '"tab\there"'],
    ["受注 集計", '"受注 集計"'],
  ])("quotes %j as %j", (argument, quoted) => {
    expect(quoteArgument(argument)).toBe(quoted);
  });

  it("holds the program in quotes and every argument behind it", () => {
    expect(commandLineFor("C:\\Program Files\\node.exe", ["a b", "c"])).toBe(
      '"C:\\Program Files\\node.exe" "a b" c',
    );
  });
});

describe("the environment of a child on Windows", () => {
  it("adds what every program needs, without regard to case, and nothing else of ours", () => {
    const own = { SYSTEMROOT: "C:\\Windows", Path: "C:\\bin", TEMP: "C:\\t", SECRET: "x" };
    expect(windowsEnvironment({ temp: "D:\\t", A: "1", a: "2" }, own)).toEqual({
      SystemRoot: "C:\\Windows",
      temp: "D:\\t",
      a: "2",
    });
  });

  it("is sorted without regard to case, with a zero behind each line and one more at the end", () => {
    expect(environmentBlock({ b: "2", A: "1", C: "日" }).toString("utf16le")).toBe("A=1\0b=2\0C=日\0\0");
    expect(environmentBlock({}).toString("utf16le")).toBe("\0\0");
  });

  it.each([[{ "A=B": "1" }], [{ A: "1\0B=2" }], [{ "": "1" }]])("refuses %j", (env) => {
    expect(impossibleVariable(env)).not.toBeNull();
    expect(impossibleVariable({ A: "1=2" })).toBeNull();
  });
});

describe("the facts of Windows", () => {
  it("turns its times into instants", () => {
    expect(fileTimeToIso(116_444_736_000_000_000n)).toBe("1970-01-01T00:00:00.000Z");
    expect(fileTimeToIso(134_404_810_528_427_580n)).toBe("2026-11-30T02:57:32.842Z");
    expect(fileTimeToIso(0n)).toBeNull();
  });

  it("names errors as every other part does, and keeps the number of the rest", () => {
    expect(codeOfError(2n)).toBe("ENOENT");
    expect(codeOfError(32n)).toBe("EBUSY");
    expect(codeOfError(4_711n)).toBe("WINDOWS_4711");
  });

  it("names the job object of an attempt by what its journal knows", () => {
    const root = { pid: 7, processStart: "2026-11-30T02:57:32.842Z", image: null };
    expect(jobName(root)).toBe("Global\\FlowNetConsole-7-1796007452842");
    expect(jobName({ ...root, processStart: null })).toBeNull();
  });

  it("reads the table of processes, without those that have no thread any more", () => {
    const row = (pid: number, parent: number, threads: number, next: number): Buffer => {
      const bytes = Buffer.alloc(128);
      bytes.writeUInt32LE(next, 0);
      bytes.writeUInt32LE(threads, 4);
      bytes.writeBigInt64LE(5n, 32);
      bytes.writeUInt16LE(10, 56);
      bytes.writeBigUInt64LE(1_000n + 96n + (next === 0 ? 256n : 0n), 64);
      bytes.writeBigUInt64LE(BigInt(pid), 80);
      bytes.writeBigUInt64LE(BigInt(parent), 88);
      bytes.write("a.exe", 96, "utf16le");
      return bytes;
    };
    const table = Buffer.concat([row(8, 4, 1, 128), row(12, 8, 0, 128), row(16, 8, 2, 0)]);
    expect(parseProcessTable(table, 1_000n)).toEqual([
      { pid: 8, parentPid: 4, createdTicks: 5n, name: "a.exe" },
      { pid: 16, parentPid: 8, createdTicks: 5n, name: "a.exe" },
    ]);
  });

  it("are out of reach with the reason where the package cannot be loaded, and asked for once only", () => {
    let loads = 0;
    const load = lazyNative(() => {
      loads++;
      throw new Error("no such module");
    });
    expect(loads).toBe(0);
    expect(load()).toMatchObject({ kind: "unavailable", reason: expect.stringContaining("no such module") });
    expect(load()).toBe(load());
    expect(loads).toBe(1);
    expect(systemBootId("win32", load)).toBeNull();
  });
});

describe("a command line that is shown to people", () => {
  it.each([
    [["node", "run.js", "--token", "abc"], "node run.js --token ***"],
    [["x", "--api-key=abc", "PASSWORD=1"], "x --api-key=*** PASSWORD=***"],
    [["x", "--password", "--other"], "x --password --other"],
    [["x", "https://user:pw@host/p"], "x https://user:***@host/p"],
    [["x", "a".repeat(40)], "x ***"],
    [["x", "/jobs/2026/long-name-of-a-job.sql", "550e8400-e29b-41d4-a716-446655440000"], null],
  ])("hides what looks like a secret in %j", (words, shown) => {
    expect(redactWords(words)).toBe(shown ?? words.join(" "));
  });

  it("is split at blanks outside of quotes", () => {
    expect(splitCommandLine('"C:\\a b\\x.exe" --t "c d" e')).toEqual([
      '"C:\\a b\\x.exe"',
      "--t",
      '"c d"',
      "e",
    ]);
  });
});

describe("what a tree is found by", () => {
  it("is the variable the attempts set", () => {
    expect(ATTEMPT_TOKEN_VARIABLE).toBe(ATTEMPT_ID_VARIABLE);
  });

  it("and a boot by what Linux calls it", () => {
    expect(systemBootId("linux")).toMatch(/^[0-9a-f-]{36}$/);
    expect(systemBootId("linux", undefined, "/nonexistent")).toBeNull();
  });
});
