import type { AuditChain, GivenConsent } from "../../../shared/api/index.ts";
import type { ActionFilter, ActionJournal, RecordedAction } from "../acting/journal/index.ts";
import { problemOf } from "../live-model-readings.ts";
import { fits, type RunOf } from "./item.ts";
import type { HistoryItem, HistoryStep, HistoryWalk, JournalSource, WalkWish } from "./ports.ts";

export type ActionReads = Pick<ActionJournal, "read" | "check">;

const PAGE = 200;

/** This console's own journal of actions as a source of the history; each action stands where it was accepted. */
export function createJournalSource(journal: ActionReads, runOf: RunOf): JournalSource {
  return {
    walk: (wish) => walkActions(journal, runOf, wish),
    async find(place) {
      const seq = Number(place);
      const { actions } = await journal.read({ before: seq + 1, limit: 1, filter: {} });
      const [action] = actions;
      return action?.accepted.seq === seq ? itemOfAction(action, runOf) : null;
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

function walkActions(journal: ActionReads, runOf: RunOf, wish: WalkWish): HistoryWalk {
  const { filter, most, before } = wish;
  const none = filter.kind !== undefined && filter.kind !== "action";
  const asked: ActionFilter = filter.networkId === undefined ? {} : { networkId: filter.networkId };
  let items: readonly HistoryItem[] = [];
  let at = 0;
  let place = before;
  let next: number | null = none || before === "0" ? 0 : before === null ? null : Number(before);
  let looked = 0;
  const read = async (): Promise<void> => {
    const page = await journal.read({ before: next, limit: PAGE, filter: asked });
    items = page.actions.map((action) => itemOfAction(action, runOf));
    at = 0;
    looked += items.length;
    next = page.nextBefore ?? 0;
  };
  const peek = async (): Promise<HistoryStep> => {
    for (;;) {
      const item = items[at];
      if (item !== undefined && fits(item.entry, filter)) return { kind: "item", item };
      if (item !== undefined) {
        place = item.entry.order;
        at += 1;
        continue;
      }
      if (next === 0) {
        place = "0";
        return { kind: "end" };
      }
      if (looked >= most) return { kind: "bound" };
      await read();
    }
  };
  return {
    peek,
    take() {
      const item = items[at];
      if (item === undefined) return;
      place = item.entry.order;
      at += 1;
    },
    place: () => place,
    looked: () => looked,
  };
}

/** Told under a name of its own: what is called a passphrase is cleaned away as a secret, and this is an account. */
function consentFacts({ passphraseBy, ...consent }: GivenConsent): Readonly<Record<string, string | null>> {
  return passphraseBy === undefined ? consent : { ...consent, approverSetBy: passphraseBy };
}

/** An action as an entry of the history: what was meant, and what came of it as far as the journal knows. Pure. */
export function itemOfAction({ accepted, ended, reviewed }: RecordedAction, runOf: RunOf): HistoryItem {
  const { seq, at, action, subject, who, consent, reason } = accepted;
  const run = subject.runId === null ? undefined : runOf(subject.runId);
  const confirmedBy = accepted.arguments.stopConfirmedBy;
  const { kind: _kind, formatVersion: _version, step: _step, ...facts } = accepted;
  return {
    entry: {
      key: `journal-${seq}`,
      source: "journal",
      order: String(seq),
      revision: null,
      kind: "action",
      detail: action,
      at,
      precision: "exact",
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
