import type { AuditFilter } from "../../../shared/api/index.ts";
import type { AuditReads, AuditRecordKind } from "../../store/index.ts";
import { fits, itemOfRecord, type RunOf } from "./item.ts";
import type { HistoryItem, HistorySource, HistoryStep, HistoryWalk, WalkWish } from "./ports.ts";

/** Records asked for at once. */
const PAGE = 200;
const RUN_ID = /^netrun_[0-9a-f-]{36}$/;
const EVERY: readonly AuditRecordKind[] = ["operation", "resolution", "invocation"];

/** Which records can hold what is asked for: fewer are read where the question says so. */
function kindsFor({ kind }: AuditFilter): readonly AuditRecordKind[] {
  switch (kind) {
    case undefined:
    case "unreadable":
      return EVERY;
    case "resolution":
    case "invocation":
      return [kind];
    case "action":
      return [];
    default:
      return ["operation"];
  }
}

/** The audit app as a source of the history, read in pages as it is walked. */
export function createRecordSource(audits: AuditReads, runOf: RunOf): HistorySource {
  return {
    walk: (wish) => walkRecords(audits, runOf, wish),
    async find(place, signal) {
      const record = await audits.readAudit(place, signal);
      return record === null ? null : itemOfRecord(record, runOf);
    },
  };
}

function walkRecords(audits: AuditReads, runOf: RunOf, wish: WalkWish): HistoryWalk {
  const { filter, most, signal } = wish;
  const kinds = kindsFor(filter);
  const runId = filter.run !== undefined && RUN_ID.test(filter.run) ? filter.run : null;
  let items: readonly HistoryItem[] = [];
  let at = 0;
  let place = wish.before;
  let next: string | null = kinds.length === 0 ? "0" : wish.before;
  let looked = 0;
  const read = async (): Promise<void> => {
    const page = await audits.listAudits({ beforeId: next, limit: PAGE, kinds, runId }, signal);
    items = page.records.map((record) => itemOfRecord(record, runOf));
    at = 0;
    looked += page.looked;
    next = page.next ?? "0";
    if (items.length === 0) place = next;
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
      if (next === "0") {
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
