import {
  beginRound,
  type Candidate,
  type FenceEvent,
  type HeldLock,
  type Round,
  type Step,
  step,
} from "../../../main/store/kintone/fence/settle.ts";

/** The rules a holder follows: ours, or a naive variant of them. */
export interface Protocol {
  readonly begin: typeof beginRound;
  readonly step: (round: Round, event: FenceEvent) => Step;
  /** The revision a copy carries; null sends it unchecked. */
  readonly revision: (held: HeldLock) => number | null;
  /** True: a repeat takes whatever revision the lock was last seen with. */
  readonly chases: boolean;
  /** True: a repeat of what proved applied is answered with that; false: it is sent anew. */
  readonly claims: boolean;
}

/** Fenced writes as they are. */
export const fenced: Protocol = {
  begin: beginRound,
  step,
  revision: (held) => held.revision,
  chases: false,
  claims: true,
};

const conclude = (round: Round, view: Extract<FenceEvent, { kind: "lock-read" }>["view"]): Step => ({
  round,
  action: {
    kind: "done",
    verdict: { kind: "applied", view: view?.kind === "record" ? view : null },
  },
});

/** Without R1: my token and the next revision are taken for my write, whoever made that revision. */
export const withoutSettling: Protocol = {
  ...fenced,
  step(round, event) {
    const { held } = round;
    if (event.kind !== "lock-read" || event.view?.kind !== "record") return step(round, event);
    const mine = event.view.token === held.token && event.view.revision === held.revision + 1;
    return mine ? conclude(round, event.view) : step(round, event);
  },
};

/** The lock goes first, but without its revision. */
export const withoutRevision: Protocol = { ...fenced, revision: () => null };

/** An answer that did not come is taken for a yes. */
export const acknowledgeOnTimeout: Protocol = {
  ...fenced,
  step(round, event) {
    const timedOut = event.kind === "answered" && event.answer.kind === "unknown";
    return timedOut ? conclude(round, null) : step(round, event);
  },
};

/** A lost copy is repeated with the revision the lock has now, as long as the token is mine. */
export const repeatWithNewRevision: Protocol = {
  ...fenced,
  chases: true,
  step(round, event) {
    if (event.kind !== "lock-read" || event.view?.kind !== "record") return step(round, event);
    if (event.view.token !== round.held.token) return step(round, event);
    const held = { ...round.held, revision: event.view.revision };
    return { round: { ...round, held }, action: { kind: "send" } };
  },
};

/** A write that proved applied after its caller was told "unsettled" is sent anew when the caller repeats it. */
export const resendWhatWasApplied: Protocol = { ...fenced, claims: false };

export type { Candidate };
