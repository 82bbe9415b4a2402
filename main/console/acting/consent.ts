import type { Consent, GivenConsent, Intent } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { visibleLength } from "../../../shared/domain/visible-text.ts";
import type { ProvenApprover } from "./people/approvers.ts";
import type { Planned } from "./ports.ts";
import { isBreakGlassSentence } from "./sentence.ts";

/** Proves that somebody is an approver and none of `requesters`, by account and by name. Codes `SELF_APPROVAL`, `CONSENT_REFUSED`, `CONSENT_TOO_OFTEN`. */
export type ProveApprover = (
  account: string,
  passphrase: string,
  requesters: readonly string[],
) => Promise<Result<ProvenApprover>>;

const NO_CONSENT: GivenConsent = { kind: "none", account: null };

/**
 * Whether the consent an action needs is there (operator-ux §2.4). Codes `CONSENT_REQUIRED`, those of
 * {@link ProveApprover}, `DISTINCT_APPROVER_REQUIRED`, `BREAK_GLASS_SENTENCE_MISMATCH`, `BREAK_GLASS_EVIDENCE_REQUIRED`.
 */
export async function checkConsent(
  intent: Intent,
  planned: Pick<Planned, "plan" | "friction">,
  given: Consent,
  requesters: readonly string[],
  prove: ProveApprover,
): Promise<Result<GivenConsent>> {
  if (!planned.friction.secondPerson) return ok(NO_CONSENT);
  switch (given.kind) {
    case "none":
      return fail(required);
    case "person": {
      const proven = await prove(given.account, given.passphrase, requesters);
      return proven.ok ? ok(ofPerson(proven.value)) : proven;
    }
    case "breakGlass":
      return breakGlass(intent, planned, given.sentence);
  }
}

const ofPerson = ({ account, passphraseBy }: ProvenApprover): GivenConsent => ({
  kind: "person",
  account,
  ...(passphraseBy !== null && { passphraseBy }),
});

function breakGlass(
  intent: Intent,
  { plan, friction }: Pick<Planned, "plan" | "friction">,
  sentence: string,
): Result<GivenConsent> {
  if (friction.breakGlassSentence === null) return fail(distinctApprover);
  if (!isBreakGlassSentence(sentence, intent, plan)) return fail(otherSentence);
  return hasProof(intent) ? ok({ kind: "breakGlass", account: null }) : fail(noProof(intent));
}

/** Characters of a reason that stands alone for the missing consent. */
export const BREAK_GLASS_REASON_MIN = 20;

function hasProof(intent: Intent): boolean {
  if ("evidenceText" in intent)
    return visibleLength(intent.evidenceText) > 0 || intent.evidenceFiles.length > 0;
  return "reason" in intent && visibleLength(intent.reason) >= BREAK_GLASS_REASON_MIN;
}

const required: Problem = {
  code: "CONSENT_REQUIRED",
  message: "This needs the consent of another person; nothing was done.",
  place: "consent",
  remedy: "Ask an approver to enter account and passphrase, or file the request for consent.",
};
const distinctApprover: Problem = {
  code: "DISTINCT_APPROVER_REQUIRED",
  message:
    "A node that must not run twice becomes SUCCESS only with a second person's word; a sentence does not replace it.",
  place: "consent",
  remedy: "Ask an approver, or choose another outcome.",
};
const otherSentence: Problem = {
  code: "BREAK_GLASS_SENTENCE_MISMATCH",
  message:
    "The sentence that takes the place of a second person was not typed word by word; nothing was done.",
  place: "consent",
  remedy: "Type the sentence as it is shown.",
};
const noProof = (intent: Intent): Problem => ({
  code: "BREAK_GLASS_EVIDENCE_REQUIRED",
  message:
    "Without a second person evidence has to be given, or a reason that stands for it; nothing was done.",
  place: "evidenceText" in intent ? "evidenceText" : "reason",
  remedy: "Give the evidence; where there is no field for it, a reason of at least 20 characters.",
});
