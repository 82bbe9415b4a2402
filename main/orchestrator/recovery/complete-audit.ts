import { checkMissingAudit } from "../../../shared/domain/complete-audit.ts";
import { auditSeen } from "../../../shared/domain/operations/complete-audit.ts";
import { checkSeen } from "../../../shared/domain/operations/seen.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { runArchivedAudit } from "../../../shared/records/audit-events.ts";
import type { CompleteAuditInput } from "../recovery-ports.ts";
import type { RecoveryDeps } from "./deps.ts";

/**
 * Adds the one audit a CLOSE of the peer, or of an outage, left out (orchestration section 4.8, decisions section 3): only for a
 * Run that is archived, under the event id that was reported, and only once. Codes `RUN_NOT_FOUND`,
 * `RUN_NOT_ARCHIVED`, `AUDIT_FACTS_MISMATCH`, `PLAN_STALE`, `AUDIT_CONFLICT`, `WRITE_UNCERTAIN`, `STORE_*`.
 */
export async function completeAudit(
  deps: RecoveryDeps,
  input: CompleteAuditInput,
): Promise<Result<{ readonly eventId: string }>> {
  const { signal, seen, ...facts } = input;
  const run = checkMissingAudit(await deps.store.findRunById(input.runId, signal), facts);
  if (!run.ok) return run;
  const unmoved = checkSeen(seen, auditSeen(run.value));
  if (!unmoved.ok) return unmoved;
  const written = await deps.store.insertAudit(runArchivedAudit(facts), signal);
  return written.kind === "applied" ? ok({ eventId: facts.eventId }) : fail(written.problem);
}
