import {
  type KintoneAnswer,
  type KintoneOperation,
  type KintoneTransport,
  type RetryPolicy,
  type SendOptions,
  sendRead,
} from "../../kintone-client/index.ts";
import { answerFailure, RunFailure } from "./failure.ts";
import type { StopControl } from "./stop.ts";

/** The run's way to kintone: every request counted, the job's own ones capped and stoppable. */
export interface Calls {
  /** Requests sent so far, repetitions included. */
  count(): number;
  /** A read that may be repeated. Throws RunFailure (`API_ERROR`, `AUTH_ERROR`) or Stopped. */
  read<T>(operation: KintoneOperation<T>, what: string): Promise<T>;
  /** One request of the job, answered as a value: counts against `maxApiCalls`, not sent after a stop. */
  send<T>(operation: KintoneOperation<T>): Promise<KintoneAnswer<T>>;
  /** One request of the bookkeeping: counted, but never withheld, so that a lock can always be released. */
  sendAlways<T>(operation: KintoneOperation<T>): Promise<KintoneAnswer<T>>;
  /** A repeated read of the bookkeeping. */
  readAlways<T>(operation: KintoneOperation<T>): Promise<KintoneAnswer<T>>;
}

export interface CallsDeps {
  readonly transport: KintoneTransport;
  readonly stop: StopControl;
  readonly retry: RetryPolicy;
  /** Null = no limit (execution-contract §8). */
  readonly maxApiCalls: number | null;
  /** Bookkeeping waits its full time even when the run has to end. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Counts and caps over a transport (execution-contract §8, "Counting"). Holds nothing that needs disposing. */
export function createCalls({ transport, stop, retry, maxApiCalls, sleep }: CallsDeps): Calls {
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
        throw new RunFailure("API_ERROR", "API_LIMIT_EXCEEDED", message);
      }
      return counted.send(operation, options);
    },
  };
  return {
    count: () => count,
    async read(operation, what) {
      const deps = { transport: capped, sleep: stop.sleep, retry };
      const answer = await sendRead(deps, operation, { signal: stop.timeoutSignal });
      if (answer.kind === "ok") return answer.value;
      stop.check();
      throw answerFailure(answer, what);
    },
    send: (operation) => capped.send(operation),
    sendAlways: (operation) => counted.send(operation),
    readAlways: (operation) => sendRead({ transport: counted, sleep, retry }, operation),
  };
}
