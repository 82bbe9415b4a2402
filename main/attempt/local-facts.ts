import type { OrphanFacts } from "../../shared/domain/orphan-verdict.ts";
import type { ProcessInspector } from "../process/index.ts";
import type { AttemptJournal } from "./journal/journal.ts";

/**
 * What this host knows of an orphaned attempt (decisions §3): the journal and the table of processes. A journal
 * that may have lost a line does not prove ownership, and an unfinished search proves no absence.
 */
export async function localFactsOf(
  attemptId: string,
  journal: AttemptJournal,
  inspector: ProcessInspector,
): Promise<NonNullable<OrphanFacts["local"]>> {
  const evidence = await journal.evidenceFor(attemptId);
  const search = inspector.searchByAttemptId(attemptId);
  return {
    owned: evidence.thisHostAndBoot && !evidence.mayBeIncomplete,
    spawned: evidence.spawned !== null,
    alive: search.found.length > 0 ? true : search.inconclusive === null ? false : null,
  };
}

/** Journals that this process is about to hold the Network lock for an invocation. Error: `JOURNAL_WRITE_FAILED`. */
export async function journalLockOwner(
  invocationId: string,
  journal: AttemptJournal,
  inspector: ProcessInspector,
): Promise<void> {
  const self = inspector.identify(process.pid) ?? { pid: process.pid, processStart: null, image: null };
  await journal.append({ event: "lock-owner", invocationId, process: self });
}
