import type { LiveBatch, Operation, RunRow } from "../../shared/api/index.ts";
import type { RunEvent } from "../orchestrator/index.ts";
import type { Clock } from "../store/index.ts";
import type { PictureReader } from "./live-model-read.ts";

export interface LiveModelDeps {
  readonly reader: PictureReader;
  readonly embedded: boolean;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface LiveModel {
  /** The rows of the last picture, newest first; the first call waits for the first reading. Throws `FlowError`. */
  rows(signal?: AbortSignal): Promise<{ readonly rows: readonly RunRow[]; readonly readAt: string }>;
  /** Reads the whole picture now; the time of that reading. Throws `FlowError` when it fails. */
  refresh(signal?: AbortSignal): Promise<string>;
  /** One Run as the model knows it, local events included. */
  row(runId: string): RunRow | undefined;
  /** Changes from now on, until the signal aborts. `writable` is awaited before each batch (backpressure). */
  watch(signal: AbortSignal, writable: () => Promise<void>): AsyncGenerator<LiveBatch, void, void>;
  /** An event of this host's own scheduler: shown at once, without a request (operator-ux U3). */
  localEvent(event: RunEvent): void;
  operation(operation: Operation): void;
  dispose(): Promise<void>;
}
