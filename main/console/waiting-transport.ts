import type { KintoneAnswer, KintoneTransport } from "../kintone-client/index.ts";
import type { Clock } from "../store/index.ts";

/** Longest one request waits for the server unless its sender says otherwise, in milliseconds. */
const WAIT_MS = 30_000;
/** A refusal is noticed before the loss of the server is: then one looks again after this, in milliseconds. */
const LOOK_AGAIN_MS = 100;

export interface WaitingDeps {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Resolves once a server is there again, or when the signal aborts. */
  readonly present: (signal: AbortSignal) => Promise<void>;
}

/**
 * The way to a server that is started again when it died. A request of which not one byte left is sent once more when
 * the server is back, within its own time limit: nothing of it can have run (fenced-writes R3), and a Run does not
 * take a server that comes back in a second for a lost connection. Any other answer is passed on as it is.
 */
export function waitingTransport(transport: KintoneTransport, deps: WaitingDeps): KintoneTransport {
  return {
    async send(operation, options = {}) {
      const limitMs = options.timeoutMs ?? WAIT_MS;
      const startedMs = deps.clock.monotonicMs();
      for (;;) {
        const leftMs = limitMs - (deps.clock.monotonicMs() - startedMs);
        const answer = await transport.send(operation, {
          ...options,
          timeoutMs: Math.max(1, Math.ceil(leftMs)),
        });
        if (!neverLeft(answer) || leftMs <= LOOK_AGAIN_MS) return answer;
        const limit = AbortSignal.timeout(Math.ceil(leftMs));
        const until = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
        await deps.sleep(LOOK_AGAIN_MS, until);
        await deps.present(until);
        if (options.signal?.aborted === true) return answer;
      }
    },
  };
}

const neverLeft = <T>(answer: KintoneAnswer<T>): boolean =>
  answer.kind === "unknown" && answer.neverLeft === true;
