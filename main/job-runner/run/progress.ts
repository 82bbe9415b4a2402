/** What a run has come to so far; the facts of its result and of its JOB record. */
export interface Progress {
  resolveJob(name: string): void;
  jobId(): string | null;
  /** From here on requests count as the run's own: step 11 of execution-contract §4.2 (§5.1, `apiCalls`). */
  startCounting(): void;
  /** Requests of the final update are not counted. */
  stopCounting(): void;
  apiCalls(): number;
  /** The JOB record exists: the run holds or held the job lock. */
  record(): void;
  isRecorded(): boolean;
  start(startedMs: number): void;
  startedMs(): number | null;
  addRows(rows: number): void;
  readCount(): number;
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
  let recorded = false;
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
    record() {
      recorded = true;
    },
    isRecorded: () => recorded,
    start(ms) {
      startedMs = ms;
    },
    startedMs: () => startedMs,
    addRows(count) {
      rows += count;
    },
    readCount: () => rows,
    addDetail: (line) => {
      detail.push(line);
    },
    detail: () => detail,
  };
}
