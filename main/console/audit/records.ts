import type { AuditFilter } from "../../../shared/api/index.ts";
import type { AuditReads, AuditRecordKind } from "../../store/index.ts";
import { ENDED, walkPages } from "./cursor.ts";
import { itemOfRecord, type RunOf } from "./item.ts";
import type { HistorySource, HistoryWalk, WalkWish } from "./ports.ts";

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
    case "approver":
    case "roles":
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
  const { filter, signal, before } = wish;
  const kinds = kindsFor(filter);
  const runId = filter.run !== undefined && RUN_ID.test(filter.run) ? filter.run : null;
  return walkPages(wish, kinds.length === 0 ? ENDED : before, async (beforeId) => {
    const page = await audits.listAudits({ beforeId, limit: PAGE, kinds, runId }, signal);
    return { ...page, items: page.records.map((record) => itemOfRecord(record, runOf)) };
  });
}
