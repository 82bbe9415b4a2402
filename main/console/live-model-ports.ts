import type {
  BudgetShare,
  ClockDifference,
  Freshness,
  LiveBatch,
  Look,
  Mode,
  Operation,
  RunRow,
  SettingsNews,
  Source,
} from "../../shared/api/index.ts";
import type { RunEvent } from "../orchestrator/index.ts";
import type { Clock } from "../store/index.ts";
import type { PictureReader } from "./live-model-read.ts";
import type { PictureFile } from "./picture-file.ts";

/** The apps beside the state app, each asked whether it answers. */
export type ProbedSource = "audit" | "request" | "jobLog";
export type Probe = (signal: AbortSignal) => Promise<void>;

export interface LiveModelDeps {
  readonly reader: PictureReader;
  readonly embedded: boolean;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Resolves after the time or, early and without an error, when the signal aborts. Milliseconds. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly probes: ReadonlyMap<ProbedSource, Probe>;
  /** Requests of today by source, for the sources that are apps. */
  readonly budget: () => readonly BudgetShare[];
  /** How far the clocks are apart; null before an answer told it (electron-desktop L13). */
  readonly serverClock: () => ClockDifference | null;
  /** Where the last picture is kept; null keeps none. */
  readonly kept: PictureFile | null;
}

export interface LiveModel {
  /** The rows of the last picture, newest first; the first call waits for the first reading. Throws `FlowError`. */
  rows(signal?: AbortSignal): Promise<{ readonly rows: readonly RunRow[]; readonly readAt: string }>;
  /** Reads the whole picture now; the time of that reading. Throws `FlowError` when it fails. */
  refresh(signal?: AbortSignal): Promise<string>;
  /** One Run as the model knows it, local events included. */
  row(runId: string): RunRow | undefined;
  /** Every Run known now, newest first, without waiting. */
  known(): readonly RunRow[];
  /** Changes from now on, until the signal aborts. `writable` is awaited before each batch (backpressure). */
  watch(
    signal: AbortSignal,
    writable: () => Promise<void>,
    viewerId?: string,
  ): AsyncGenerator<LiveBatch, void, void>;
  /** What a window shows from now on (operator-ux U2, U8). */
  look(look: Look): void;
  freshness(): readonly Freshness[];
  /** Of one source; null when this workspace has no such app. */
  freshnessOf(source: Source): Freshness | null;
  /** An event of this host's own scheduler: shown at once, without a request (operator-ux U3). */
  localEvent(event: RunEvent): void;
  operation(operation: Operation): void;
  /** Reads one of the apps beside the state app now; resolves after that reading, at once where there is no such app. */
  readSource(source: ProbedSource): Promise<void>;
  /** Reads one Run again after something was done to it (operator-ux U9). */
  touch(runId: string): void;
  /** The machine woke up: everything is read once more within five seconds (operator-ux U7). */
  resumed(): void;
  mode(mode: Mode): void;
  /** Settings or roles were saved; the budget may be another, and with it the intervals. */
  settings(news: SettingsNews): void;
  /** Something was filed for consent, decided, withdrawn or reviewed. */
  approvals(): void;
  dispose(): Promise<void>;
}
