import { needsReview } from "../../../../shared/api/index.ts";
import type { AcceptedLine, ActionLine, EndedLine, PeopleLine, ReviewedLine } from "./line.ts";

/** One operation as the journal tells it. */
export interface RecordedAction {
  readonly accepted: AcceptedLine;
  /** Null while it is under way, or after a crash nobody wrote an end for yet. */
  readonly ended: EndedLine | null;
  /** Null where no review was due or none was made. */
  readonly reviewed: ReviewedLine | null;
}

/** What to look for; empty: everything. */
export interface ActionFilter {
  readonly runId?: string | undefined;
  readonly networkId?: string | undefined;
  readonly account?: string | undefined;
  readonly actions?: readonly AcceptedLine["action"][] | undefined;
  /** Only what an approver has to look at, reviewed or not. */
  readonly needsReview?: boolean | undefined;
  /** ISO-8601 UTC, inclusive, and exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ActionPage {
  /** Newest first. */
  readonly actions: readonly RecordedAction[];
  /** `before` of the next page; null when this was the last. */
  readonly nextBefore: number | null;
}

/** One entry of the journal, by the number of the line it began with. */
export type JournalEntry =
  | { readonly kind: "action"; readonly seq: number; readonly action: RecordedAction }
  | { readonly kind: "people"; readonly seq: number; readonly line: PeopleLine };

export interface JournalPage<T extends JournalEntry = JournalEntry> {
  /** Newest first. */
  readonly entries: readonly T[];
  /** `before` of the next page; null when this was the last. */
  readonly nextBefore: number | null;
}

/**
 * Every operation of the lines with its end, newest first. Pure. An id that was accepted twice is two operations: what
 * was written down once is never hidden by what came later.
 */
export function actionsOf(lines: readonly ActionLine[]): readonly RecordedAction[] {
  const found: RecordedAction[] = [];
  const places = new Map<string, number>();
  for (const line of lines) {
    const { operationId } = line;
    if (line.step === "accepted") {
      places.set(operationId, found.length);
      found.push({ accepted: line, ended: null, reviewed: null });
      continue;
    }
    const place = places.get(operationId) ?? -1;
    const known = found[place];
    if (known === undefined) continue;
    if (line.step === "ended") found[place] = { ...known, ended: line };
    else if (line.step === "reviewed") found[place] = { ...known, reviewed: line };
  }
  return found.sort((a, b) => b.accepted.seq - a.accepted.seq);
}

/** Everything of the lines that passes, newest first: operations, and changes among the people, which belong to no network. Pure. */
export function entriesOf(lines: readonly ActionLine[], filter: ActionFilter): readonly JournalEntry[] {
  const actions = actionsOf(lines)
    .filter(({ accepted }) => passes(accepted, filter))
    .map((action): JournalEntry => ({ kind: "action", seq: action.accepted.seq, action }));
  if (Object.values(filter).some((each) => each !== undefined)) return actions;
  const people = lines.flatMap((line): readonly JournalEntry[] =>
    line.step === "approver" || line.step === "roles" ? [{ kind: "people", seq: line.seq, line }] : [],
  );
  return [...actions, ...people].sort((a, b) => b.seq - a.seq);
}

/** A page of them: those that begin before the line `before`. Pure. */
export function pageOfEntries<T extends JournalEntry>(
  entries: readonly T[],
  { before, limit }: { readonly before: number | null; readonly limit: number },
): JournalPage<T> {
  const wanted = entries.filter(({ seq }) => before === null || seq < before);
  const page = wanted.slice(0, limit);
  const last = page.at(-1);
  return { entries: page, nextBefore: wanted.length > page.length && last !== undefined ? last.seq : null };
}

const passes = (line: AcceptedLine, filter: ActionFilter): boolean =>
  (filter.runId === undefined || line.subject.runId === filter.runId) &&
  (filter.networkId === undefined || line.subject.networkId === filter.networkId) &&
  (filter.account === undefined || line.who.account.toLowerCase() === filter.account.toLowerCase()) &&
  (filter.actions === undefined || filter.actions.includes(line.action)) &&
  (filter.needsReview !== true || needsReview(line.consent)) &&
  (filter.from === undefined || line.at >= filter.from) &&
  (filter.to === undefined || line.at < filter.to);
