import { z } from "zod";
import { recordKeys } from "../domain/keys.ts";
import { RUN_STATUSES, type Run, type Stored } from "../domain/model.ts";
import { ok, type Result } from "../domain/problem.ts";
import { encodeProfileSnapshot, profileSnapshotSchema } from "./profile-snapshot.ts";
import { requireKey } from "./record-key.ts";
import {
  anyText,
  attachment,
  boolean,
  choice,
  filled,
  flag,
  integer,
  jsonText,
  number,
  optionalText,
  readRecord,
  text,
  type WireRecord,
} from "./wire.ts";

const files = z
  .object({ value: z.array(z.object({ fileKey: z.string() })) })
  .transform((field) => field.value[0]?.fileKey ?? null);

const schema = z.object({
  record_type: z.object({ value: z.literal("NETWORK_RUN") }),
  run_id: filled(),
  network_id: filled(),
  business_key: filled(),
  max_active_runs: integer(),
  status: choice(RUN_STATUSES),
  lifecycle_status: choice(["ACTIVE", "ARCHIVED"]),
  resume_allowed: boolean(),
  as_of: optionalText(),
  definition_schema_version: integer(),
  definition_sha256: filled(),
  source_bundle_sha256: filled(),
  source_bundle_attachment: files,
  resolved_profile_snapshot: jsonText(profileSnapshotSchema),
  resolved_profile_sha256: filled(),
  ksql_flow_version: anyText(),
  engine_version: anyText(),
  dialect: integer(),
  created_at: filled(),
  started_at: optionalText(),
  finished_at: optionalText(),
  updated_at: filled(),
});

/** `record_key` of a Run: `R1:…` over the snapshot's profile, network and business key (wire-format §2.3). Throws as {@link requireKey}. */
export function recordKey(run: Run): string {
  return requireKey(recordKeys.run(run.profileSnapshot.profile, run.networkId, run.businessKey));
}

/** Whole NETWORK_RUN record for the insert (wire-format §1.1). */
export function encode(run: Run): WireRecord {
  return {
    record_key: text(recordKey(run)),
    record_type: text("NETWORK_RUN"),
    run_id: text(run.runId),
    network_id: text(run.networkId),
    business_key: text(run.businessKey),
    max_active_runs: number(run.maxActiveRuns),
    status: text(run.status),
    lifecycle_status: text(run.lifecycle),
    resume_allowed: flag(run.resumeAllowed),
    as_of: text(run.asOf),
    definition_schema_version: number(run.definitionSchemaVersion),
    definition_sha256: text(run.definitionSha256),
    source_bundle_sha256: text(run.bundleSha256),
    source_bundle_attachment: attachment(run.bundleFileKey),
    resolved_profile_snapshot: text(encodeProfileSnapshot(run.profileSnapshot)),
    resolved_profile_sha256: text(run.profileSha256),
    ksql_flow_version: text(run.flowVersion),
    engine_version: text(run.engineVersion),
    dialect: number(run.dialect),
    created_at: text(run.createdAt),
    started_at: text(run.startedAt),
    finished_at: text(run.finishedAt),
    updated_at: text(run.updatedAt),
  };
}

/** Columns of a Run aggregate update (wire-format §4.1). */
export function encodeAggregate(
  run: Pick<Run, "status" | "startedAt" | "finishedAt" | "updatedAt">,
): WireRecord {
  return {
    status: text(run.status),
    started_at: text(run.startedAt),
    finished_at: text(run.finishedAt),
    updated_at: text(run.updatedAt),
  };
}

/** Columns of a Run close (wire-format §4.1). */
export function encodeClose(run: Pick<Run, "lifecycle" | "updatedAt">): WireRecord {
  return { lifecycle_status: text(run.lifecycle), updated_at: text(run.updatedAt) };
}

/** A stored NETWORK_RUN record, or `RECORD_UNREADABLE` (wire-format §1.1). */
export function decode(wire: unknown): Result<Stored<Run>> {
  const read = readRecord(schema, wire);
  if (!read.ok) return read;
  const { row, ref } = read.value;
  return ok({
    runId: row.run_id,
    networkId: row.network_id,
    businessKey: row.business_key,
    maxActiveRuns: row.max_active_runs,
    status: row.status,
    lifecycle: row.lifecycle_status,
    resumeAllowed: row.resume_allowed,
    asOf: row.as_of,
    definitionSchemaVersion: row.definition_schema_version,
    definitionSha256: row.definition_sha256,
    bundleSha256: row.source_bundle_sha256,
    bundleFileKey: row.source_bundle_attachment,
    profileSnapshot: row.resolved_profile_snapshot,
    profileSha256: row.resolved_profile_sha256,
    flowVersion: row.ksql_flow_version,
    engineVersion: row.engine_version,
    dialect: row.dialect,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    updatedAt: row.updated_at,
    ref,
  });
}
