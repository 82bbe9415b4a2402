import { type BreakGlassSentence, missingFields, type PlannedAction } from "../../shared/api/index.ts";
import type { ActionState } from "../state/action.ts";
import type { Gate } from "../state/context.tsx";
import { isIdentifier } from "./identifier.ts";
import { doesNothing } from "./names.ts";

/** Characters of a reason that stands alone for the missing consent. */
export const BREAK_GLASS_REASON_MIN = 20;

type FieldCode = ReturnType<typeof missingFields>[number]["code"];

/** Under which name the words of a missing field stand. */
const FIELD = {
  REASON_TOO_SHORT: "reason",
  EVIDENCE_REQUIRED: "evidence",
  STOP_CONFIRMED_BY_REQUIRED: "confirmedBy",
  EDIT_CONFIRMED_BY_REQUIRED: "editConfirmedBy",
  STOP_EVIDENCE_REQUIRED: "stopEvidence",
  STOP_METHOD_REQUIRED: "stopMethod",
  MANUAL_COMPLETION_REQUIRED: "completion",
  AUDIT_FACT_REQUIRED: "auditFact",
  AUDIT_TIME_NOT_UTC: "auditTime",
} as const satisfies Readonly<Record<FieldCode, string>>;

export type Missing =
  | (typeof FIELD)[FieldCode]
  | "plan"
  | "planFailed"
  | "old"
  | "refused"
  | "nothing"
  | "uploading"
  | "identifier"
  | "consent"
  | "sentence"
  | "sentenceReason"
  | NonNullable<Gate>;

/**
 * What the confirmation still lacks, in the order of the form; listed beside the button, which waits for it (operator-ux
 * D11). Main asks for all of it again.
 */
export function missingOf(state: ActionState, gate: Gate): readonly Missing[] {
  const { draft, planned } = state;
  if (draft === null || planned === null) return [state.planProblem === null ? "plan" : "planFailed"];
  const missing: Missing[] = [];
  if (!planned.plan.available) missing.push("refused");
  else if (doesNothing(planned.plan)) missing.push("nothing");
  else missing.push(...missingInForm(state));
  return [...new Set([...missing, ...missingAround(state, gate)])];
}

/** What the form itself leaves open: its fields, the identifier, the consent. */
export function missingInForm(state: ActionState): readonly Missing[] {
  const { draft, planned } = state;
  if (draft === null || planned === null) return [];
  return [
    ...missingFields(draft.intent, planned.plan.evidence).map(({ code }) => FIELD[code]),
    ...(draft.files.some((file) => file.state === "sending") ? (["uploading"] as const) : []),
    ...(isIdentifier(draft.typed, planned.friction.identifier) ? [] : (["identifier"] as const)),
    ...missingConsent(state, planned),
  ];
}

/** What keeps any form from being confirmed now: a plan on its way or old, or the window's own gate. */
export function missingAround(state: ActionState, gate: Gate): readonly Missing[] {
  const missing: Missing[] = [];
  if (state.planProblem !== null) missing.push("planFailed");
  else if (state.planning || state.planned === null) missing.push("plan");
  else if (state.old) missing.push("old");
  return gate === null ? missing : [...missing, gate];
}

/**
 * Whether nothing is missing but a newer plan. What was filled in stands then, and a confirmation that waited for it need
 * not wait anew, unless that plan says something else (operator-ux §2.1, arm delay). Pure.
 */
export const onlyRenews = (missing: readonly string[]): boolean =>
  missing.every((each) => each === "plan" || each === "old");

/** In either language: a draft that was typed before the window's language was changed still says it. */
const isBreakGlass = (typed: string, { ja, en }: BreakGlassSentence): boolean =>
  isIdentifier(typed.trim(), ja) || isIdentifier(typed.trim(), en);

function missingConsent({ draft, passphrase }: ActionState, { friction }: PlannedAction): readonly Missing[] {
  if (!friction.secondPerson || draft === null) return [];
  const { breakGlassSentence: wanted } = friction;
  if (draft.consent === "ask") return [];
  if (draft.consent === "person" || wanted === null) {
    return draft.account.trim() === "" || passphrase === "" ? ["consent"] : [];
  }
  const { intent } = draft;
  const proven =
    "evidenceText" in intent ||
    ("reason" in intent && [...intent.reason.trim()].length >= BREAK_GLASS_REASON_MIN);
  return [
    ...(isBreakGlass(draft.sentence, wanted) ? [] : (["sentence"] as const)),
    ...(proven ? [] : (["sentenceReason"] as const)),
  ];
}
