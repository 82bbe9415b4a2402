import type { PeopleLine } from "../acting/journal/index.ts";
import { nothing } from "./item.ts";
import type { HistoryItem } from "./ports.ts";

/** A passphrase or roles that changed, as an entry of the history: whose, and by whom as far as it is known. Pure. */
export function itemOfPeople(line: PeopleLine): HistoryItem {
  const { kind: _kind, formatVersion: _version, step, ...facts } = line;
  const { seq, at, who } = line;
  const place = { key: `journal-${seq}`, source: "journal", order: String(seq), revision: null, at } as const;
  const entry = { ...nothing, ...place, kind: step };
  if (step === "approver") {
    return {
      entry: { ...entry, detail: line.change, who: who.account, account: line.account },
      facts,
      problem: null,
    };
  }
  const accounts = line.changes.flatMap(({ account }) => (account === null ? [] : [account]));
  return {
    entry: {
      ...entry,
      detail: line.from,
      // A file that was found changed does not tell who changed it: whoever found it did not.
      who: line.from === "console" ? who.account : null,
      account: accounts.length === 0 ? null : accounts.join(", "),
      result: line.problem,
    },
    facts,
    problem: null,
  };
}
