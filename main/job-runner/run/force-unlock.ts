import type {
  LockInspection,
  LockRecoveryOutcome,
  LockRecoveryResult,
} from "../../../shared/contract/index.ts";
import { jobLogWrites } from "../../../shared/records/index.ts";
import { isStaleRevision } from "../../kintone-client/index.ts";
import { secondsText } from "./job-lock.ts";
import { fitDetail } from "./log-detail.ts";
import type { FoundRecord, LogRecords } from "./log-record.ts";

/** Whether a job key is held (execution-contract §2.4). One read; changes nothing. */
export async function inspectLock(
  records: LogRecords,
  jobKey: string,
  inspectedAt: string,
): Promise<LockInspection> {
  const head = { kind: "LOCK_INSPECTION_RESULT", formatVersion: 1, jobKey } as const;
  const found = await records.findByKey(jobKey);
  if (found.kind === "unreadable") {
    const error = { code: "LOCK_QUERY_UNAVAILABLE" };
    return { ...head, locked: null, record: null, inspectedAt, error };
  }
  if (found.kind === "none" || found.record.status !== "RUNNING") {
    return { ...head, locked: false, record: null, inspectedAt };
  }
  const { ref, batchId, startedAt, host, scriptName } = found.record;
  const record = { recordId: ref.recordId, batchId, startedAt, host, scriptName };
  return { ...head, locked: true, record, inspectedAt };
}

/** A forced release as it is asked for: by whom, why, and on what evidence. */
export interface ForcedUnlock {
  readonly jobKey: string;
  readonly reason: string;
  readonly confirmedBy: string;
  readonly evidenceRef: string;
  readonly profile: string;
  readonly nowMs: number;
}

/**
 * Releases one job lock under its observed revision (execution-contract §2.5). The text of who did it stands
 * on the record, so that after a lost answer our release can be told from anybody else's.
 */
export async function forceUnlock(records: LogRecords, unlock: ForcedUnlock): Promise<LockRecoveryResult> {
  const { jobKey } = unlock;
  const observed = await records.findByKey(jobKey);
  const before = observed.kind === "found" ? observed.record : null;
  const answer = (outcome: LockRecoveryOutcome): LockRecoveryResult => ({
    kind: "LOCK_RECOVERY_RESULT",
    formatVersion: 1,
    jobKey,
    recordId: before?.ref.recordId ?? null,
    outcome,
    before:
      before === null ? null : { batchId: before.batchId, startedAt: before.startedAt, host: before.host },
    executedAt: new Date(unlock.nowMs).toISOString(),
    ...(outcome === "UNCONFIRMED" && {
      nextAction: `Ask again: inspect-lock --job-key ${jobKey} --profile ${unlock.profile} --config <path> --json`,
    }),
  });
  if (observed.kind === "unreadable") return answer("UNCONFIRMED");
  if (before === null) return answer("NOT_FOUND");
  if (before.status !== "RUNNING") return answer("NOT_RUNNING");
  return answer(await release(records, before, unlock));
}

async function release(
  records: LogRecords,
  before: FoundRecord,
  unlock: ForcedUnlock,
): Promise<LockRecoveryOutcome> {
  const { recordId } = before.ref;
  const now = await records.findById(recordId);
  if (now.kind === "unreadable") return "UNCONFIRMED";
  if (now.kind === "none") return whereKeyWent(records, unlock.jobKey);
  if (now.record.batchId !== before.batchId || now.record.jobKey !== unlock.jobKey) return "CONFLICT";
  if (now.record.status !== "RUNNING") return "NOT_RUNNING";
  const executedAt = secondsText(unlock.nowMs);
  const logDetail = fitDetail(jobLogWrites.forcedReleaseDetail({ ...unlock, executedAt }));
  const recovery = { status: "FAILED", jobKey: unlock.jobKey, finishedAt: executedAt, logDetail } as const;
  const written = await records.update(
    recordId,
    now.record.ref.revision,
    jobLogWrites.encodeRecovery(recovery),
  );
  if (written.kind === "ok") return "RELEASED";
  const after = await records.findByKey(unlock.jobKey);
  if (after.kind === "unreadable") return "UNCONFIRMED";
  if (after.kind === "none") return whoReleased(records, recordId, unlock.jobKey, logDetail);
  const same = after.record.ref.recordId === recordId && after.record.batchId === before.batchId;
  return written.kind === "refused" && isStaleRevision(written) && same ? "CONFLICT" : "UNCONFIRMED";
}

/** The record is gone: either nobody holds the key any more, or another record does. */
async function whereKeyWent(records: LogRecords, jobKey: string): Promise<LockRecoveryOutcome> {
  const found = await records.findByKey(jobKey);
  if (found.kind === "unreadable") return "UNCONFIRMED";
  return found.kind === "none" ? "NOT_FOUND" : "CONFLICT";
}

async function whoReleased(
  records: LogRecords,
  recordId: string,
  jobKey: string,
  logDetail: string,
): Promise<LockRecoveryOutcome> {
  const found = await records.findById(recordId);
  if (found.kind === "unreadable") return "UNCONFIRMED";
  if (found.kind === "none") return "NOT_RUNNING";
  const { record } = found;
  const ours = (record.jobKey ?? "") === "" && record.jobKeyDone === jobKey && record.logDetail === logDetail;
  return ours ? "RELEASED" : "NOT_RUNNING";
}
