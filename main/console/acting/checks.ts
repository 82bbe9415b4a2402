import { type ActionExecute, type Intent, missingFields } from "../../../shared/api/index.ts";
import { checkSeen, fingerprintOf, type OperationPlan } from "../../../shared/domain/operations/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { Planned } from "./ports.ts";

/**
 * Whether what is there now is what was confirmed (operator-ux D6). Codes `PLAN_STALE` with what moved in
 * `details.moved`; `HEARTBEAT_ADVANCED` where it is the lock that is to be taken from its owner; `PLAN_NOT_SHOWN` for a
 * fingerprint that belongs to no plan of these records.
 */
export function checkConfirmed(
  intent: Intent,
  fresh: OperationPlan,
  { seen, fingerprint }: Pick<ActionExecute, "seen" | "fingerprint">,
): Result<null> {
  if (fingerprintOf(seen) !== fingerprint) return fail(PLAN_NOT_SHOWN);
  const same = checkSeen(seen, fresh.seen);
  if (same.ok) return same;
  return fail(intent.kind === "forceUnlock" ? beating(same.error, seen, fresh) : same.error);
}

export const PLAN_NOT_SHOWN: Problem = {
  code: "PLAN_NOT_SHOWN",
  message: "The confirmation does not carry the plan it confirms; nothing was done.",
  place: "fingerprint",
  remedy: "Look at the plan and confirm what it shows.",
};

/** A lock of the same record that moved was written by somebody: its owner, as far as anybody knows. */
export function beating(
  stale: Problem,
  before: OperationPlan["seen"],
  { seen }: Pick<OperationPlan, "seen">,
): Problem {
  const [was, is] = [before.lock ?? null, seen.lock ?? null];
  if (was === null || is === null || was.recordId !== is.recordId) return stale;
  return heartbeatAdvanced(stale);
}

export const heartbeatAdvanced = ({ details }: Problem): Problem => ({
  code: "HEARTBEAT_ADVANCED",
  message:
    "The lock was written since it was shown: its owner is, or was until now, alive. Nothing was done.",
  remedy: "Look at the lock again; judge its owner by what is there now.",
  ...(details === undefined ? {} : { details }),
});

/** Everything the form still owes, told as its first; the others stand in `details.missing` (operator-ux D11). */
export function checkFields(intent: Intent, { evidence }: OperationPlan): Result<null> {
  const missing = missingFields(intent, evidence);
  const [first] = missing;
  if (first === undefined) return ok(null);
  return fail({ ...MISSING[first.code], place: first.field, details: { missing } });
}

const MISSING: Readonly<Record<ReturnType<typeof missingFields>[number]["code"], Problem>> = {
  REASON_TOO_SHORT: {
    code: "REASON_TOO_SHORT",
    message: "A reason of at least five characters is needed; nothing was done.",
    remedy: "Say why, in words another shift understands.",
  },
  EVIDENCE_REQUIRED: {
    code: "EVIDENCE_REQUIRED",
    message: "No evidence was given, neither as text nor as a file; nothing was done.",
    remedy: "Say what shows it, or add the file.",
  },
  STOP_CONFIRMED_BY_REQUIRED: {
    code: "STOP_CONFIRMED_BY_REQUIRED",
    message: "Nobody is named who made sure of the stop; nothing was done.",
    remedy: "Name the person who looked.",
  },
  EDIT_CONFIRMED_BY_REQUIRED: {
    code: "EDIT_CONFIRMED_BY_REQUIRED",
    message: "Nobody is named who made sure of the edit; nothing was done.",
    remedy: "Name the person who made sure what was edited, and that the record may stand as it is.",
  },
  STOP_EVIDENCE_REQUIRED: {
    code: "STOP_EVIDENCE_REQUIRED",
    message: "What shows that the job has ended is not said; nothing was done.",
    remedy: "Say what shows it.",
  },
  STOP_METHOD_REQUIRED: {
    code: "STOP_METHOD_REQUIRED",
    message: "How the stop was confirmed is not said; nothing was done.",
    remedy: "Describe it, or choose one of the named ways.",
  },
  MANUAL_COMPLETION_REQUIRED: {
    code: "MANUAL_COMPLETION_REQUIRED",
    message: "SUCCESS says that somebody saw the work complete; that has to be said.",
    remedy: "Confirm the completion, or choose another outcome.",
  },
  AUDIT_FACT_REQUIRED: {
    code: "AUDIT_FACT_REQUIRED",
    message: "A fact that the interrupted close reported is not given; nothing was done.",
    remedy: "Take it from what the close reported.",
  },
  AUDIT_TIME_NOT_UTC: {
    code: "AUDIT_TIME_NOT_UTC",
    message: "The time of the close is not an ISO-8601 time in UTC; nothing was done.",
    remedy: "Write it as the close reported it, such as 2026-09-01T18:12:00.000Z.",
  },
};

/**
 * The identifier, exactly as it is: NFC on both sides and nothing else (operator-ux D4, D5). Code `IDENTIFIER_MISMATCH`;
 * `details.lookalike` when only width or composition differ, which explains a mismatch and never excuses it.
 */
export function checkTyped(typed: string, { friction }: Pick<Planned, "friction">): Result<null> {
  const wanted = friction.identifier;
  if (wanted === null || typed.normalize("NFC") === wanted.normalize("NFC")) return ok(null);
  const lookalike = typed.normalize("NFKC").trim() === wanted.normalize("NFKC").trim();
  return fail({
    code: "IDENTIFIER_MISMATCH",
    message: lookalike
      ? "What was typed looks like the identifier and is another text: a full-width or similar character is in it."
      : "What was typed is not the identifier of what would be changed; nothing was done.",
    place: "typed",
    remedy: "Type the identifier as it is shown, or copy it.",
    details: { lookalike },
  });
}
