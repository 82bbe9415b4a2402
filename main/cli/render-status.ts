import type { Problem } from "../../shared/domain/problem.ts";
import { LOCK_RECORD_TYPE } from "../../shared/records/index.ts";
import type { AttemptBrief, RunDetailReport, RunReport, StatusReport } from "../orchestrator/index.ts";
import { shown } from "./shown.ts";

/** `status --json`: snake_case, indented by 2 (orchestration section 9.2). Keys marked `?` there are left out when empty. */
export function statusJson(report: StatusReport): string {
  const { lock } = report;
  const wire = {
    network_id: report.networkId,
    profile: report.profile,
    lock:
      lock === null
        ? null
        : {
            record_id: lock.recordId,
            // A lock that names no owner says so with an empty text, as the peer's does.
            owner_invocation_id: lock.ownerInvocationId ?? "",
            owner_instance_id: lock.ownerInstanceId ?? "",
            heartbeat_at: lock.heartbeatAt,
            lease_expires_at: lock.leaseExpiresAt,
            stale_candidate: lock.staleCandidate,
            revision: lock.revision,
          },
    runs: report.runs.map(runWire),
    // Ours on top, and only where there is one: the peer would end here.
    ...(report.unreadable.length === 0 ? {} : { unreadable_records: report.unreadable.map(unreadableWire) }),
  };
  return `${JSON.stringify(wire, null, 2)}\n`;
}

function unreadableWire({ details, message }: Problem): object {
  const { recordId, revision, recordType, runId, field } = details ?? {};
  const place = { record_id: recordId, revision, record_type: recordType, run_id: runId, field };
  return { ...place, judgement: "UNDETERMINED", message };
}

function runWire(run: RunReport): object {
  const { hold } = run;
  return {
    run_id: run.runId,
    business_key: run.businessKey,
    status: run.status,
    resume_allowed: run.resumeAllowed,
    lifecycle_status: run.lifecycle,
    created_at: run.createdAt,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    updated_at: run.updatedAt,
    hold:
      hold === null
        ? null
        : { state: hold.state, requested_by: hold.requestedBy, requested_at: hold.requestedAt },
    ...(run.activity === null ? {} : { activity: run.activity }),
    ...(run.detail === null ? {} : detailWire(run.detail)),
  };
}

function detailWire(detail: RunDetailReport): object {
  const { forceUnlockNetwork: unlock, runNetwork, resolveNode } = detail.recovery;
  return {
    invocations: detail.invocations.map((invocation) => ({
      invocation_id: invocation.invocationId,
      mode: invocation.mode,
      status: invocation.status,
      result_code: invocation.resultCode,
    })),
    node_states: detail.nodeStates.map((state) => ({
      node_id: state.nodeId,
      status: state.status,
      status_reason: state.statusReason,
      idempotent: state.idempotent,
      latest_attempt_no: state.latestAttemptNo,
      active_attempt_id: state.activeAttemptId,
      latest_attempt: attemptWire(state.latestAttempt),
      active_attempt: attemptWire(state.activeAttempt),
    })),
    reconciliation: {
      inconsistencies: detail.inconsistencies.map((found) => ({
        code: found.code,
        ...(found.nodeId === null ? {} : { node_id: found.nodeId }),
        detail: found.detail,
        ...(found.attemptIds.length === 0 ? {} : { attempt_ids: found.attemptIds }),
      })),
    },
    recovery_identifiers: {
      resolve_node: resolveNode.map((node) => ({ run_id: node.runId, node_id: node.nodeId })),
      force_unlock_network:
        unlock === null
          ? null
          : {
              network_id: unlock.networkId,
              profile: unlock.profile,
              expected_owner_invocation_id: unlock.expectedOwnerInvocationId,
            },
      run_network: { resume_run: runNetwork.resumeRun },
    },
  };
}

function attemptWire(attempt: AttemptBrief | null): object | null {
  if (attempt === null) return null;
  return {
    node_attempt_id: attempt.attemptId,
    attempt_no: attempt.attemptNo,
    status: attempt.status,
    result_code: attempt.resultCode,
  };
}

/** The same for people: what is stored and what is done at this moment kept apart, findings with their evidence. */
export function statusText(report: StatusReport): string {
  const runs = report.runs.length === 0 ? ["No Run."] : report.runs.flatMap(runLines);
  const lines = [
    `Network: ${report.networkId} (profile ${report.profile})`,
    ...lockLines(report),
    ...runs,
    ...report.unreadable.map(unreadableLine),
  ];
  return shown(`${lines.join("\n")}\n`, true);
}

/** A lock is told whether there are Runs or not: one that stayed behind keeps the first Run from starting (W-26). */
function lockLines({ lock, networkId, profile, unreadable }: StatusReport): readonly string[] {
  if (unreadable.some(({ details }) => details?.recordType === LOCK_RECORD_TYPE)) {
    return ["Lock: UNDETERMINED, its record cannot be read"];
  }
  if (lock === null) return ["Lock: free"];
  const { ownerInvocationId, ownerInstanceId, leaseExpiresAt, heartbeatAt, staleCandidate } = lock;
  const owner = ownerInvocationId ?? "-";
  const held = `Lock: held by ${owner} (${ownerInstanceId ?? "-"}), last heartbeat ${heartbeatAt}, lease until ${leaseExpiresAt}`;
  if (!staleCandidate) return [held];
  return [
    `${held}, stale candidate`,
    "  Its lease has ended; that is no proof that its owner has. Make sure of it, then:",
    `  flownet force-unlock-network ${networkId} --profile ${profile} --expected-owner-invocation-id ${owner} … --dry-run`,
  ];
}

const unreadableLine = ({ code, place, message, remedy }: Problem): string =>
  `! UNDETERMINED (${code}) ${place ?? ""}: ${message} ${remedy ?? ""}`.trimEnd();

/** What a Run does now, in words the stored status does not have (W-30). */
function doing({ activity, stop, live }: RunReport): string | null {
  if (stop === "stopping") return "STOPPING: its running node goes on to its end";
  if (stop === "stopped" && activity === "STOPPED") return "STOPPED";
  return activity ?? (live ? "LIVE" : null);
}

function runLines(run: RunReport): readonly string[] {
  const marks = [
    doing(run),
    run.hold === null ? null : `hold ${run.hold.state} by ${run.hold.requestedBy} at ${run.hold.requestedAt}`,
    run.lifecycle === "ARCHIVED" ? "ARCHIVED" : null,
  ].filter((mark) => mark !== null);
  // A stored RUNNING says "not finished", not that anybody is at work (operator-ux section 1.1).
  const status = run.status === "RUNNING" ? "RUNNING (unfinished)" : run.status;
  const nodes = run.detail?.nodeStates ?? [];
  return [
    `Run ${run.runId} | ${run.businessKey} | ${[status, ...marks].join(", ")} | updated ${run.updatedAt}`,
    ...nodes.map((node) => {
      const reason = node.statusReason === null ? "" : ` (${node.statusReason})`;
      return `  ${node.nodeId} | ${node.status}${reason} | attempts ${node.latestAttemptNo}`;
    }),
    ...(run.detail?.inconsistencies ?? []).map(findingLine),
  ];
}

const FATES = {
  blocking: "a resume stops at it",
  repairable: "a resume repairs it first",
  notice: "history; a resume passes it",
} as const;

function findingLine({
  code,
  nodeId,
  detail,
  attemptIds,
  severity,
}: RunDetailReport["inconsistencies"][number]): string {
  const where = nodeId === null ? "" : ` ${nodeId}`;
  const attempts = attemptIds.length === 0 ? "" : ` Attempts: ${attemptIds.join(", ")}.`;
  return `  ! ${code}${where}: ${detail}${attempts} (${FATES[severity]})`;
}
