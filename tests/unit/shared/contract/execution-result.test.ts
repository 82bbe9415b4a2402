import { describe, expect, it } from "vitest";
import {
  isKnownResultCode,
  parseExecutionResult,
  RESULT_CODES,
  resultCodeRequirements,
  validateExecutionResult,
} from "../../../../shared/contract/index.ts";
import { RESULT_CODE_RULES } from "../../../../shared/domain/result-acceptance.ts";

type Json = Readonly<Record<string, unknown>>;
const H = "0".repeat(64);

const SUCCESS: Json = {
  formatVersion: 1,
  kind: "EXECUTION_RESULT",
  contract: "ksql-flow.execution/v1",
  correlationId: "netrun_1",
  attemptId: "attempt_1",
  executionId: "e1",
  jobId: "j",
  profile: "prod",
  status: "SUCCESS",
  resultCode: "OK",
  executionStarted: true,
  exitCode: 0,
  asOf: "2026-09-01T00:00:00Z",
  startedAt: "2026-09-01T00:00:00.000Z",
  finishedAt: "2026-09-01T00:00:01.500Z",
  durationMs: 1500,
  readCount: 3,
  writtenCount: 2,
  deletedCount: 1,
  apiCalls: 9,
  lastSuccessfulChunkNo: 1,
  lastWrittenKey: "chunk:1",
  ksqlFlowVersion: "0.9.0",
  engineVersion: "3.80.0",
  input_files: [],
  output_files: [],
  error: null,
};

const NOT_STARTED: Json = {
  executionStarted: false,
  startedAt: null,
  durationMs: 0,
  readCount: 0,
  writtenCount: 0,
  deletedCount: 0,
  apiCalls: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
};

const error = (category: string): Json => ({
  category,
  code: "C",
  message: "m",
  retryable: false,
  detailsTruncated: false,
});

const failing = (resultCode: string, exitCode: number, category: string, started: boolean): Json => ({
  ...SUCCESS,
  status: resultCode === "CANCELLED" ? "CANCELLED" : "FAILED",
  resultCode,
  exitCode,
  error: error(category),
  ...(started ? {} : NOT_STARTED),
});

const place = (value: unknown): string | undefined => {
  const answer = validateExecutionResult(value);
  return answer.ok ? "accepted" : answer.error.place;
};

describe("result codes (execution-contract §5.2, §5.3)", () => {
  it("are the codes the verdict judges by, each with a category and never retryable", () => {
    expect([...RESULT_CODES].sort()).toEqual([...RESULT_CODE_RULES.keys()].sort());
    for (const code of RESULT_CODES)
      expect(resultCodeRequirements(code)).toMatchObject({ code, retryable: false });
    expect(resultCodeRequirements("toString")).toBeNull();
    expect(isKnownResultCode("NEW_CODE")).toBe(false);
  });
});

describe("conditional constraints (execution-contract §5.2): accepting and refusing case of each row", () => {
  it.each<[string, Json, Json, string]>([
    ["SUCCESS: exit 0", SUCCESS, { ...SUCCESS, exitCode: 1 }, "exitCode"],
    ["SUCCESS: started", SUCCESS, { ...SUCCESS, ...NOT_STARTED }, "executionStarted"],
    ["SUCCESS: no error", SUCCESS, { ...SUCCESS, error: error("SQL") }, "error"],
    [
      "CANCELLED: exit 3",
      failing("CANCELLED", 3, "CANCELLED", true),
      failing("CANCELLED", 1, "CANCELLED", true),
      "exitCode",
    ],
    [
      "CANCELLED: error",
      failing("CANCELLED", 3, "CANCELLED", false),
      { ...failing("CANCELLED", 3, "CANCELLED", false), error: null },
      "error",
    ],
    ["FAILED: exit 1, 2, 3, 5", failing("NEW", 5, "X", true), failing("NEW", 0, "X", true), "exitCode"],
    [
      "FAILED: error",
      failing("NEW", 2, "X", false),
      { ...failing("NEW", 2, "X", false), error: null },
      "error",
    ],
    ...Object.entries(NOT_STARTED)
      .filter(([key]) => key !== "executionStarted")
      .map(([key]): [string, Json, Json, string] => [
        `not started: ${key} unset`,
        failing("VALIDATION_ERROR", 1, "CONFIG", false),
        { ...failing("VALIDATION_ERROR", 1, "CONFIG", false), [key]: SUCCESS[key] },
        key,
      ]),
    ["started: startedAt", SUCCESS, { ...SUCCESS, startedAt: null }, "startedAt"],
    ["OK: SUCCESS", SUCCESS, failing("OK", 1, "SQL", true), "status"],
    ["NO_DATA: SUCCESS", { ...SUCCESS, resultCode: "NO_DATA" }, failing("NO_DATA", 3, "API", true), "status"],
    ["startedAt ends with Z", SUCCESS, { ...SUCCESS, startedAt: "2026-09-01T09:00:00+09:00" }, "startedAt"],
    [
      "finishedAt ends with Z",
      SUCCESS,
      { ...SUCCESS, finishedAt: "2026-09-01T09:00:00+09:00" },
      "finishedAt",
    ],
  ])("%s", (_row, accepted, refused, key) => {
    expect(place(accepted)).toBe("accepted");
    expect(place(refused)).toBe(`execution result: ${key}`);
  });

  const CODES: readonly (readonly [string, number, string, boolean | null])[] = [
    ["VALIDATION_ERROR", 1, "CONFIG", false],
    ["INPUT_FILE_MUTATED", 1, "CONFIG", false],
    ["SQL_ERROR", 1, "SQL", true],
    ["ASSERT_FAILED", 2, "ASSERT", true],
    ["EXECUTION_TIMEOUT", 3, "TIMEOUT", true],
    ["AUTH_ERROR", 3, "AUTH", null],
    ["API_ERROR", 3, "API", null],
    ["INTERNAL_ERROR", 3, "INTERNAL", null],
    ["LOCK_UNAVAILABLE", 3, "LOCK", false],
    ["LOCK_CONFLICT", 5, "LOCK", false],
    ["CANCELLED", 3, "CANCELLED", null],
  ];

  it.each(CODES)("%s: exit %i, category %s, started %s", (code, exit, category, started) => {
    for (const way of started === null ? [true, false] : [started]) {
      expect(place(failing(code, exit, category, way))).toBe("accepted");
    }
    const usual = started ?? true;
    expect(place(failing(code, exit === 2 ? 1 : 2, category, usual))).toBe("execution result: exitCode");
    expect(place(failing(code, exit, "OTHER", usual))).toBe("execution result: error");
    if (started !== null) {
      expect(place(failing(code, exit, category, !started))).toBe("execution result: executionStarted");
    }
  });
});

describe("shape of an Execution Result (execution-contract §5.1)", () => {
  it("unknown top-level and error keys are kept, the file lists may be absent", () => {
    const { input_files: _in, output_files: _out, ...rest } = SUCCESS;
    expect(parseExecutionResult({ ...rest, extra: 1 }).ok).toBe(true);
    expect(place({ ...failing("NEW", 1, "X", true), error: { ...error("X"), extra: 1 } })).toBe("accepted");
  });

  it("receipts may lack rows and encoding and repeat a name (W1), but nothing else may be missing or added", () => {
    const receipt = { name: "a", sha256: H, bytes: 1 };
    const encoded = { ...receipt, rows: 1, encoding: "SJIS" };
    expect(place({ ...SUCCESS, input_files: [receipt, encoded, { ...encoded, encoding: "UTF8" }] })).toBe(
      "accepted",
    );
    const output = { ...receipt, rows: 0, encoding: "utf8" };
    expect(place({ ...SUCCESS, output_files: [output] })).toBe("accepted");
    for (const [key, list] of [
      ["input_files", [{ ...receipt, path: "/x" }]],
      ["input_files", [{ ...receipt, encoding: "utf8" }]],
      ["input_files", [{ ...receipt, sha256: "ABC" }]],
      ["output_files", [receipt]],
      ["output_files", [{ ...output, encoding: "UTF8" }]],
    ] as const) {
      expect(place({ ...SUCCESS, [key]: list })).toContain(`execution result: ${key}[0]`);
    }
  });

  it("an error message is limited in code points", () => {
    const message = (text: string) => ({
      ...failing("NEW", 1, "X", true),
      error: { ...error("X"), message: text },
    });
    expect(place(message("𠮷".repeat(2000)))).toBe("accepted");
    expect(place(message("𠮷".repeat(2001)))).toBe("execution result: error.message");
  });

  it.each(Object.keys(SUCCESS).filter((key) => !key.endsWith("_files")))("%s is required", (key) => {
    const { [key]: _gone, ...rest } = SUCCESS;
    expect(parseExecutionResult(rest)).toMatchObject({
      ok: false,
      error: { code: "INVALID_EXECUTION_RESULT", place: `execution result: ${key}` },
    });
  });

  it.each([
    ["contract", "ksql-flow.execution/v2"],
    ["exitCode", 4],
    ["exitCode", "0"],
    ["readCount", -1],
    ["readCount", 1.5],
    ["durationMs", -1],
    ["status", "success"],
    ["executionStarted", "true"],
  ])("%s %j is refused", (key, value) => {
    expect(parseExecutionResult({ ...SUCCESS, [key]: value }).ok).toBe(false);
  });

  it.each([null, [], "x", 1, undefined])("%j is not a result", (value) => {
    expect(parseExecutionResult(value)).toMatchObject({
      ok: false,
      error: { code: "INVALID_EXECUTION_RESULT" },
    });
  });

  it("the reader leaves the conditions to the verdict", () => {
    expect(parseExecutionResult({ ...SUCCESS, exitCode: 1 }).ok).toBe(true);
  });
});
