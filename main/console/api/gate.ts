import {
  type ClockDifference,
  type Freshness,
  type Mode,
  sourceStaleness,
} from "../../../shared/api/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { CLOCK_WRONG } from "../clock-guard.ts";

export interface GateFacts {
  readonly mode: Mode;
  /** Of the state app; null before anything is known of it. */
  readonly state: Freshness | null;
  /** What the difference to the kintone's clock means; null before it is known. */
  readonly clock: ClockDifference["verdict"] | null;
}

export const VIEW_ONLY: Problem = {
  code: "MODE_VIEW_ONLY",
  message: "This console is in the mode for looking; nothing was changed.",
  remedy: "Change to the mode for operating, if your role allows it.",
};

/**
 * Why nothing may be changed now, or null: the mode only allows to look, or what the operator sees may no longer be so
 * (operator-ux §1.1, electron-desktop N8, L13). `nowMs` in epoch milliseconds.
 */
export function gateProblem({ mode, state, clock }: GateFacts, nowMs: number): Problem | null {
  if (mode === "view") return VIEW_ONLY;
  const staleness = sourceStaleness(state, nowMs);
  if (staleness === "fresh") return clock === "wrong" ? CLOCK_WRONG : null;
  return {
    code: "PICTURE_STALE",
    message: `The picture of the records is ${staleness === "reading" ? "not read yet" : "old"}; nothing was changed.`,
    remedy: "Refresh, look at what is shown now, and decide again.",
    details: { readAt: state?.readAt ?? null, origin: state?.origin ?? null },
  };
}
