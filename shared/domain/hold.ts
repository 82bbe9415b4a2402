import type { Hold, RunStatus } from "./model.ts";
import { fail, ok, type Result } from "./problem.ts";
import { isTerminalRunStatus } from "./run-status.ts";

/** What STOP or RELEASE writes. `none`: nothing to write, the wish is already fulfilled. */
export type HoldPlan =
  | { readonly kind: "none"; readonly hold: Hold | null }
  | { readonly kind: "insert"; readonly next: Hold }
  | { readonly kind: "update"; readonly next: Hold };

/** Who asks for a STOP or RELEASE, why and when; `at` in ISO-8601 UTC. */
export interface HoldWish {
  readonly runId: string;
  readonly requestedBy: string;
  readonly reason: string;
  readonly at: string;
}

/**
 * STOP (orchestration §4.7): a held Run stays as it is, an ended one is refused with `RUN_ALREADY_TERMINAL`, a released
 * hold is asked for again with the traces of the earlier one cleared.
 */
export function planStop(hold: Hold | null, runStatus: RunStatus, wish: HoldWish): Result<HoldPlan> {
  if (hold !== null && hold.state !== "RELEASED") return ok({ kind: "none", hold });
  if (isTerminalRunStatus(runStatus)) {
    return fail({
      code: "RUN_ALREADY_TERMINAL",
      message: `The Run has ended as ${runStatus}; there is nothing left to stop.`,
      place: wish.runId,
      remedy: "Nothing is to be done. A Run that must not be resumed is closed instead.",
    });
  }
  const next: Hold = {
    runId: wish.runId,
    state: "REQUESTED",
    requestedBy: wish.requestedBy,
    reason: wish.reason,
    requestedAt: wish.at,
    acceptedAt: null,
    releasedAt: null,
    releaseReason: null,
    releaseRequestedBy: null,
  };
  return ok({ kind: hold === null ? "insert" : "update", next });
}

/** RELEASE (orchestration §4.7): frees a held Run whatever its status, and starts nothing. */
export function planRelease(hold: Hold | null, wish: HoldWish): HoldPlan {
  if (hold === null || hold.state === "RELEASED") return { kind: "none", hold };
  return {
    kind: "update",
    next: {
      ...hold,
      state: "RELEASED",
      releasedAt: wish.at,
      releaseReason: wish.reason,
      releaseRequestedBy: wish.requestedBy,
    },
  };
}

/**
 * The hold as the scheduler writes it when it stops at a boundary (orchestration §4.7); unchanged unless it was asked for
 * and not accepted yet. `at` in ISO-8601 UTC.
 */
export function acceptHold(hold: Hold, at: string): Hold {
  return hold.state === "REQUESTED" ? { ...hold, state: "ACCEPTED", acceptedAt: at } : hold;
}
