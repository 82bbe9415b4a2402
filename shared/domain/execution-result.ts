/** Receipt of a CSV source the runner read (execution-contract §5.4); `rows` and `encoding` only once it was materialised. */
export interface InputFileReceipt {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows?: number | undefined;
  readonly encoding?: string | undefined;
}
/** Receipt of a CSV file the runner wrote (execution-contract §5.1). */
export interface OutputFileReceipt {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly encoding: "utf8" | "sjis";
}

/**
 * The runner's Execution Result, keys as in the file (execution-contract §5.1). Whoever makes one has checked
 * the type of every key; what the keys must be together is judged by `attempt-verdict`.
 */
export interface ExecutionResult {
  readonly formatVersion: 1;
  readonly kind: "EXECUTION_RESULT";
  readonly contract: "ksql-flow.execution/v1";
  readonly correlationId: string;
  readonly attemptId: string;
  readonly executionId: string;
  readonly jobId: string;
  readonly profile: string;
  readonly status: "SUCCESS" | "FAILED" | "CANCELLED";
  readonly resultCode: string;
  readonly executionStarted: boolean;
  readonly exitCode: number;
  readonly asOf: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly readCount: number;
  readonly writtenCount: number;
  readonly deletedCount: number;
  readonly apiCalls: number;
  readonly lastSuccessfulChunkNo: number | null;
  readonly lastWrittenKey: string | null;
  readonly ksqlFlowVersion: string;
  readonly engineVersion: string;
  readonly input_files?: readonly InputFileReceipt[] | undefined;
  readonly output_files?: readonly OutputFileReceipt[] | undefined;
  readonly error: {
    readonly category: string;
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
    readonly detailsTruncated: boolean;
  } | null;
}
