import type { Run, Stored } from "./model.ts";
import { fail, ok, type Result } from "./problem.ts";

/** What a CLOSE reported when its audit was left out. */
export interface MissingAudit {
  readonly runId: string;
  readonly eventId: string;
  readonly previousStatus: "FAILED" | "CANCELLED";
  readonly runRevisionBefore: number;
}

const refuse = (code: string, message: string, place: string): Result<never> =>
  fail({
    code,
    message,
    place,
    remedy: "Compare with what the interrupted close reported; nothing was written.",
  });

/**
 * Whether the audit of a CLOSE may be added (orchestration §4.8): only for a Run that is archived, and only when the
 * reported facts fit it. Codes `RUN_NOT_FOUND`, `RUN_NOT_ARCHIVED`, `AUDIT_FACTS_MISMATCH`.
 */
export function checkMissingAudit(run: Stored<Run> | null, reported: MissingAudit): Result<Stored<Run>> {
  const { runId, previousStatus, runRevisionBefore } = reported;
  if (run === null) return refuse("RUN_NOT_FOUND", "No Run of this id is in the state app.", runId);
  if (run.lifecycle !== "ARCHIVED") {
    return refuse("RUN_NOT_ARCHIVED", "The Run is not closed, so no audit is missing.", runId);
  }
  if (run.status !== previousStatus || run.ref.revision <= runRevisionBefore) {
    return refuse("AUDIT_FACTS_MISMATCH", "Status or revision do not fit the Run as it stands.", runId);
  }
  return ok(run);
}
