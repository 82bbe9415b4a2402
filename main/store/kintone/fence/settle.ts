import type { TerminalStatus } from "../../../../shared/domain/model.ts";

/**
 * Settling one change set (fenced-writes R1, R2, R3): a state machine without I/O. The shell performs the
 * action it is given and answers with an event; every decision about what an answer proves stands here.
 */

/** What the holder knows of its lock: a revision can be used up once (R1). */
export interface HeldLock {
  readonly token: string;
  readonly revision: number;
}

/** How a change set leaves the lock record behind. */
export type Leaves =
  | { readonly kind: "held" }
  | { readonly kind: "released"; readonly status: TerminalStatus; readonly resultCode: string };

/** A change set that was sent with the current lock revision. Its copies are byte-equal. */
export interface Candidate {
  readonly id: number;
  readonly leaves: Leaves;
  /** False for a beat and for a lone release: they change nothing but the lock. */
  readonly witnessed: boolean;
}

/** What a read of the lock by its `$id` showed. */
export type LockView =
  | { readonly kind: "gone" }
  | {
      readonly kind: "record";
      readonly revision: number;
      readonly token: string | null;
      readonly status: string;
      readonly statusReason: string;
      readonly businessRevision: number;
      readonly leaseExpiresAt: string;
    };
export type LockRecordView = Extract<LockView, { readonly kind: "record" }>;

/** What the answer to one copy proves by itself (R3). */
export type CopyAnswer =
  | { readonly kind: "applied" }
  | { readonly kind: "lock-stale" }
  | { readonly kind: "lock-gone" }
  /** A revision was stale or a key taken, for good, at this sub-request. */
  | { readonly kind: "dead"; readonly index: number }
  /** This copy did not run, another may; `index` where an update may have met a newer revision. */
  | { readonly kind: "busy"; readonly index: number | null }
  | { readonly kind: "refused" }
  | { readonly kind: "unknown" };

export type FenceEvent =
  | { readonly kind: "start" }
  | { readonly kind: "answered"; readonly answer: CopyAnswer }
  /** Null: the read failed. */
  | { readonly kind: "lock-read"; readonly view: LockView | null }
  | { readonly kind: "witness-read"; readonly shows: boolean | null }
  | { readonly kind: "target-read"; readonly stale: boolean | null }
  | { readonly kind: "resumed" }
  /** The deadline passed or the caller gave up, instead of the action asked for. */
  | { readonly kind: "expired" };

export type FenceLoss = "gone" | "token" | "revision" | "released";

export type Verdict =
  /** `view` null: told by the answer itself; else by lock and witness. */
  | { readonly kind: "applied"; readonly view: LockRecordView | null }
  /** The revision was used up by another change set (`appliedId`) or by a person (null). Never to be applied. */
  | { readonly kind: "superseded"; readonly appliedId: number | null; readonly view: LockRecordView }
  /** `view` set when the lock moved on meanwhile; another change set's id when that did it. */
  | {
      readonly kind: "dead";
      readonly index: number;
      readonly moved: { readonly appliedId: number | null; readonly view: LockRecordView } | null;
    }
  /**
   * This copy did not run; another may still do so, made by us or by the network. The revision must be used up
   * before anything rests on the refusal.
   */
  | { readonly kind: "refused" }
  | { readonly kind: "fence-lost"; readonly why: FenceLoss }
  | { readonly kind: "unsettled" };

export type FenceAction =
  | { readonly kind: "send" }
  | { readonly kind: "read-lock" }
  | { readonly kind: "read-witness"; readonly id: number }
  | { readonly kind: "read-target"; readonly index: number }
  /** Wait before the given try (2, 3, …). */
  | { readonly kind: "pause"; readonly next: number }
  | { readonly kind: "done"; readonly verdict: Verdict };

/** One change set on its way to a verdict. */
export interface Round {
  readonly held: HeldLock;
  readonly current: Candidate;
  /** Other change sets sent with the same revision and not settled. */
  readonly earlier: readonly Candidate[];
  /** A copy of the current change set had an unknown outcome: it may have run or may still run. */
  readonly alive: boolean;
  /** Sub-request that is dead, to be told once the copies that are out are settled. */
  readonly deadAt: number | null;
  /** Sub-request the last copy met a lock failure at, to be looked at when the lock did not move. */
  readonly suspect: number | null;
  /** Lock read that is being settled, and the witnesses still to read. */
  readonly settling: { readonly view: LockRecordView; readonly unread: readonly Candidate[] } | null;
  readonly tries: number;
  /** What follows a pause. */
  readonly after: "send" | "read-lock";
}

export interface Step {
  readonly round: Round;
  readonly action: FenceAction;
}

/** A round that has sent nothing yet. */
export const beginRound = (held: HeldLock, current: Candidate, earlier: readonly Candidate[]): Round => ({
  held,
  current,
  earlier,
  alive: false,
  deadAt: null,
  suspect: null,
  settling: null,
  tries: 1,
  after: "send",
});

const done = (round: Round, verdict: Verdict): Step => ({ round, action: { kind: "done", verdict } });
const readLock = (round: Round): Step => ({ round, action: { kind: "read-lock" } });
const pause = (round: Round, after: Round["after"]): Step => {
  const tries = round.tries + 1;
  return { round: { ...round, tries, after }, action: { kind: "pause", next: tries } };
};

/** The next action of a round (fenced-writes R1–R3). Pure. */
export function step(round: Round, event: FenceEvent): Step {
  switch (event.kind) {
    case "start":
      return { round, action: { kind: "send" } };
    case "answered":
      return answered({ ...round, suspect: null }, event.answer);
    case "lock-read":
      return event.view === null ? pause(round, "read-lock") : lockRead(round, event.view);
    case "witness-read":
      return witnessRead(round, event.shows);
    case "target-read":
      return targetRead(round, event.stale);
    case "resumed":
      return { round, action: { kind: round.after } };
    case "expired":
      return done(round, { kind: "unsettled" });
  }
}

function answered(round: Round, answer: CopyAnswer): Step {
  switch (answer.kind) {
    case "applied":
      return done(round, { kind: "applied", view: null });
    case "lock-gone":
      return done(round, { kind: "fence-lost", why: "gone" });
    case "lock-stale":
      return readLock(round);
    case "unknown":
      return readLock({ ...round, alive: true });
    case "busy":
      return readLock({ ...round, suspect: answer.index });
    case "dead":
      if (!round.alive) return done(round, { kind: "dead", index: answer.index, moved: null });
      return readLock({ ...round, deadAt: answer.index });
    case "refused":
      return done(round, { kind: "refused" });
  }
}

function lockRead(round: Round, view: LockView): Step {
  if (view.kind === "gone") return done(round, { kind: "fence-lost", why: "gone" });
  const { held } = round;
  if (view.revision === held.revision) {
    return view.token === held.token ? unmoved(round) : done(round, { kind: "fence-lost", why: "token" });
  }
  if (view.token !== null && view.token !== held.token) {
    return done(round, { kind: "fence-lost", why: "token" });
  }
  if (view.revision !== held.revision + 1) return done(round, { kind: "fence-lost", why: "revision" });
  const possible = candidates(round, view);
  if (view.token === null && possible.length === 0) {
    return done(round, { kind: "fence-lost", why: "released" });
  }
  return readNextWitness(
    round,
    view,
    possible.filter((candidate) => candidate.witnessed),
  );
}

/** Nothing was applied yet, and copies may be out. */
function unmoved(round: Round): Step {
  const { deadAt } = round;
  // Revisions only grow and keys are never given up, so no later copy of a dead change set can succeed.
  if (deadAt !== null) return done(round, { kind: "dead", index: deadAt, moved: null });
  if (round.suspect !== null && round.suspect > 0) {
    return { round, action: { kind: "read-target", index: round.suspect } };
  }
  return pause(round, "send");
}

function targetRead(round: Round, stale: boolean | null): Step {
  const index = round.suspect;
  const looked: Round = { ...round, suspect: null };
  if (stale !== true || index === null) return pause(looked, "send");
  return done(looked, { kind: "dead", index, moved: null });
}

/** Change sets that leave the lock as it was seen: the current one first. */
function candidates(round: Round, view: LockRecordView): readonly Candidate[] {
  return [round.current, ...round.earlier].filter(({ leaves }) =>
    leaves.kind === "held"
      ? view.token !== null
      : view.token === null && view.status === leaves.status && view.statusReason === leaves.resultCode,
  );
}

function readNextWitness(round: Round, view: LockRecordView, unread: readonly Candidate[]): Step {
  const [next] = unread;
  if (next === undefined) return noWitness(round, view);
  return { round: { ...round, settling: { view, unread } }, action: { kind: "read-witness", id: next.id } };
}

function witnessRead(round: Round, shows: boolean | null): Step {
  const { settling } = round;
  if (shows === null || settling === null) return pause({ ...round, settling: null }, "read-lock");
  const [read, ...unread] = settling.unread;
  if (shows && read !== undefined) return settled(round, read, settling.view);
  return readNextWitness(round, settling.view, unread);
}

/**
 * No witness shows: the revision went to a beat, to a lone release, or to a person. Which of the first and
 * the last makes no difference while the lock is held; an empty token nobody of ours left is a forced release.
 */
function noWitness(round: Round, view: LockRecordView): Step {
  const bare = candidates(round, view).find(
    (candidate) => !candidate.witnessed && mayHaveRun(round, candidate),
  );
  if (bare !== undefined) return settled(round, bare, view);
  if (view.token === null) return done(round, { kind: "fence-lost", why: "released" });
  return settled(round, null, view);
}

/**
 * A beat whose only copy was refused did not take the revision, so its lease was not written: it is sent
 * again. A tombstone that says what my release says is mine, whichever copy made it.
 */
const mayHaveRun = (round: Round, candidate: Candidate): boolean =>
  candidate.id !== round.current.id || round.alive || candidate.leaves.kind === "released";

function settled(round: Round, winner: Candidate | null, view: LockRecordView): Step {
  if (winner?.id === round.current.id) return done(round, { kind: "applied", view });
  const moved = { appliedId: winner?.id ?? null, view };
  const { deadAt } = round;
  if (deadAt !== null) return done(round, { kind: "dead", index: deadAt, moved });
  return done(round, { kind: "superseded", ...moved });
}
