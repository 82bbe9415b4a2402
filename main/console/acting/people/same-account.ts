import { visibleText } from "../../../../shared/domain/visible-text.ts";

/** Accounts are told apart without case, and with or without the domain in front: a doubt counts as the same person. */
export function sameAccount(left: string, right: string): boolean {
  const [a, b] = [plain(left), plain(right)];
  if (a === b) return true;
  if (short(a) !== short(b)) return false;
  // Two domains of one form are two people. A bare name could be of any, and which SITE\ belongs to which @site nobody
  // knows here.
  return formOf(a) === "bare" || formOf(a) !== formOf(b);
}

const formOf = (account: string): "site" | "address" | "bare" =>
  account.includes("\\") ? "site" : account.includes("@") ? "address" : "bare";

const plain = (account: string): string => visibleText(account.normalize("NFKC")).toLowerCase();
const short = (account: string): string => account.split("\\").at(-1)?.split("@").at(0) ?? account;
