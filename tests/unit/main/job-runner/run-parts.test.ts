import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DialectError } from "../../../../main/job-runner/dialect/diagnostic.ts";
import { RunFailure, verdictOf } from "../../../../main/job-runner/run/failure.ts";
import { gitRef, hostLabel } from "../../../../main/job-runner/run/host.ts";
import { isStaleLock } from "../../../../main/job-runner/run/job-lock.ts";
import { fitDetail } from "../../../../main/job-runner/run/log-detail.ts";
import { createMask, stripLiterals } from "../../../../main/job-runner/run/masking.ts";
import { NOTHING_WRITTEN } from "../../../../main/job-runner/run/progress.ts";
import { buildResult, resultError } from "../../../../main/job-runner/run/result.ts";
import { writeResultFile } from "../../../../main/job-runner/run/result-file.ts";
import {
  executionResultSchema,
  isKnownResultCode,
  parseConfig,
  RESULT_CODES,
  resolveProfile,
  resultCodeRequirements,
} from "../../../../shared/contract/index.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flownet-parts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plain = (text: string): string => text;

describe("result (execution-contract §5)", () => {
  const facts = {
    executionId: "e",
    jobId: "j",
    profile: "p",
    asOf: "2026-04-01T00:00:00Z",
    finishedMs: Date.parse("2026-04-01T00:00:05.500Z"),
    written: NOTHING_WRITTEN,
    inputFiles: [],
    outputFiles: [],
    readCount: 3,
    apiCalls: 4,
  };
  const ids = { correlationId: "c", attemptId: "a" };

  it.each(RESULT_CODES.flatMap((code) => [true, false].map((started) => [code, started] as const)))(
    "%s with started %s is what the schema demands, or is not allowed to exist",
    (code, started) => {
      const rule = resultCodeRequirements(code);
      if (rule === null || !isKnownResultCode(code)) throw new Error(code);
      const error = rule.category === null ? null : { code: "X", message: "why" };
      const startedMs = started ? Date.parse("2026-04-01T00:00:01Z") : null;
      const result = buildResult({ resultCode: code, error }, { ...facts, startedMs }, ids, plain);
      const allowed = rule.executionStarted === null || rule.executionStarted === started;
      expect(executionResultSchema.safeParse(result).success).toBe(allowed);
      expect(Object.keys(result).slice(0, 4)).toEqual(["formatVersion", "kind", "contract", "correlationId"]);
    },
  );

  it("hides SQL literals, masks, and cuts the message to 2000 code points", () => {
    const long = resultError(
      {
        resultCode: "SQL_ERROR",
        error: { code: "X", message: `a = 'it''s' and 12.5 < n1 ${"𠮷".repeat(2100)}` },
      },
      plain,
    );
    expect(long?.message.startsWith("a = ? and ? < n1 𠮷")).toBe(true);
    expect([...(long?.message ?? "")]).toHaveLength(2000);
    expect(long?.detailsTruncated).toBe(true);
    expect(
      resultError({ resultCode: "API_ERROR", error: { code: "X", message: "'kept' 5" } }, plain)?.message,
    ).toBe("'kept' 5");
  });

  it("keeps the words of SQL and drops its literals", () => {
    expect(stripLiterals("SELECT 品番1, -3 FROM LAPP_a WHERE x = 'a b' AND y > 1e3")).toBe(
      "SELECT 品番1, ? FROM LAPP_a WHERE x = ? AND y > ?",
    );
  });
});

describe("result file (execution-contract §5.5)", () => {
  it("appears whole, alone, readable by its owner only", () => {
    const target = join(folder, "r.json");
    expect(writeResultFile(target, "{}\n")).toBeNull();
    expect(readFileSync(target, "utf8")).toBe("{}\n");
    expect(readdirSync(folder)).toEqual(["r.json"]);
  });

  it("is not written over another, nor into a folder that does not exist", () => {
    const target = join(folder, "r.json");
    writeFileSync(target, "old");
    expect(writeResultFile(target, "{}\n")).toContain("exists already");
    expect(readFileSync(target, "utf8")).toBe("old");
    expect(writeResultFile(join(folder, "none", "r.json"), "{}\n")).toContain("ENOENT");
    expect(readdirSync(folder)).toEqual(["r.json"]);
  });
});

describe("verdict of an exception (execution-contract §3, §13 W15)", () => {
  it.each([
    [new DialectError("ArgumentError", "m", 0), true, "SQL_ERROR", "ArgumentError"],
    [new DialectError("KSQL1202", "m", 0), false, "VALIDATION_ERROR", "KSQL1202"],
    [new RunFailure("SQL_ERROR", "FetchAllLimitError", "m"), true, "SQL_ERROR", "FetchAllLimitError"],
    [new RunFailure("AUTH_ERROR", "KINTONE_HTTP_401", "m"), true, "AUTH_ERROR", "KINTONE_HTTP_401"],
    [new FlowError({ code: "CONFIG_ERROR", message: "m" }), false, "VALIDATION_ERROR", "CONFIG_ERROR"],
    [new TypeError("x is not a function"), true, "INTERNAL_ERROR", "INTERNAL_ERROR"],
    ["a text", false, "INTERNAL_ERROR", "INTERNAL_ERROR"],
  ])("%s (started %s) is %s", (error, started, resultCode, code) => {
    expect(verdictOf(error, started)).toMatchObject({ resultCode, error: { code } });
  });
});

describe("masking (execution-contract §11)", () => {
  it("hides tokens of 8 and more characters, the longest first", () => {
    const config = parseConfig({
      profiles: {
        p: {
          baseUrl: "https://x",
          apps: { a: { id: 1, tokens: ["tokentoken", "tokentoken-longer", "short"] } },
        },
      },
    });
    const profile = config.ok ? resolveProfile(config.value, "p", () => undefined) : config;
    if (!profile.ok) throw new Error(profile.error.message);
    expect(createMask(profile.value)("tokentoken-longer tokentoken short")).toBe("*** *** short");
  });

  it("hides a password with a quote also where it stands inside JSON", () => {
    const password = 'pass"\\word';
    const config = parseConfig({
      profiles: {
        p: { baseUrl: "https://x", apps: {}, auth: { type: "password", username: "u", password } },
      },
    });
    const profile = config.ok ? resolveProfile(config.value, "p", () => undefined) : config;
    if (!profile.ok) throw new Error(profile.error.message);
    expect(createMask(profile.value)(JSON.stringify({ password }))).toBe('{"password":"***"}');
  });
});

describe("stale job lock (execution-contract §7.2, W4)", () => {
  const now = Date.parse("2026-04-01T12:00:00Z");
  const lock = (startedAt: string | null, changedAt: string | null) => ({
    status: "RUNNING",
    jobKey: "p:j",
    jobKeyDone: null,
    batchId: "b",
    startedAt,
    host: "h",
    scriptName: "",
    runnerExecutionStartedAt: null,
    logDetail: "",
    ref: { recordId: "1", revision: 1 },
    changedAt,
  });
  it.each([
    ["2026-04-01T10:59:00Z", "2026-04-01T10:58:00Z", 3600, true],
    ["2026-04-01T10:59:00Z", "2026-04-01T11:30:00Z", 3600, false],
    ["2026-04-01T10:59:00Z", "2026-04-01T10:59:00Z", 3600, true],
    ["2026-04-01T10:59:00Z", "2026-04-01T11:00:00Z", 3600, false],
    ["2026-04-01T11:00:00Z", "2026-04-01T10:00:00Z", 3600, false],
    ["2026-04-01T10:59:00Z", null, 3600, true],
    ["2026-04-01T10:59:00Z", null, null, false],
    [null, null, 3600, false],
    ["soon", null, 3600, false],
  ])("started %s, changed %s, age %s: %s", (startedAt, changedAt, age, expected) => {
    expect(isStaleLock(lock(startedAt, changedAt), now, age)).toBe(expected);
  });
});

describe("facts about the host (execution-contract §1, §6.2)", () => {
  it("takes a well-formed label and refuses any other", () => {
    expect(hostLabel({ KSQL_HOST_LABEL: "HOST-1" })).toEqual({ ok: true, value: "HOST-1" });
    expect(hostLabel({ KSQL_HOST_LABEL: "a b" })).toMatchObject({
      ok: false,
      error: { place: "KSQL_HOST_LABEL" },
    });
    expect(hostLabel({}).ok).toBe(true);
  });

  it("reads the commit of the SQL's working copy without starting git", async () => {
    const { mkdirSync } = await import("node:fs");
    const commit = "0123456789abcdef0123456789abcdef01234567";
    mkdirSync(join(folder, ".git"), { recursive: true });
    mkdirSync(join(folder, "jobs"));
    writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
    expect(gitRef(join(folder, "jobs", "a.sql"))).toBe("");
    writeFileSync(join(folder, ".git", "packed-refs"), `# pack-refs\n${commit} refs/heads/main\n`);
    expect(gitRef(join(folder, "jobs", "a.sql"))).toBe(commit);
  });

  it("keeps head and tail of a detail that is too long for the log app", () => {
    const long = `${"a".repeat(50_000)}${"b".repeat(20_000)}`;
    const cut = fitDetail(long);
    expect(cut.length).toBeLessThan(55_100);
    expect(cut.startsWith("a".repeat(40_000))).toBe(true);
    expect(cut.endsWith("b".repeat(15_000))).toBe(true);
    expect(fitDetail("short")).toBe("short");
  });
});
