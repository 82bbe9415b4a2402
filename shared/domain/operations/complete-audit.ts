import { checkMissingAudit, type MissingAudit } from "../complete-audit.ts";
import type { Run, Stored } from "../model.ts";
import { inserted, needed, type OperationPlan, operationPlan, says } from "./operation.ts";
import type { SeenRecords } from "./seen.ts";
import { runSubject } from "./stop.ts";

export interface CompleteAuditFacts {
  readonly run: Stored<Run> | null;
  readonly reported: MissingAudit;
  readonly reason: string;
  readonly readAt: string;
}

/** The record a missing audit is completed for. */
export const auditSeen = (run: Stored<Run> | null): SeenRecords => ({ run: run?.ref ?? null });

/** complete-audit (orchestration §4.8, decisions §3): exactly one record, under the event id that was reported. */
export function planCompleteAuditOperation(facts: CompleteAuditFacts): OperationPlan {
  const { run, reported, reason, readAt } = facts;
  const checked = checkMissingAudit(run, reported);
  const { eventId, previousStatus, runRevisionBefore } = reported;
  return operationPlan({
    operation: "COMPLETE_AUDIT",
    subject: run === null ? { runId: reported.runId } : runSubject({ run }),
    seen: auditSeen(run),
    readAt,
    refusals: checked.ok ? [] : [checked.error],
    evidence: needed("reason", "eventId", "archivedAt", "previousStatus", "runRevisionBefore"),
    writes: [
      inserted("audit", eventId, { eventType: "RUN_ARCHIVED", previousStatus, runRevisionBefore, reason }),
    ],
    consequences: [says("cannotBeUndone")],
  });
}
