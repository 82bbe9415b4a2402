import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { buildBundle, canonicalJson, jobPath, verifyBundle } from "../../shared/bundle/index.ts";
import { parseProfileDescription, snapshotOf } from "../../shared/contract/index.ts";
import { sha256Hex, utf8 } from "../../shared/domain/hash.ts";
import type { Result } from "../../shared/domain/problem.ts";
import {
  invocationCodec,
  lockCodec,
  nodeStateCodec,
  runCodec,
  type WireRecord,
} from "../../shared/records/index.ts";
import { DIFFERENCES } from "./differences.ts";

const vectorFile = z.object({
  cases: z.array(
    z.object({ name: z.string(), input: z.looseObject({ kind: z.string() }), expected: z.unknown() }),
  ),
});
const { cases } = vectorFile.parse(
  JSON.parse(readFileSync(new URL("./bundle.json", import.meta.url), "utf8")),
);

const vectorJob = z.object({
  path: z.string(),
  node_id: z.string(),
  job_id: z.string(),
  sql: z.string(),
  inspected_job_id: z.string().optional(),
  nondeterministic_codes: z.array(z.string()).optional(),
  approved_exceptions: z
    .array(
      z.object({
        node_id: z.string(),
        code: z.literal("KSQL1306"),
        approved_by: z.string(),
        reason: z.string(),
        approved_at: z.string(),
      }),
    )
    .optional(),
});

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

function runBuild(input: unknown, expected: unknown): void {
  const { network_yaml: yaml, jobs } = z
    .object({ network_yaml: z.string(), jobs: z.array(vectorJob) })
    .parse(input);
  for (const job of jobs) expect(jobPath(job.node_id)).toBe(job.path);
  const built = buildBundle({
    networkYaml: utf8(yaml),
    jobs: jobs.map((job) => ({
      nodeId: job.node_id,
      jobId: job.job_id,
      sql: utf8(job.sql),
      ...(job.inspected_job_id !== undefined && { inspectedJobId: job.inspected_job_id }),
      ...(job.nondeterministic_codes && { nondeterministicCodes: job.nondeterministic_codes }),
      ...(job.approved_exceptions && { approvedExceptions: job.approved_exceptions }),
    })),
  });
  const refused = z.object({ error_code: z.string() }).safeParse(expected);
  if (refused.success) {
    expect(built).toMatchObject({ ok: false, error: { code: refused.data.error_code } });
    return;
  }
  const bundle = value(built);
  const wanted = z
    .object({ zip_base64: z.string().optional(), zip_length: z.number() })
    .loose()
    .parse(expected);
  expect({
    definition_sha256: bundle.definitionSha256,
    source_bundle_sha256: bundle.zipSha256,
    manifest_sha256: bundle.manifestSha256,
    manifest_json: Buffer.from(bundle.manifestBytes).toString("utf8"),
    zip_length: bundle.zip.length,
    ...(wanted.zip_base64 !== undefined && { zip_base64: Buffer.from(bundle.zip).toString("base64") }),
  }).toEqual(Object.fromEntries(Object.entries(wanted).filter(([key]) => key !== "entries")));
}

function runVerify(input: unknown, expected: unknown): void {
  const { zip_base64: zip, source_bundle_sha256: hash } = z
    .object({ zip_base64: z.string(), source_bundle_sha256: z.string().optional() })
    .parse(input);
  const verified = verifyBundle(Buffer.from(zip, "base64"), hash ?? null);
  const answer = verified.ok
    ? { ok: true, source_bundle_sha256: verified.value.zipSha256 }
    : { ok: false, error_code: verified.error.code };
  expect(answer).toEqual(expected);
}

function runCanonical(input: unknown, expected: unknown): void {
  const canonical = canonicalJson(z.object({ value: z.unknown() }).parse(input).value);
  expect({ canonical, sha256: sha256Hex(canonical) }).toEqual(expected);
}

const plain = (record: WireRecord) =>
  Object.fromEntries(Object.entries(record).map(([code, field]) => [code, field.value]));

const newRunInput = z.object({
  network_yaml: z.string(),
  jobs: z.array(z.object({ sql: z.string() })),
  profile_description: z.unknown(),
  ksql_flow_version: z.string(),
  engine_version: z.string(),
  dialect: z.number(),
  scheduled_for: z.string(),
  requested_by: z.string(),
  host: z.string(),
  now: z.string(),
  owner_instance_id: z.string(),
  invocation_id: z.string(),
  lease_token: z.string(),
  upload_file_key: z.string(),
});
const newRunExpected = z.object({
  writes: z.array(z.object({ record: z.record(z.string(), z.unknown()) })),
});

/** Only the record bodies: their grouping into requests is ours (fenced-writes §3). */
function runNewRun(rawInput: unknown, expected: unknown): void {
  const input = newRunInput.parse(rawInput);
  const bodies = newRunExpected.parse(expected).writes.map(({ record }) => record);
  const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const nodes = ["extract", "aggregate"] as const;
  const runId = `netrun_${uuid(1)}`;
  const profile = value(parseProfileDescription(input.profile_description));
  const bundle = value(
    buildBundle({
      networkYaml: utf8(input.network_yaml),
      jobs: nodes.map((nodeId, index) => ({
        nodeId,
        jobId: `${nodeId}_customer`,
        sql: utf8(input.jobs[index]?.sql ?? ""),
      })),
    }),
  );
  const lockKey = String(bodies[0]?.["lock_key"]);
  const written = [
    lockCodec.encode({
      recordKey: `LOCK:${lockKey}`,
      lockKey,
      profile: profile.description.profile,
      ownerInvocationId: input.invocation_id,
      leaseToken: input.lease_token,
      startedAt: input.now,
      heartbeatAt: input.now,
      leaseExpiresAt: new Date(Date.parse(input.now) + 180_000).toISOString(),
      finishedAt: null,
      status: "RUNNING",
      statusReason: `owner_instance_id=${input.owner_instance_id}`,
      revision: 1,
    }),
    runCodec.encode({
      runId,
      networkId: "monthly_jobs",
      businessKey: "monthly_jobs@2026-09",
      maxActiveRuns: 1,
      status: "CREATED",
      lifecycle: "ACTIVE",
      resumeAllowed: true,
      asOf: input.scheduled_for,
      definitionSchemaVersion: 1,
      definitionSha256: bundle.definitionSha256,
      bundleSha256: bundle.zipSha256,
      bundleFileKey: input.upload_file_key,
      profileSnapshot: value(snapshotOf(profile.description)),
      profileSha256: sha256Hex(profile.canonical),
      flowVersion: input.ksql_flow_version,
      engineVersion: input.engine_version,
      dialect: input.dialect,
      createdAt: input.now,
      startedAt: null,
      finishedAt: null,
      updatedAt: input.now,
    }),
    invocationCodec.encode({
      invocationId: input.invocation_id,
      runId,
      mode: "NEW",
      requestedBy: input.requested_by,
      host: input.host,
      startedAt: input.now,
      finishedAt: null,
      selectedNodeIds: nodes,
      preservedNodeIds: [],
      blockedNodeIds: [],
      reason: "new business run",
      status: "RUNNING",
      resultCode: "PENDING",
    }),
    ...nodes.map((nodeId, index) =>
      nodeStateCodec.encode({
        nodeStateId: `nodestate_${uuid(index + 2)}`,
        runId,
        nodeId,
        jobId: `${nodeId}_customer`,
        status: "WAITING",
        revision: 1,
        latestAttemptNo: 0,
        activeAttemptId: null,
        idempotent: true,
        triggerRule: "all_success",
        blockedBy: [],
        statusReason: null,
        startedAt: null,
        finishedAt: null,
        updatedAt: input.now,
      }),
    ),
  ];
  expect(written.map(plain)).toEqual(bodies);
}

const RUNNERS: Readonly<Record<string, (input: unknown, expected: unknown) => void>> = {
  build: runBuild,
  verify: runVerify,
  canonical_json: runCanonical,
  new_run: runNewRun,
};

describe("bundle vectors (wire-format §3, §8)", () => {
  it("covers every case of the file", () => {
    expect(cases).toHaveLength(35);
    expect(cases.filter(({ input }) => RUNNERS[input.kind] === undefined)).toEqual([]);
  });

  it.each(cases)("$name", ({ input, expected }) => {
    RUNNERS[input.kind]?.(input, expected);
    expect.hasAssertions();
  });

  it("says why the calls of new-run-writes are not compared", () => {
    expect(DIFFERENCES.has("new-run-writes")).toBe(true);
  });
});
