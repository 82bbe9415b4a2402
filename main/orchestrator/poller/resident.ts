import { errorText, FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { createPoller } from "./poller.ts";
import type { PollerDeps, PollSummary } from "./ports.ts";
import { createUnderWay } from "./under-way.ts";

/** How the poller of a resident host stands, for the screen (operator-ux section 1.1, "monitor of the monitor"). */
export interface PollerHealth {
  /** Epoch milliseconds of the last cycle that read the list; null before the first. */
  readonly lastSuccessAt: number | null;
  readonly lastSummary: PollSummary | null;
  /** Of the last cycle; null when it read the list. */
  readonly problem: Problem | null;
  /** Runs that were started by request and go on. */
  readonly running: number;
}

export interface ResidentPoller {
  health(): PollerHealth;
  /** Runs a cycle at once instead of waiting for the next. */
  wake(): void;
  /** Takes nothing more up, and waits for what is under way. Never rejects. */
  dispose(): Promise<void>;
}

/**
 * Polls until it is disposed (orchestration section 7): one request a cycle when nothing waits. A Run started by request does
 * not keep the cycle, so that its STOP is heard; the Network lock arbitrates between them. `told`: after each cycle.
 */
export function startResidentPoller(
  deps: PollerDeps,
  intervalMs: number,
  told: (health: PollerHealth) => void = () => undefined,
): ResidentPoller {
  const stop = new AbortController();
  let wake = new AbortController();
  let health: Omit<PollerHealth, "running"> = { lastSuccessAt: null, lastSummary: null, problem: null };
  // Whatever waited for its network is taken at once.
  const underWay = createUnderWay(() => wake.abort());
  const poller = createPoller(deps, underWay);

  async function cycle(): Promise<void> {
    try {
      const lastSummary = await poller.pollOnce(stop.signal);
      health = { lastSuccessAt: deps.clock.nowMs(), lastSummary, problem: null };
    } catch (error) {
      const problem =
        error instanceof FlowError
          ? error.problem
          : { code: "POLL_REQUESTS_FAILED", message: errorText(error), place: "request app" };
      health = { ...health, problem };
    }
  }

  async function loop(): Promise<void> {
    while (!stop.signal.aborted) {
      // Before the cycle: what is told while it runs is not lost.
      wake = new AbortController();
      await cycle();
      told(healthNow());
      await deps.delay(intervalMs, AbortSignal.any([stop.signal, wake.signal]));
    }
  }

  const healthNow = (): PollerHealth => ({ ...health, running: underWay.size() });
  const looping = loop();
  return {
    health: healthNow,
    wake: () => wake.abort(),
    async dispose() {
      stop.abort();
      await looping;
      await underWay.settled();
    },
  };
}
