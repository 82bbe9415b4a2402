import type { Sleep } from "../../../kintone-client/index.ts";

export interface HeartbeatDeps {
  readonly sleep: Sleep;
  /** Milliseconds until the next beat is due; it grows whenever a write renews the lease. */
  readonly dueInMs: () => number;
  /** True while a write is on its way: it renews the lease, so no beat is needed. */
  readonly busy: () => boolean;
  readonly idle: () => Promise<void>;
  /** Sends one beat; false ends the heartbeat. */
  readonly beat: () => Promise<boolean>;
  /** Told of a defect that ended the heartbeat; nothing renews the lease from then on but writes. */
  readonly onDefect: () => void;
}

/**
 * Beats until stopped (fenced-writes §1). A write that is due anyway postpones the next beat. `stop` resolves
 * when the beat in flight has ended (W-27), and never rejects.
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

  // Rejecting later, when it is stopped, would take the outcome of everything done since away from its caller.
  const running = loop().catch(deps.onDefect);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
