/** What a run is known to have written (execution-contract §5.1): only chunks kintone took, never one in doubt. */
export interface WrittenFacts {
  /** Deletions included. */
  readonly writtenCount: number;
  readonly deletedCount: number;
  /** Chunks written, null when none. */
  readonly lastSuccessfulChunkNo: number | null;
  /** Key of the last record written, `chunk:<n>` where it has none; null before the first chunk. */
  readonly lastWrittenKey: string | null;
}

export const NOTHING_WRITTEN: WrittenFacts = {
  writtenCount: 0,
  deletedCount: 0,
  lastSuccessfulChunkNo: null,
  lastWrittenKey: null,
};

/** What a run has come to so far; the facts of its result and of its JOB record. */
export interface Progress {
  resolveJob(name: string): void;
  jobId(): string | null;
  /** From here on requests count as the run's own: step 11 of execution-contract §4.2 (§5.1, `apiCalls`). */
  startCounting(): void;
  /** Requests of the final update are not counted. */
  stopCounting(): void;
  apiCalls(): number;
  /** The job lock is being inserted: from here on it may be ours. */
  mayHoldLock(): void;
  lockIsPossible(): boolean;
  /** The JOB record exists: the run holds or held the job lock. */
  record(): void;
  isRecorded(): boolean;
  /** The verdict stands in the JOB record: a cancel that comes later changes nothing any more. */
  settle(): void;
  isSettled(): boolean;
  start(startedMs: number): void;
  startedMs(): number | null;
  addRows(rows: number): void;
  readCount(): number;
  /** A chunk kintone is known to have taken: its records, and the key of its last one where there is one. */
  addChunk(chunk: {
    readonly records: number;
    readonly deleted: boolean;
    readonly lastKey: string | null;
  }): void;
  written(): WrittenFacts;
  addDetail(line: string): void;
  detail(): readonly string[];
}

/** `requests`: requests sent so far, all of them. */
export function createProgress(requests: () => number): Progress {
  const detail: string[] = [];
  let jobId: string | null = null;
  let from: number | null = null;
  let to: number | null = null;
  let startedMs: number | null = null;
  let rows = 0;
  let locking = false;
  let recorded = false;
  let settled = false;
  let written = NOTHING_WRITTEN;
  return {
    resolveJob(name) {
      jobId = name;
    },
    jobId: () => jobId,
    startCounting() {
      from = requests();
    },
    stopCounting() {
      to = requests();
    },
    apiCalls: () => (from === null ? 0 : (to ?? requests()) - from),
    mayHoldLock() {
      locking = true;
    },
    lockIsPossible: () => locking,
    record() {
      recorded = true;
    },
    isRecorded: () => recorded,
    settle() {
      settled = true;
    },
    isSettled: () => settled,
    start(ms) {
      startedMs = ms;
    },
    startedMs: () => startedMs,
    addRows(count) {
      rows += count;
    },
    readCount: () => rows,
    addChunk({ records, deleted, lastKey }) {
      const chunkNo = (written.lastSuccessfulChunkNo ?? 0) + 1;
      written = {
        writtenCount: written.writtenCount + records,
        deletedCount: written.deletedCount + (deleted ? records : 0),
        lastSuccessfulChunkNo: chunkNo,
        lastWrittenKey: lastKey ?? `chunk:${chunkNo}`,
      };
    },
    written: () => written,
    addDetail: (line) => {
      detail.push(line);
    },
    detail: () => detail,
  };
}
