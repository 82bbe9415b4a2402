import { type LockRecoveryResult, parseLockRecovery } from "../../../shared/contract/index.ts";
import { recordKeys } from "../../../shared/domain/keys.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { jobUnlockAudit } from "../../../shared/records/audit-events.ts";
import { isoNow } from "../deps.ts";
import type { RecordJobUnlockInput, RecordJobUnlockOutcome } from "../recovery-ports.ts";
import type { RecoveryDeps } from "./deps.ts";

/**
 * Ties a job lock that was released by force to the node it belongs to (orchestration section 5.5); the job lock itself is not touched.
 * Codes `INVALID_LOCK_RECOVERY_RESULT`, `AUDIT_INPUT_REQUIRED`, `RECORD_NOT_FOUND`, `JOB_KEY_MISMATCH`, and those
 * of the write.
 */
export async function recordJobUnlock(
  deps: RecoveryDeps,
  input: RecordJobUnlockInput,
): Promise<Result<RecordJobUnlockOutcome>> {
  const blank = (
    ["reason", "evidenceRef", "stopConfirmedBy", "requestedBy", "servicePrincipal"] as const
  ).filter((field) => input[field].trim() === "");
  if (blank.length > 0) {
    return refuse("AUDIT_INPUT_REQUIRED", `Left blank: ${blank.join(", ")}.`, blank[0] ?? "");
  }
  const recovery = readRecovery(input.result);
  if (!recovery.ok) return recovery;
  const graph = await deps.store.readRunGraph(input.runId, input.signal);
  const state = graph.states.find(({ nodeId }) => nodeId === input.nodeId);
  if (graph.run === null || state === undefined) {
    return refuse(
      "RECORD_NOT_FOUND",
      "The Run or its node is not in the records.",
      `${input.runId}/${input.nodeId}`,
    );
  }
  const key = recordKeys.jobKey(graph.run.profileSnapshot.profile, state.jobId);
  if (!key.ok || key.value !== recovery.value.jobKey) {
    return refuse(
      "JOB_KEY_MISMATCH",
      "The released lock is of another job than this node's.",
      recovery.value.jobKey,
    );
  }
  return store(deps, input, recovery.value, state.jobId);
}

async function store(
  deps: RecoveryDeps,
  input: RecordJobUnlockInput,
  recovery: LockRecoveryResult,
  jobId: string,
): Promise<Result<RecordJobUnlockOutcome>> {
  const eventId = `job_unlock_${deps.ids.uuid()}`;
  const { signal, result: _result, ...facts } = input;
  const audit = jobUnlockAudit({ ...facts, eventId, jobId, recordedAt: isoNow(deps.clock), recovery });
  const written = await deps.store.insertAudit(audit, signal);
  if (written.kind !== "applied") return fail(written.problem);
  return ok({ eventId, jobKey: recovery.jobKey, outcome: recovery.outcome });
}

/** What the outcome needs beside the schema: no record for NOT_FOUND, record and holder for the decided ones. */
function readRecovery(value: unknown): Result<LockRecoveryResult> {
  const parsed = parseLockRecovery(value);
  if (!parsed.ok) return refuse("INVALID_LOCK_RECOVERY_RESULT", parsed.error.message, "result file");
  const { outcome, recordId, before } = parsed.value;
  const needed = outcome === "RELEASED" || outcome === "NOT_RUNNING" || outcome === "CONFLICT";
  const complete = recordId !== null && before !== null;
  const empty = recordId === null && before === null;
  if ((outcome === "NOT_FOUND" && !empty) || (needed && !complete)) {
    return refuse(
      "INVALID_LOCK_RECOVERY_RESULT",
      `A result of ${outcome} ${needed ? "names its record and holder" : "names neither record nor holder"}.`,
      "result file",
    );
  }
  return parsed;
}

const refuse = <T>(code: string, message: string, place: string): Result<T> =>
  fail<Problem>({ code, message, place, remedy: "Correct it and record again; nothing was written." });
