/**
 * A runner that ends at once: the measure of an orchestrator is what it costs beside its children. It keeps
 * the execution contract (execution-contract sections 2 and 5) and touches neither SQL nor kintone.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [, , lives = "", command = "", ...args] = process.argv;
const option = (name: string): string => {
  const at = args.indexOf(name);
  return at < 0 ? "" : (args[at + 1] ?? "");
};
const print = (value: unknown): void => console.log(JSON.stringify(value));
const VERSIONS = { ksqlFlowVersion: "0.9.0", engineVersion: "instant" };
const CONTRACT = "ksql-flow.execution/v1";

// When it lived, so that the bench can tell its own time from the orchestrator's.
process.on("exit", () => {
  const { timeOrigin } = performance;
  appendFileSync(lives, `${JSON.stringify([timeOrigin, timeOrigin + performance.now()])}\n`);
});

if (command === "capabilities") {
  const features = {
    resultJson: true,
    correlationIds: true,
    describeProfile: true,
    inspectJob: true,
    durableExecutionStarted: true,
    gracefulCancel: true,
    importCsv: false,
    resultCsv: false,
    jobLockProtocol: "profile-job-v0",
  };
  const resultSchema = { $id: "https://example.invalid/execution-result-v1.schema.json", contract: CONTRACT };
  print({
    formatVersion: 1,
    kind: "CAPABILITIES",
    ...VERSIONS,
    executionContracts: [CONTRACT],
    resultSchema,
    features,
  });
} else if (command === "describe-profile") {
  print({
    apps: {},
    baseUrl: JSON.parse(readFileSync(option("--config"), "utf8")).profiles[option("--profile")].baseUrl,
    formatVersion: 1,
    guestSpaceId: null,
    httpTimeoutMs: 30000,
    kind: "PROFILE_DESCRIPTION",
    limits: { batchTimeoutSec: 3600, maxApiCalls: null, maxReadRows: null, maxTempRows: null },
    logApp: null,
    profile: option("--profile"),
    retry: { initialDelayMs: 1000, maxAttempts: 5, maxDelayMs: 60000, respectRetryAfter: true },
    timezone: "Asia/Tokyo",
  });
} else if (command === "inspect-job") {
  const fileName = path.basename(option("-f"));
  const jobId = fileName.replace(/\.sql$/, "");
  const inspection = { jobId, fileName, dialect: 1, statementCount: 1, dependsOn: [], timeoutSec: null };
  print({
    formatVersion: 1,
    kind: "JOB_INSPECTION",
    ...inspection,
    diagnostics: [],
    nondeterministicElements: [],
  });
} else {
  const at = new Date().toISOString();
  const result = {
    formatVersion: 1,
    kind: "EXECUTION_RESULT",
    contract: CONTRACT,
    correlationId: option("--correlation-id"),
    attemptId: option("--attempt-id"),
    executionId: "00000000-0000-4000-8000-000000000000",
    jobId: option("--expected-job-id"),
    profile: option("--profile"),
    status: "SUCCESS",
    resultCode: "OK",
    executionStarted: true,
    exitCode: 0,
    asOf: option("--as-of"),
    startedAt: at,
    finishedAt: at,
    durationMs: 0,
    readCount: 0,
    writtenCount: 0,
    deletedCount: 0,
    apiCalls: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    ...VERSIONS,
    input_files: [],
    output_files: [],
    error: null,
  };
  writeFileSync(option("--result-json"), `${JSON.stringify(result)}\n`, { flag: "wx" });
}
