import { ATTEMPTS_MAX, type AttemptFacts, type AttemptPage } from "../../../shared/api/index.ts";
import type { Attempt, Stored } from "../../../shared/domain/model.ts";
import { attemptErrorText } from "../../../shared/records/index.ts";
import type { FlowReads, RunGraph } from "../../store/index.ts";
import { createBoundedCache } from "./bounded-cache.ts";
import { placed } from "./run-place.ts";

/** A page of attempts ends at this many characters: messages may be long, and a line must stay quick. */
const PAGE_CHARS = 256 * 1024;
/** Runs whose last reading is kept for the pages that follow it: one for each window, and a few left just now. */
const KEPT_RUNS = 4;

export interface ReadRun {
  readonly graph: RunGraph;
  readonly readAt: string;
}

export interface RunRecords {
  /** Reads all records of a Run now. */
  fresh(runId: string, signal: AbortSignal | undefined): Promise<ReadRun>;
  /** The last reading; reads when there is none. */
  last(runId: string, signal: AbortSignal | undefined): Promise<ReadRun>;
}

/** Readings of whole Runs, kept for the pages asked of them: paging costs the kintone nothing (operator-ux U2). */
export function createRunRecords(reads: Pick<FlowReads, "readRunGraph">, nowMs: () => number): RunRecords {
  const kept = createBoundedCache<ReadRun>(KEPT_RUNS);
  const fresh: RunRecords["fresh"] = async (runId, signal) => {
    const read = {
      graph: await reads.readRunGraph(runId, signal),
      readAt: new Date(nowMs()).toISOString(),
    };
    if (read.graph.run !== null) kept.set(runId, read);
    return read;
  };
  return { fresh, last: async (runId, signal) => kept.get(runId) ?? fresh(runId, signal) };
}

export interface AttemptQuery {
  readonly nodeId?: string | undefined;
  /** `recordId` of the last attempt of the page before. */
  readonly after?: string | undefined;
}

/**
 * One page of attempts that stand by `$id`. The cursor is a record id, not an offset: attempts made while one pages
 * shift nothing. A page holds at least one attempt, however long its message.
 */
export function attemptsPage(
  attempts: readonly Stored<Attempt>[],
  { nodeId, after }: AttemptQuery,
): Omit<AttemptPage, "readAt"> {
  const wanted = nodeId === undefined ? attempts : attempts.filter((each) => each.nodeId === nodeId);
  const rest =
    after === undefined ? wanted : wanted.filter(({ ref }) => Number(ref.recordId) > Number(after));
  const page: (AttemptFacts & { readonly recordId: string })[] = [];
  let chars = 0;
  for (const attempt of rest.slice(0, ATTEMPTS_MAX)) {
    // What a job read and wrote takes the message's place in the record; it is no message (W-17b).
    const errorMessage = attemptErrorText(attempt.errorMessage, null);
    const facts = placed({ ...attempt, errorMessage });
    chars += JSON.stringify(facts).length;
    if (page.length > 0 && chars > PAGE_CHARS) break;
    page.push(facts);
  }
  const last = page.at(-1);
  return {
    attempts: page,
    next: rest.length > page.length && last !== undefined ? last.recordId : null,
    total: wanted.length,
  };
}
