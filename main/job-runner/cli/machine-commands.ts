import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { canonicalJson } from "../../../shared/bundle/canonical-json.ts";
import {
  type Capabilities,
  EXECUTION_CONTRACT,
  type JobInspection,
  type ProfileDescription,
  RESULT_SCHEMA_ID,
} from "../../../shared/contract/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { codeOf, knownApps, type LoadedProfile } from "../config.ts";
import { CODES, type Diagnostic } from "../dialect/diagnostic.ts";
import { parseScript } from "../dialect/parse-script.ts";
import { ENGINE_VERSION, KSQL_FLOW_VERSION } from "../identity.ts";
import { checkReferences } from "../plan/check-references.ts";
import { jobNameOf } from "../plan/job-name.ts";

/** Output of `capabilities --json` (execution-contract §2.1). */
export function capabilities(): Capabilities {
  return {
    formatVersion: 1,
    kind: "CAPABILITIES",
    ksqlFlowVersion: KSQL_FLOW_VERSION,
    engineVersion: ENGINE_VERSION,
    executionContracts: [EXECUTION_CONTRACT],
    resultSchema: { $id: RESULT_SCHEMA_ID, contract: EXECUTION_CONTRACT },
    features: {
      resultJson: true,
      correlationIds: true,
      describeProfile: true,
      inspectJob: true,
      durableExecutionStarted: true,
      gracefulCancel: true,
      importCsv: true,
      resultCsv: true,
      jobLockProtocol: "profile-job-v0",
    },
  };
}

/** Output of `describe-profile --json`, canonical (execution-contract §2.2): an allow-list without any secret. */
export function describeProfile({ profile, writtenRows }: LoadedProfile): string {
  const { maxApiCalls, batchTimeoutSec } = profile.limits;
  const logApp = profile.logApp === null ? undefined : profile.apps[profile.logApp];
  const description: ProfileDescription = {
    formatVersion: 1,
    kind: "PROFILE_DESCRIPTION",
    profile: profile.name,
    baseUrl: profile.baseUrl,
    guestSpaceId: profile.guestSpaceId,
    timezone: profile.timezone,
    apps: Object.fromEntries(Object.entries(profile.apps).map(([name, { id }]) => [name, id])),
    logApp:
      profile.logApp === null || logApp === undefined ? null : { name: profile.logApp, appId: logApp.id },
    limits: {
      maxApiCalls,
      ...writtenRows,
      batchTimeoutSec,
    },
    retry: profile.retry,
    httpTimeoutMs: profile.httpTimeoutMs,
  };
  return canonicalJson(description);
}

const withoutIndex = ({
  code,
  severity,
  line,
  column,
  message,
}: Diagnostic): JobInspection["diagnostics"][number] => ({
  code,
  severity,
  line,
  column,
  message,
});

/**
 * Output of `inspect-job --json` (execution-contract §2.3): syntax and the checks that need no form. Error:
 * `CONFIG_ERROR` when the file cannot be read; a broken script is an answer, not an error.
 */
export function inspectJob(path: string, { profile }: LoadedProfile): Result<JobInspection> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return fail({
      code: "CONFIG_ERROR",
      message: `The SQL file cannot be read: ${codeOf(error)}.`,
      place: path,
    });
  }
  const script = parseScript(text);
  const diagnostics = [...script.diagnostics, ...checkReferences(script, knownApps(profile))].map(
    withoutIndex,
  );
  const parsed = !script.diagnostics.some(({ severity }) => severity === "error");
  return ok({
    formatVersion: 1,
    kind: "JOB_INSPECTION",
    jobId: jobNameOf(script.header.name, path),
    fileName: basename(path),
    dialect: script.header.dialect,
    statementCount: parsed ? script.statements.length : 0,
    dependsOn: [...script.header.dependsOn],
    timeoutSec: script.header.timeoutSec,
    diagnostics,
    nondeterministicElements: diagnostics.filter(({ code }) => code === CODES.serverTime),
  });
}
