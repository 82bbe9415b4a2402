import { isUtcInstant } from "../domain/datetime.ts";
import type { Evidence } from "../domain/operations/index.ts";
import { visibleLength } from "../domain/visible-text.ts";
import type { Intent } from "./acting-intent.ts";
import { REASON_MIN } from "./start.ts";

/** What is not said or shown yet, beside the field of the form it belongs to. */
export interface MissingField {
  /** Of the intent. */
  readonly field: string;
  readonly code:
    | "REASON_TOO_SHORT"
    | "EVIDENCE_REQUIRED"
    | "STOP_CONFIRMED_BY_REQUIRED"
    | "EDIT_CONFIRMED_BY_REQUIRED"
    | "STOP_EVIDENCE_REQUIRED"
    | "STOP_METHOD_REQUIRED"
    | "MANUAL_COMPLETION_REQUIRED"
    | "AUDIT_FACT_REQUIRED"
    | "AUDIT_TIME_NOT_UTC";
}

const blank = (text: string): boolean => visibleLength(text) === 0;

/**
 * The fields an intent leaves open of those its plan requires (operator-ux §2.1), in the order of the form. The same
 * function lists them beside the button and refuses the confirmation. A PID is asked for by the lock, not by the form.
 */
export function missingFields(intent: Intent, evidence: readonly Evidence[]): readonly MissingField[] {
  const found = evidence.flatMap(({ field, required }) => (required ? missingFor(intent, field) : []));
  return found.filter(
    (each, index) =>
      found.findIndex(({ field, code }) => field === each.field && code === each.code) === index,
  );
}

function missingFor(intent: Intent, field: Evidence["field"]): readonly MissingField[] {
  switch (field) {
    case "reason":
      return "reason" in intent && visibleLength(intent.reason) < REASON_MIN
        ? [{ field: "reason", code: "REASON_TOO_SHORT" }]
        : [];
    case "evidenceRef":
      return evidenceMissing(intent);
    case "stopConfirmedBy":
    case "confirmedBy":
      if (intent.kind === "realign") {
        return blank(intent.confirmedBy)
          ? [{ field: "confirmedBy", code: "EDIT_CONFIRMED_BY_REQUIRED" }]
          : [];
      }
      return "stopConfirmedBy" in intent && blank(intent.stopConfirmedBy)
        ? [{ field: "stopConfirmedBy", code: "STOP_CONFIRMED_BY_REQUIRED" }]
        : [];
    case "stopEvidenceRef":
      return intent.kind === "resolve" && blank(intent.stopEvidence)
        ? [{ field: "stopEvidence", code: "STOP_EVIDENCE_REQUIRED" }]
        : [];
    case "stopMethod":
      return intent.kind === "forceUnlock" && intent.stopLabel === "other" && blank(intent.stopOther)
        ? [{ field: "stopOther", code: "STOP_METHOD_REQUIRED" }]
        : [];
    case "manualCompletion":
      return intent.kind === "resolve" && !intent.manualCompletion
        ? [{ field: "manualCompletion", code: "MANUAL_COMPLETION_REQUIRED" }]
        : [];
    case "eventId":
    case "archivedAt":
      return intent.kind === "completeAudit" ? auditFactMissing(intent, field) : [];
    default:
      return [];
  }
}

/** The time is stored word by word; only its own form says the same to every reader (wire-format §5). */
function auditFactMissing(
  intent: Extract<Intent, { kind: "completeAudit" }>,
  field: "eventId" | "archivedAt",
): readonly MissingField[] {
  if (blank(intent[field])) return [{ field, code: "AUDIT_FACT_REQUIRED" }];
  return field === "archivedAt" && !isUtcInstant(intent.archivedAt.trim())
    ? [{ field, code: "AUDIT_TIME_NOT_UTC" }]
    : [];
}

function evidenceMissing(intent: Intent): readonly MissingField[] {
  if (!("evidenceText" in intent)) return [];
  return blank(intent.evidenceText) && intent.evidenceFiles.length === 0
    ? [{ field: "evidenceText", code: "EVIDENCE_REQUIRED" }]
    : [];
}
