import type { RecordRef } from "../../shared/domain/model.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import type { Change, LockSession, ReleaseAs } from "../store/index.ts";

export type Persisted =
  | { readonly kind: "applied"; readonly refs: readonly RecordRef[] }
  /** Not in the store and never will be: the problem says why. */
  | { readonly kind: "refused"; readonly problem: Problem }
  /** The lease went away, or the outage outlasted it: nothing more may be written. */
  | { readonly kind: "interrupted"; readonly problem: Problem };

/**
 * Writes one change set and says what it means for the walk. The waiting is the session's: it settles the write
 * for as long as the lease lasts (orchestration section 3.4, drain loop; fenced-writes R1), so that what it
 * leaves unsettled has outlasted the lease. A finished child's result is worth that wait, so no caller's abort
 * shortens it.
 */
export async function persist(
  session: Pick<LockSession, "write">,
  changes: readonly Change[],
  release?: ReleaseAs,
): Promise<Persisted> {
  const outcome = await session.write(changes, release === undefined ? {} : { release });
  switch (outcome.kind) {
    case "applied":
      return { kind: "applied", refs: outcome.refs };
    case "dead":
    case "refused":
      return { kind: "refused", problem: outcome.problem };
    case "fence-lost":
    case "unsettled":
      return { kind: "interrupted", problem: outcome.problem };
  }
}
