import { type WriteRequest, type WriteResult, write } from "../../kintone-client/index.ts";
import type { Calls } from "../run/calls.ts";
import { answerFailure, RunFailure } from "../run/failure.ts";

/** What a re-read says about a write whose answer was lost. */
export type Settled =
  /** kintone holds what was sent. */
  | "applied"
  /** It does not, as far as this read shows. */
  | "absent"
  /** Nobody can say. */
  | "unclear";

/** One write request of a statement, at most 100 records. */
export interface Chunk {
  readonly request: WriteRequest;
  /** Completes "to …" in messages, such as "insert records into LAPP_x". */
  readonly what: string;
  readonly records: number;
  /** Key of its last record, null when the write has none (execution-contract §5.1). */
  readonly lastKey: string | null;
  /** Looks whether kintone holds what was sent. */
  readonly settle: () => Promise<Settled>;
  /** True when a second copy can change nothing that the first one did. */
  readonly repeatable: boolean;
}

/** A chunk kintone is known to have taken. `result` is null when only a re-read tells so. */
export interface ChunkDone {
  readonly chunk: Chunk;
  readonly result: WriteResult | null;
}

export interface SendDeps {
  readonly calls: Calls;
  /** Throws when the run has to end; asked before every chunk (job-dialect §8). */
  readonly check: () => void;
  /** Waits before a copy is sent again. */
  readonly pause: (attempt: number) => Promise<void>;
  /** Copies sent of one chunk at most, at least 1. */
  readonly maxAttempts: number;
  /** Notes a chunk in the journal of the run: only what is known to be written. */
  readonly onChunk: (done: ChunkDone) => void;
}

/**
 * Sends one chunk. A lost answer is settled by reading before anything else: what is there counts as written,
 * and only a write that cannot double is sent again (kintone-rest W6). Throws RunFailure with the contract's
 * code, or Stopped; then the chunk is in no count.
 */
export async function sendChunk(chunk: Chunk, deps: SendDeps): Promise<ChunkDone> {
  let lost = false;
  for (let attempt = 1; ; attempt += 1) {
    if (attempt === 1) deps.check();
    const answer = await deps.calls.send(write(chunk.request));
    if (answer.kind === "ok") return note({ chunk, result: answer.value }, deps);
    // A refusal after a lost copy may be about that very copy: a taken unique value, a record already gone.
    lost ||= answer.kind === "unknown";
    const settled = lost ? await chunk.settle() : "absent";
    if (settled === "applied") return note({ chunk, result: null }, deps);
    const failure = answerFailure(answer, chunk.what);
    if (answer.kind === "refused") throw failure;
    if (settled === "unclear" || !chunk.repeatable) throw unsettled(failure, chunk, settled);
    if (attempt >= deps.maxAttempts) throw failure;
    deps.check();
    await deps.pause(attempt + 1);
  }
}

function note(done: ChunkDone, deps: SendDeps): ChunkDone {
  deps.onChunk(done);
  return done;
}

function unsettled(failure: RunFailure, chunk: Chunk, settled: "absent" | "unclear"): RunFailure {
  const seen = settled === "absent" ? "they were not found afterwards" : "and it cannot be looked up";
  const message = `${failure.message} Whether these ${chunk.records} records were written is unknown: ${seen}. They were not sent again.`;
  return new RunFailure(failure.resultCode, failure.code, message);
}
