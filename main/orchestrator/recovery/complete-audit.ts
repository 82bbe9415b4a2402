import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { runArchivedAudit } from "../../../shared/records/audit-events.ts";
import type { CompleteAuditInput } from "../recovery-ports.ts";
import type { RecoveryDeps } from "./deps.ts";

/**
 * Adds the one audit a CLOSE of the peer, or of an outage, left out (orchestration section 4.8, decisions section 3): only for a
 * Run that is archived, under the event id that was reported, and only once. Codes `RUN_NOT_FOUND`,
 * `RUN_NOT_ARCHIVED`, `AUDIT_FACTS_MISMATCH`, `AUDIT_CONFLICT`, `WRITE_UNCERTAIN`, `STORE_*`.
 */
export async function completeAudit(
  deps: RecoveryDeps,
  input: CompleteAuditInput,
): Promise<Result<{ readonly eventId: string }>> {
  const { runId, eventId, runRevisionBefore } = input;
  const run = await deps.store.findRunById(runId, input.signal);
  if (run === null) return fail(problem("RUN_NOT_FOUND", "No Run of this id is in the state app.", runId));
  if (run.lifecycle !== "ARCHIVED") {
    return fail(problem("RUN_NOT_ARCHIVED", "The Run is not closed, so no audit is missing.", runId));
  }
  if (run.status !== input.previousStatus || run.ref.revision <= runRevisionBefore) {
    return fail(
      problem("AUDIT_FACTS_MISMATCH", "Status or revision do not fit the Run as it stands.", runId),
    );
  }
  const { signal, ...facts } = input;
  const written = await deps.store.insertAudit(runArchivedAudit(facts), signal);
  return written.kind === "applied" ? ok({ eventId }) : fail(written.problem);
}

const problem = (code: string, message: string, place: string): Problem => ({
  code,
  message,
  place,
  remedy: "Compare with what the interrupted close reported; nothing was written.",
});
