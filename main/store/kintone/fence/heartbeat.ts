import type { Sleep } from "../../../kintone-client/index.ts";

export interface HeartbeatDeps {
  readonly sleep: Sleep;
  /** Milliseconds until the next beat is due; it grows whenever a write renews the lease. */
  readonly dueInMs: () => number;
  /** True while a write is on its way: it renews the lease, so no beat is needed. */
  readonly busy: () => boolean;
  readonly idle: () => Promise<void>;
  /** Sends one beat; false ends the heartbeat. Never throws. */
  readonly beat: () => Promise<boolean>;
}

/**
 * Beats until stopped (fenced-writes §1). A write that is due anyway postpones the next beat. `stop` resolves
 * when the beat in flight has ended (W-27).
 */
export function startHeartbeat(deps: HeartbeatDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const due = deps.dueInMs();
      if (due > 0) await deps.sleep(due, stopping.signal);
      else if (deps.busy()) await deps.idle();
      else if (!(await deps.beat())) return;
    }
  }

  const running = loop();
  // A defect in a beat surfaces when the heartbeat is stopped, not as an unhandled rejection.
  running.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
