import type {
  KintoneAnswer,
  KintoneOperation,
  KintoneTransport,
  Refusal,
  SendOptions,
  UnknownOutcome,
} from "../../kintone-client/index.ts";
import { API_LIMIT_EXCEEDED, answerFailure, RunFailure } from "./failure.ts";
import { mayReadAgain, mayWriteAgain, pauseBefore, type RetryRules } from "./retry.ts";
import type { StopControl } from "./stop.ts";

/** The run's way to kintone: every request counted, the job's own ones capped and stoppable. */
export interface Calls {
  /** Requests sent so far, repetitions included. */
  count(): number;
  /** A read that may be repeated. Throws RunFailure (`API_ERROR`, `AUTH_ERROR`) or Stopped. */
  read<T>(operation: KintoneOperation<T>, what: string): Promise<T>;
  /**
   * A write of the job, answered as a value: counts against `maxApiCalls`, not sent after a stop. Sent again
   * only while kintone proves that the copy before did not run (429); an unknown outcome comes back as it is.
   */
  send<T>(operation: KintoneOperation<T>): Promise<KintoneAnswer<T>>;
  /** A write of the bookkeeping: counted, but never withheld, so that a lock can always be released. */
  sendAlways<T>(operation: KintoneOperation<T>): Promise<KintoneAnswer<T>>;
  /** A repeated read of the bookkeeping. */
  readAlways<T>(operation: KintoneOperation<T>): Promise<KintoneAnswer<T>>;
}

export interface CallsDeps {
  readonly transport: KintoneTransport;
  readonly stop: StopControl;
  readonly retry: RetryRules;
  /** Null = no limit (execution-contract §8). */
  readonly maxApiCalls: number | null;
  /** Bookkeeping waits its full time even when the run has to end, once it may hold a lock. */
  readonly sleep: (ms: number) => Promise<void>;
  /** False while no lock can exist yet: until then a cancel ends the waits of the bookkeeping, too. Absent: true. */
  readonly mayHoldLock?: () => boolean;
  readonly nowMs: () => number;
  /** Uniform in [0, 1), for the jitter. */
  readonly random: () => number;
  /** Told before every wait, for people. */
  readonly onWait?: (line: string) => void;
}

type Missing = Refusal | UnknownOutcome;

interface Way {
  readonly transport: KintoneTransport;
  readonly sleep: (ms: number) => Promise<void>;
  readonly again: (answer: Missing) => boolean;
  readonly options?: SendOptions;
}

const statusWords = ({ status }: Missing): string => (status === undefined ? "no answer" : `HTTP ${status}`);

/** Counts, caps and repeats over a transport (execution-contract §8). Holds nothing that needs disposing. */
export function createCalls(deps: CallsDeps): Calls {
  const { transport, stop, retry, maxApiCalls, sleep } = deps;
  let count = 0;
  const counted: KintoneTransport = {
    send(operation, options) {
      count += 1;
      return transport.send(operation, options);
    },
  };
  const capped: KintoneTransport = {
    async send<T>(operation: KintoneOperation<T>, options?: SendOptions) {
      stop.check();
      if (maxApiCalls !== null && count >= maxApiCalls) {
        const message = `The limit of ${maxApiCalls} kintone requests (limits.maxApiCalls) is used up; the next one was not sent.`;
        throw new RunFailure("API_ERROR", API_LIMIT_EXCEEDED, message);
      }
      return counted.send(operation, options);
    },
  };

  async function repeated<T>(way: Way, operation: KintoneOperation<T>): Promise<KintoneAnswer<T>> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await way.transport.send(operation, way.options);
      if (answer.kind === "ok" || !way.again(answer) || attempt >= retry.maxAttempts) return answer;
      const ms = pauseBefore(attempt + 1, answer, retry, deps.nowMs(), deps.random());
      const seconds = Math.round(ms / 100) / 10;
      deps.onWait?.(
        `kintone: ${statusWords(answer)}; attempt ${attempt + 1} of ${retry.maxAttempts} in ${seconds} s`,
      );
      await way.sleep(ms);
    }
  }

  /** What is repeated was proven not to have run, or is a read, so that giving up here leaves nothing behind. */
  async function bookkeepingSleep(ms: number): Promise<void> {
    if (deps.mayHoldLock?.() !== false) return sleep(ms);
    await stop.sleep(ms);
    stop.check();
  }

  return {
    count: () => count,
    async read(operation, what) {
      const options = { signal: stop.timeoutSignal };
      const way = { transport: capped, sleep: stop.sleep, again: mayReadAgain, options };
      const answer = await repeated(way, operation);
      if (answer.kind === "ok") return answer.value;
      stop.check();
      throw answerFailure(answer, what);
    },
    send: (operation) => repeated({ transport: capped, sleep: stop.sleep, again: mayWriteAgain }, operation),
    sendAlways: (operation) =>
      repeated({ transport: counted, sleep: bookkeepingSleep, again: mayWriteAgain }, operation),
    readAlways: (operation) =>
      repeated({ transport: counted, sleep: bookkeepingSleep, again: mayReadAgain }, operation),
  };
}
