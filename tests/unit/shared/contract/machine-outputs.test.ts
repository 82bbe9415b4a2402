import { describe, expect, it } from "vitest";
import {
  buildRunArguments,
  gateCapabilities,
  isRunnerId,
  parseCapabilities,
  parseJobInspection,
  parseLockInspection,
  parseLockRecovery,
  parseProfileDescription,
  type RunArguments,
  resultFileName,
  snapshotOf,
} from "../../../../shared/contract/index.ts";
import type { Result } from "../../../../shared/domain/problem.ts";

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const capabilities = {
  formatVersion: 1,
  kind: "CAPABILITIES",
  ksqlFlowVersion: "0.9.0",
  engineVersion: "3.80.0",
  executionContracts: ["ksql-flow.execution/v1"],
  resultSchema: { $id: "x", contract: "ksql-flow.execution/v1" },
  features: {
    resultJson: true,
    correlationIds: true,
    describeProfile: true,
    inspectJob: true,
    durableExecutionStarted: true,
    importCsv: true,
    resultCsv: false,
    jobLockProtocol: "profile-job-v0",
  },
};

describe("capabilities (execution-contract §2.1)", () => {
  it("pass the gate with the contract and every needed feature exactly true", () => {
    const parsed = value(parseCapabilities(capabilities));
    expect(gateCapabilities(parsed, { inputs: true, outputs: false }).ok).toBe(true);
    expect(gateCapabilities(parsed, { inputs: false, outputs: true })).toMatchObject({
      error: { code: "CAPABILITY_FEATURE_MISSING", details: { missing: ["resultCsv"] } },
    });
    const text = { ...capabilities, features: { ...capabilities.features, resultJson: "true" } };
    expect(gateCapabilities(value(parseCapabilities(text)), { inputs: false, outputs: false })).toMatchObject(
      {
        error: { code: "CAPABILITY_FEATURE_MISSING" },
      },
    );
    const other = { ...capabilities, executionContracts: ["ksql-flow.execution/v2"] };
    expect(
      gateCapabilities(value(parseCapabilities(other)), { inputs: false, outputs: false }),
    ).toMatchObject({
      error: { code: "CAPABILITY_CONTRACT_MISSING" },
    });
  });

  it("are refused whole when a feature is neither boolean nor text", () => {
    const odd = { ...capabilities, features: { ...capabilities.features, later: 1 } };
    expect(parseCapabilities(odd)).toMatchObject({
      error: { code: "KSQL_FLOW_OUTPUT_INVALID", place: "capabilities: features.later" },
    });
    expect(parseCapabilities(null)).toMatchObject({ error: { place: "capabilities: (whole output)" } });
  });
});

const description = {
  formatVersion: 1,
  kind: "PROFILE_DESCRIPTION",
  profile: "prod",
  baseUrl: "https://example.cybozu.com",
  guestSpaceId: null,
  timezone: "Asia/Tokyo",
  apps: { b: 2, a: 1 },
  logApp: { name: "b", appId: 2 },
  limits: { maxApiCalls: null, maxReadRows: 1, maxTempRows: null, batchTimeoutSec: 3600 },
  retry: { maxAttempts: 5, initialDelayMs: 1000, maxDelayMs: 60_000, respectRetryAfter: true },
  httpTimeoutMs: 30_000,
};

describe("describe-profile (execution-contract §2.2)", () => {
  it("keeps further keys in the canonical text, which is what is hashed", () => {
    const { canonical } = value(parseProfileDescription({ zz: 1, ...description }));
    expect(canonical).toContain('"timezone":"Asia/Tokyo","zz":1}');
    expect(canonical.startsWith('{"apps":{"a":1,"b":2},"baseUrl":')).toBe(true);
  });

  it("becomes the Run's snapshot, and not without a time zone", () => {
    const parsed = value(parseProfileDescription(description)).description;
    expect(value(snapshotOf(parsed))).toMatchObject({
      profile: "prod",
      limits: { maxApiCalls: null, maxReadRows: 1, batchTimeoutSec: 3600 },
    });
    expect(snapshotOf({ ...parsed, timezone: null })).toMatchObject({
      error: { code: "PROFILE_DESCRIPTION_INVALID" },
    });
  });

  it.each(Object.keys(description))("refuses an output without %s", (key) => {
    const { [key as keyof typeof description]: _gone, ...rest } = description;
    expect(parseProfileDescription(rest)).toMatchObject({ error: { place: `describe-profile: ${key}` } });
  });
});

describe("inspect-job, inspect-lock, force-unlock-job (execution-contract §2.3–2.5)", () => {
  const finding = { code: "KSQL1306", severity: "warning", line: 1, column: 2, message: "m" };
  const inspection = {
    formatVersion: 1,
    kind: "JOB_INSPECTION",
    jobId: "j",
    fileName: "j.sql",
    dialect: 1,
    statementCount: 0,
    dependsOn: [],
    timeoutSec: null,
    diagnostics: [finding],
    nondeterministicElements: [finding],
  };
  const inspectedLock = {
    kind: "LOCK_INSPECTION_RESULT",
    formatVersion: 1,
    jobKey: "prod:j",
    locked: true,
    record: { recordId: "1", batchId: "b", startedAt: null, host: "h", scriptName: "s" },
    inspectedAt: "t",
  };
  const recovery = {
    kind: "LOCK_RECOVERY_RESULT",
    formatVersion: 1,
    jobKey: "prod:j",
    recordId: null,
    outcome: "NOT_FOUND",
    before: null,
    executedAt: "t",
  };

  it("are read, further keys ignored", () => {
    expect(value(parseJobInspection({ ...inspection, extra: 1 }))).toEqual(inspection);
    expect(value(parseLockInspection(inspectedLock))).toEqual(inspectedLock);
    expect(value(parseLockRecovery(recovery))).toEqual(recovery);
    const unknown = {
      ...inspectedLock,
      locked: null,
      record: null,
      error: { code: "LOCK_QUERY_UNAVAILABLE" },
    };
    expect(parseLockInspection(unknown).ok).toBe(true);
    expect(parseLockRecovery({ ...recovery, outcome: "UNCONFIRMED", nextAction: "look" }).ok).toBe(true);
  });

  it.each([
    [parseJobInspection, { ...inspection, dialect: "1" }, "inspect-job: dialect"],
    [
      parseJobInspection,
      { ...inspection, diagnostics: [{ ...finding, severity: "info" }] },
      "inspect-job: diagnostics[0].severity",
    ],
    [parseLockInspection, { ...inspectedLock, locked: null }, "inspect-lock: error"],
    [parseLockInspection, { ...inspectedLock, error: { code: "X" } }, "inspect-lock: error"],
    [parseLockRecovery, { ...recovery, nextAction: "x" }, "force-unlock-job: nextAction"],
    [parseLockRecovery, { ...recovery, outcome: "DONE" }, "force-unlock-job: outcome"],
  ] as const)("a broken answer is told with its place", (parse, output, where) => {
    expect(parse(output)).toMatchObject({
      ok: false,
      error: { code: "KSQL_FLOW_OUTPUT_INVALID", place: where },
    });
  });
});

describe("run arguments (execution-contract §4.1)", () => {
  const H = "a".repeat(64);
  const run: RunArguments = {
    sqlPath: "/w/j.sql",
    profile: "prod",
    configPath: "/w/ksql.config.json",
    asOf: "2026-09-01T00:00:00+09:00",
    resultPath: "/w/r.json",
    correlationId: "netrun_1",
    attemptId: "attempt_1",
    expectedJobId: "j",
    imports: [
      { name: "～", path: "/in/z.csv", sha256: H },
      { name: "𠮷", path: "/in/a=b.csv", sha256: H },
    ],
    exports: [
      { name: "b", path: "/out/b.csv" },
      { name: "B", path: "/out/B.csv" },
    ],
  };

  it("stand in the agreed order, imports and exports sorted by code units", () => {
    expect(value(buildRunArguments(run))).toEqual([
      ...["run", "-f", "/w/j.sql", "--profile", "prod", "--config", "/w/ksql.config.json"],
      ...["--as-of", "2026-09-01T00:00:00+09:00", "--result-json", "/w/r.json"],
      ...["--correlation-id", "netrun_1", "--attempt-id", "attempt_1", "--expected-job-id", "j"],
      ...["--import-csv", "𠮷=/in/a=b.csv", "--expected-import-sha256", `𠮷=${H}`],
      ...["--import-csv", "～=/in/z.csv", "--expected-import-sha256", `～=${H}`],
      ...["--export-csv", "B=/out/B.csv", "--export-csv", "b=/out/b.csv"],
    ]);
  });

  it.each<[string, Partial<RunArguments>]>([
    ["--correlation-id", { correlationId: "" }],
    ["--attempt-id", { attemptId: "a b" }],
    ["--expected-job-id", { expectedJobId: "抽出" }],
    ["--as-of", { asOf: "2026-09-01" }],
    ["--as-of", { asOf: "2026-09-01T00:00:00" }],
    ["-f", { sqlPath: "-x.sql" }],
    ["--profile", { profile: "" }],
    ["a=b", { exports: [{ name: "a=b", path: "/x" }] }],
    ["a\n", { exports: [{ name: "a\n", path: "/x" }] }],
    ["-a", { exports: [{ name: "-a", path: "/x" }] }],
    ["a", { imports: [{ name: "a", path: "/x", sha256: "A".repeat(64) }] }],
  ])("%s is refused when it cannot be an argument", (where, change) => {
    expect(buildRunArguments({ ...run, ...change })).toMatchObject({
      ok: false,
      error: { code: "RUN_ARGUMENT_INVALID", place: where },
    });
  });

  it("ids have 1 to 128 characters, and the result file's name is made safe", () => {
    expect([isRunnerId("a".repeat(128)), isRunnerId("a".repeat(129)), isRunnerId("")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(resultFileName("attempt:1/..\\x")).toBe("attempt_1_.._x.json");
  });
});
