import { JOB_LOG_STATUSES, NODE_STATUSES, OUTCOME_STATUSES, RUN_MODES } from "../domain/model.ts";
import {
  area,
  checkBox,
  dropDown,
  each,
  type FieldShape,
  type FormFields,
  file,
  formFields,
  line,
  numeric,
  required,
  time,
  uniqueLine,
} from "./form-field.ts";

/** App ids of the neighbours a state app's reference tables point at. */
export interface RelatedApps {
  readonly audit: string;
  readonly request: string;
  readonly jobLog: string;
}

const recordHead = (...types: readonly string[]): Readonly<Record<string, FieldShape>> => ({
  record_key: required(uniqueLine),
  record_type: required(dropDown(...types)),
});

/** Fields of the state app (wire-format §1.1): 40, and three reference tables when the neighbours are known. */
export function stateFields(related: RelatedApps | null): FormFields {
  return formFields({
    ...recordHead("NETWORK_RUN", "NODE_STATE", "NETWORK_LOCK", "CANCEL_REQUEST"),
    run_id: line,
    lock_key: uniqueLine,
    ...each(line, "profile", "owner_invocation_id", "lease_token"),
    ...each(time, "lease_expires_at", "heartbeat_at"),
    revision: numeric,
    ...each(line, "network_id", "business_key"),
    max_active_runs: numeric,
    status: dropDown("CREATED", ...NODE_STATUSES),
    lifecycle_status: dropDown("ACTIVE", "ARCHIVED"),
    resume_allowed: dropDown("true", "false"),
    as_of: time,
    definition_schema_version: numeric,
    ...each(line, "definition_sha256", "source_bundle_sha256"),
    source_bundle_attachment: file,
    resolved_profile_snapshot: area,
    ...each(line, "resolved_profile_sha256", "ksql_flow_version", "engine_version"),
    dialect: numeric,
    ...each(time, "created_at", "started_at", "finished_at", "updated_at"),
    node_state_id: line,
    node_state_key: uniqueLine,
    ...each(line, "node_id", "job_id"),
    latest_attempt_no: numeric,
    active_attempt_id: line,
    idempotent: dropDown("true", "false"),
    trigger_rule: dropDown("all_success"),
    ...each(area, "blocked_by", "status_reason"),
    ...(related === null ? {} : referenceTables(related)),
  });
}

function referenceTables(related: RelatedApps): Readonly<Record<string, FieldShape>> {
  return {
    related_audit_events: reference(related.audit, "run_id", "10", [
      "record_type",
      "result_code",
      "node_id",
      "started_at",
      "finished_at",
    ]),
    related_requests: reference(related.request, "run_id", "5", [
      "request_type",
      "request_state",
      "result_code",
      "reason",
    ]),
    related_job_logs: reference(related.jobLog, "correlation_id", "10", [
      "status",
      "job_id",
      "started_at",
      "finished_at",
      "error_message",
    ]),
  };
}

const reference = (
  app: string,
  relatedField: string,
  size: string,
  displayFields: readonly string[],
): FieldShape => ({
  type: "REFERENCE_TABLE",
  referenceTable: {
    relatedApp: { app },
    condition: { field: "run_id", relatedField },
    filterCond: "",
    displayFields,
    sort: "$id desc",
    size,
  },
});

/** Fields of the audit app (wire-format §1.2): 37. */
export function auditFields(): FormFields {
  return formFields({
    ...recordHead("RUN_INVOCATION", "NODE_ATTEMPT", "ATTEMPT_RESOLUTION", "OPERATION_AUDIT"),
    ...each(line, "run_id", "result_code", "invocation_id", "requested_by", "host", "node_id", "job_id"),
    ...each(line, "execution_id", "last_written_key", "attempt_id", "evidence_ref"),
    ...each(line, "service_principal", "approved_by"),
    ...each(uniqueLine, "node_attempt_id", "attempt_key"),
    ...each(time, "started_at", "finished_at", "execution_started_at"),
    ...each(time, "runner_execution_started_at", "resolved_at"),
    status: dropDown(...OUTCOME_STATUSES),
    mode: dropDown(...RUN_MODES),
    event_type: dropDown("ATTEMPT_RESOLVED"),
    resolved_outcome: dropDown("SUCCESS", "FAILED", "CANCELLED"),
    ...each(area, "selected_node_ids", "preserved_node_ids", "blocked_node_ids", "reason", "error_message"),
    ...each(numeric, "attempt_no", "state_revision_before", "duration_sec", "read_count", "written_count"),
    last_successful_chunk_no: numeric,
  });
}

/**
 * Fields of the request app (wire-format §1.3), without the creator and the creation time: kintone makes
 * those itself, and refuses to be told to.
 */
export function requestFields(): FormFields {
  return formFields({
    request_type: required(dropDown("RERUN", "STOP", "RELEASE", "START", "CLOSE")),
    ...each(line, "run_id", "network_id", "business_key"),
    scheduled_for: time,
    rerun_from_node: line,
    reason: required(area),
    request_state: {
      ...required(dropDown("REQUESTED", "ACCEPTED", "DONE", "REJECTED", "CANCELLED")),
      defaultValue: "REQUESTED",
    },
    cancel_requested: checkBox("取消"),
    claimed_at: time,
    claimed_host: line,
    claim_heartbeat_at: time,
    result_code: line,
    result_message: area,
  });
}

/** Fields of the JOB log app (wire-format §1.4): 22 base, `deleted_count` and the five orchestrated ones. */
export function jobLogFields(): FormFields {
  return formFields({
    record_type: dropDown("BATCH", "JOB"),
    status: dropDown(...JOB_LOG_STATUSES),
    ...each(line, "batch_id", "correlation_id", "attempt_id", "execution_id", "job_id"),
    runner_execution_started_at: time,
    parent_batch_id: line,
    job_key: uniqueLine,
    ...each(line, "job_key_done", "script_name", "profile"),
    ...each(time, "as_of", "started_at", "finished_at"),
    ...each(numeric, "duration_sec", "read_count", "written_count", "api_calls", "deleted_count"),
    ...each(line, "last_written_key", "executed_by", "host", "git_ref", "ksql_version"),
    ...each(area, "error_message", "log_detail"),
  });
}
