import { type SetPassphrase, setByAnother } from "../../../../shared/api/index.ts";
import { sameAccount } from "./same-account.ts";

/**
 * The account that both acts and set the passphrase it is consented with, or null. Whoever sets a passphrase knows it, so
 * such a consent shows one person and not two (operator-ux §2.4, "No self-approval"). A doubt counts as the same. Pure.
 */
export function passphraseOfRequester(given: SetPassphrase, requesters: readonly string[]): string | null {
  const setter = setByAnother(given);
  return setter !== null && requesters.some((requester) => sameAccount(requester, setter)) ? setter : null;
}
