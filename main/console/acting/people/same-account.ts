/** Accounts are told apart without case, and with or without the domain in front: a doubt counts as the same person. */
export function sameAccount(left: string, right: string): boolean {
  const [a, b] = [plain(left), plain(right)];
  if (a === b) return true;
  const [shortA, shortB] = [short(a), short(b)];
  // Two domains are two people; a name without one could be either of them.
  return shortA === shortB && (a === shortA || b === shortB);
}

const plain = (account: string): string => account.trim().normalize("NFKC").toLowerCase();
const short = (account: string): string => account.split("\\").at(-1)?.split("@").at(0) ?? account;
