import type { AuditFilter, AuditPageOf, AuditPlace } from "../../../shared/api/index.ts";
import type { HistoryItem, HistorySource, HistoryWalk } from "./ports.ts";

/** Most entries of one source looked at in one call: a filter that fits little must not read the whole app. */
const LOOKED_MOST = 1_000;

export interface HistoryDeps {
  readonly records: HistorySource;
  /** This console's own journal. */
  readonly journal: HistorySource;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

export interface HistoryWish {
  readonly filter: AuditFilter;
  readonly before: AuditPlace | null;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HistoryPage extends Omit<AuditPageOf, "entries"> {
  readonly items: readonly HistoryItem[];
}

/**
 * What was done, newest first. Within a source the order is that of its records; which of two sources comes first is
 * told by their times alone, and the page says so: a minute's precision orders nothing (wire-format §5).
 */
export async function readHistory(deps: HistoryDeps, wish: HistoryWish): Promise<HistoryPage> {
  const { filter, before, limit, signal } = wish;
  const walk = (source: HistorySource, from: string | null): HistoryWalk =>
    source.walk({ filter, before: from, most: LOOKED_MOST, signal });
  const records = walk(deps.records, before?.records ?? null);
  const journal = walk(deps.journal, before?.journal ?? null);
  const items: HistoryItem[] = [];
  let ended = false;
  while (items.length < limit) {
    const [left, right] = [await records.peek(), await journal.peek()];
    // A source that was not looked through may hold something newer than the head of the other one.
    if (left.kind === "bound" || right.kind === "bound") break;
    const taken = later(left.kind === "item" ? left.item : null, right.kind === "item" ? right.item : null);
    if (taken === null) {
      ended = true;
      break;
    }
    items.push(taken);
    (taken.entry.source === "records" ? records : journal).take();
  }
  const next = ended ? null : { records: records.place(), journal: journal.place() };
  const looked = records.looked() + journal.looked();
  return { items, next, looked, readAt: new Date(deps.nowMs()).toISOString() };
}

/** The one with the later time; a record without a readable time stays where its source has it. */
function later(record: HistoryItem | null, line: HistoryItem | null): HistoryItem | null {
  if (record === null || line === null) return record ?? line;
  const [left, right] = [record.entry.at, line.entry.at].map((at) => Date.parse(at ?? ""));
  if (left === undefined || Number.isNaN(left)) return record;
  return right !== undefined && right > left ? line : record;
}
