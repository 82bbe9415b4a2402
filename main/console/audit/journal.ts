import type { AuditChain, GivenConsent } from "../../../shared/api/index.ts";
import type { ActionJournal, JournalEntry, RecordedAction } from "../acting/journal/index.ts";
import { problemOf } from "../live-model-readings.ts";
import { ENDED, walkPages } from "./cursor.ts";
import { nothing, type RunOf } from "./item.ts";
import { itemOfPeople } from "./people.ts";
import { type HistoryItem, type HistoryWalk, type JournalSource, OWN_KINDS, type WalkWish } from "./ports.ts";

export type ActionReads = Pick<ActionJournal, "history" | "check">;

const PAGE = 200;

/** This console's own journal as a source of the history; each action stands where it was accepted. */
export function createJournalSource(journal: ActionReads, runOf: RunOf): JournalSource {
  return {
    walk: (wish) => walkJournal(journal, runOf, wish),
    async find(place) {
      const seq = Number(place);
      const { entries } = await journal.history({ before: seq + 1, limit: 1, filter: {} });
      const [entry] = entries;
      return entry?.seq === seq ? itemOfEntry(entry, runOf) : null;
    },
    check: () => checkChain(journal),
  };
}

async function checkChain(journal: ActionReads): Promise<Omit<AuditChain, "checkedAt">> {
  try {
    const { lines, breaks, head } = await journal.check();
    const [first] = breaks;
    if (first !== undefined) {
      const { file, line, kind } = first;
      return {
        state: "broken",
        lines,
        brokenAt: line,
        head,
        problem: {
          code: "ACTION_JOURNAL_BROKEN",
          message: `A line of the action journal does not follow from the one before (${kind}).`,
          place: `${file}:${line}`,
          remedy: "Keep the file as it is and hand it on; what stands after the line is still read.",
          details: { breaks: breaks.length },
        },
      };
    }
    const state = lines === 0 ? "empty" : "sound";
    return { state, lines, brokenAt: null, head: lines === 0 ? null : head, problem: null };
  } catch (cause) {
    return { state: "unreadable", lines: 0, brokenAt: null, head: null, problem: problemOf(cause) };
  }
}

function walkJournal(journal: ActionReads, runOf: RunOf, wish: WalkWish): HistoryWalk {
  const { kind, networkId } = wish.filter;
  const none = kind !== undefined && !OWN_KINDS.some((each) => each === kind);
  return walkPages(wish, none ? ENDED : wish.before, async (before) => {
    const page = await journal.history({
      before: before === null ? null : Number(before),
      limit: PAGE,
      filter: networkId === undefined ? {} : { networkId },
    });
    const items = page.entries.map((entry) => itemOfEntry(entry, runOf));
    const next = page.nextBefore === null ? null : String(page.nextBefore);
    return { items, looked: items.length, next };
  });
}

const itemOfEntry = (entry: JournalEntry, runOf: RunOf): HistoryItem =>
  entry.kind === "action" ? itemOfAction(entry.action, runOf) : itemOfPeople(entry.line);

/** Told under a name of its own: what is called a passphrase is cleaned away as a secret, and this is an account. */
function consentFacts({ passphraseBy, ...consent }: GivenConsent): Readonly<Record<string, string | null>> {
  return passphraseBy === undefined ? consent : { ...consent, approverSetBy: passphraseBy };
}

/** An action as an entry of the history: what was meant, and what came of it as far as the journal knows. Pure. */
function itemOfAction({ accepted, ended, reviewed }: RecordedAction, runOf: RunOf): HistoryItem {
  const { seq, at, action, subject, who, consent, reason } = accepted;
  const run = subject.runId === null ? undefined : runOf(subject.runId);
  const confirmedBy = accepted.arguments.stopConfirmedBy ?? accepted.arguments.confirmedBy;
  const { kind: _kind, formatVersion: _version, step: _step, ...facts } = accepted;
  return {
    entry: {
      ...nothing,
      key: `journal-${seq}`,
      source: "journal",
      order: String(seq),
      revision: null,
      kind: "action",
      detail: action,
      at,
      networkId: subject.networkId ?? run?.networkId ?? null,
      runId: subject.runId,
      businessKey: subject.businessKey ?? run?.businessKey ?? null,
      nodeId: subject.nodeId,
      who: who.requestedBy,
      confirmedBy: typeof confirmedBy === "string" && confirmedBy !== "" ? confirmedBy : null,
      approvedBy: consent.account,
      principal: who.servicePrincipal,
      result: ended === null ? "accepted" : (ended.code ?? ended.state),
      reason: reason === "" ? null : reason,
    },
    facts: { ...facts, consent: consentFacts(consent), ended, reviewed },
    problem: null,
  };
}
