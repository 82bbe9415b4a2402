import type { TFunction } from "i18next";
import { type ApproversView, type GivenConsent, setByAnother } from "../../shared/api/index.ts";
import { markedText } from "../text/marks.ts";

/** Why an approver has to look at it: nobody consented, or the one who acted had set the passphrase (operator-ux §2.4). */
export function whyReviewed({ account, passphraseBy }: GivenConsent, t: TFunction): string {
  if (passphraseBy === undefined) return t("approvals.review.nobody");
  const approver = markedText(account ?? "", true);
  return t("approvals.review.ownPassphrase", { approver, account: markedText(passphraseBy, true) });
}

type Approver = ApproversView["approvers"][number];

/** Who set the passphrase, where that was not the approver; null where there is nothing to tell. */
export function setByNote(approver: Approver, t: TFunction): string | null {
  if (approver.registeredAt === null) return null;
  if (approver.setBy === null) return t("approvals.people.setByUnknown");
  const another = setByAnother(approver);
  return another === null ? null : t("approvals.people.setBy", { account: markedText(another, true) });
}
