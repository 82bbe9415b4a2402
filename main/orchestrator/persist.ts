import type { RecordRef } from "../../shared/domain/model.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import type { Change, Clock, LockSession, ReleaseAs } from "../store/index.ts";
import type { Delay } from "./deps.ts";

/** How often a write without an answer is settled again (orchestration section 3.4, drain loop). */
export const DRAIN_INTERVAL_MS = 2_000;

export type Persisted =
  | { readonly kind: "applied"; readonly refs: readonly RecordRef[] }
  /** Not in the store and never will be: the problem says why. */
  | { readonly kind: "refused"; readonly problem: Problem }
  /** The lease went away, or the outage outlasted it: nothing more may be written. */
  | { readonly kind: "interrupted"; readonly problem: Problem };

export interface PersistDeps {
  readonly session: LockSession;
  readonly clock: Clock;
  readonly delay: Delay;
  /** How long an outage may last: the lease duration, counted from the first write that stayed unsettled. */
  readonly drainMs: number;
}

/**
 * Writes one change set and returns only when its fate is known, or when the outage outlasted the lease.
 * The same, byte-equal change set is sent again while it is unsettled (fenced-writes R1); a finished
 * child's result is worth waiting for, so no caller's abort shortens this.
 */
export async function persist(
  deps: PersistDeps,
  changes: readonly Change[],
  release?: ReleaseAs,
): Promise<Persisted> {
  const startedAt = deps.clock.monotonicMs();
  for (;;) {
    const outcome = await deps.session.write(changes, release === undefined ? {} : { release });
    switch (outcome.kind) {
      case "applied":
        return { kind: "applied", refs: outcome.refs };
      case "dead":
      case "refused":
        return { kind: "refused", problem: outcome.problem };
      case "fence-lost":
        return { kind: "interrupted", problem: outcome.problem };
      case "unsettled":
        if (deps.clock.monotonicMs() - startedAt >= deps.drainMs) {
          return { kind: "interrupted", problem: outcome.problem };
        }
        await deps.delay(DRAIN_INTERVAL_MS);
    }
  }
}
