import type { RecordRef } from "../../../../shared/domain/model.ts";
import type { Problem } from "../../../../shared/domain/problem.ts";
import type { Sleep, WriteResult } from "../../../kintone-client/index.ts";
import type { Clock, ReleaseAs, WriteOutcome } from "../../ports.ts";
import type { AppIds } from "../changes/encode.ts";
import type { Part } from "../changes/plan.ts";
import { witnessOf } from "../changes/witness.ts";
import type { ChangeSet } from "./change-set.ts";
import type { FenceGateway } from "./gateway.ts";
import { type Holder, NO_CHANGES } from "./holder.ts";
import { elapsedSince, stampNow } from "./lease.ts";
import { type RoundResult, runRound } from "./round.ts";
import type { LockRecordView, Verdict } from "./settle.ts";

/** How often one write is planned again because the lock revision went to somebody else (R1). */
const REPLANS_MAX = 8;
/** Pause between attempts to read back what was written, in milliseconds. */
const READ_BACK_PAUSE_MS = 500;

export interface WriterDeps {
  readonly gateway: FenceGateway;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly apps: AppIds;
  readonly holder: Holder;
  /** Fires when the session is disposed: no further request starts. */
  readonly closing: AbortSignal;
}

export interface Task {
  /** Milliseconds after which an unsettled write is given up as such. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
}

/** The ref of each record of a part, with the index of the caller's change it belongs to. */
export interface PlacedRef {
  readonly change: number;
  readonly ref: RecordRef;
}

export type PartOutcome =
  | { readonly kind: "applied"; readonly placed: readonly PlacedRef[] }
  | Exclude<WriteOutcome, { readonly kind: "applied" }>;

type Moved = Extract<Verdict, { readonly kind: "dead" }>["moved"];

const NEVER = new AbortController().signal;

/** The same write asked for once more: everything it would send and leave behind is the same. */
const isRepeat = (set: ChangeSet, part: Part, release: ReleaseAs | null): boolean =>
  set.release?.status === release?.status &&
  set.release?.resultCode === release?.resultCode &&
  JSON.stringify(set.part.subRequests) === JSON.stringify(part.subRequests);

/**
 * Writes one part under the lock and settles it: sends, and plans again on the next lock revision as long as
 * it is proven that the last one was used up by something else (fenced-writes R1).
 */
export function createWriter(deps: WriterDeps) {
  const { gateway, clock, sleep, holder, apps, closing } = deps;
  /**
   * Applied change sets whose callers were told that their fate is not known. A repeat of one is answered from
   * here: sent again it would meet its own records and be called dead.
   */
  let unclaimed: readonly ChangeSet[] = [];

  function round(set: ChangeSet, expired: () => boolean, signal: AbortSignal): Promise<RoundResult> {
    const { recordId, token, revision } = holder.held();
    return runRound(
      { gateway, sleep },
      {
        held: { recordId, token, revision },
        set,
        earlier: holder.sent().filter((one) => one !== set),
        signal,
        waiting: AbortSignal.any([signal, closing]),
        expired,
        onUncertain: holder.uncertain,
      },
    );
  }

  function advance(
    moved: Moved | { readonly appliedId: number | null; readonly view: LockRecordView },
  ): void {
    if (moved === null) return;
    const by = holder.sent().find((set) => set.candidate.id === moved.appliedId) ?? null;
    holder.advance(moved.view, by);
    if (by !== null && (by.witness !== null || by.release !== null)) unclaimed = [...unclaimed, by];
    if (moved.view.token === null) holder.released();
  }

  function fromAnswer(set: ChangeSet, results: readonly WriteResult[]): readonly RecordRef[] {
    return set.part.subRequests.flatMap((sub, index) =>
      sub.slots.map((slot, at) => {
        const ref = results[index + 1]?.refs[at];
        return {
          recordId: ref?.recordId ?? slot.ref?.recordId ?? "",
          revision: ref?.revision ?? Number.NaN,
        };
      }),
    );
  }

  async function readBack(set: ChangeSet, expired: () => boolean, signal: AbortSignal) {
    for (;;) {
      const refs = await gateway.readBack(set, signal);
      if (refs !== null || expired()) return refs;
      await sleep(READ_BACK_PAUSE_MS, AbortSignal.any([signal, closing]));
    }
  }

  async function applied(
    set: ChangeSet,
    {
      results,
      view,
    }: { readonly results: readonly WriteResult[] | null; readonly view: LockRecordView | null },
    expired: () => boolean,
    signal: AbortSignal,
  ): Promise<PartOutcome> {
    holder.advance(view, set);
    if (set.release !== null) holder.released();
    const known = view === null && results !== null;
    const refs = known ? fromAnswer(set, results) : await readBack(set, expired, signal);
    if (refs === null) return unread(set);
    // Its caller has gone on: nobody will ask for what was written before.
    if (set.witness !== null) unclaimed = [];
    return told(set, refs);
  }

  function unread(set: ChangeSet): PartOutcome {
    if (!unclaimed.includes(set)) unclaimed = [...unclaimed, set];
    return holder.unsettled(null, "it was applied, but its records could not be read back");
  }

  function told(set: ChangeSet, refs: readonly RecordRef[]): PartOutcome {
    const slots = set.part.subRequests.flatMap((sub) => sub.slots);
    const placed = refs.map((ref, index) => ({ change: slots[index]?.change ?? 0, ref }));
    return { kind: "applied", placed };
  }

  /** The outcome of a repeat of something that proved applied meanwhile, by a beat or by another write. */
  async function claim(
    part: Part,
    release: ReleaseAs | null,
    expired: () => boolean,
    signal: AbortSignal,
  ): Promise<PartOutcome | null> {
    const set = unclaimed.find((one) => isRepeat(one, part, release));
    if (set === undefined) return null;
    const refs = await readBack(set, expired, signal);
    if (refs === null) return unread(set);
    unclaimed = unclaimed.filter((one) => one !== set);
    return told(set, refs);
  }

  /**
   * Uses the revision up with a beat, so that no copy of `doubtful` can run any more. Tells whether it had
   * run before, or why that could not be learnt.
   */
  async function burn(
    doubtful: ChangeSet,
    expired: () => boolean,
    signal: AbortSignal,
  ): Promise<{ readonly ran: LockRecordView | false } | Exclude<PartOutcome, { readonly kind: "applied" }>> {
    holder.remember(doubtful);
    const beat = holder.prepare(NO_CHANGES, null);
    const { verdict, problem } = await round(beat, expired, signal);
    switch (verdict.kind) {
      case "applied":
        holder.advance(verdict.view, beat);
        return { ran: false };
      case "superseded":
        if (verdict.appliedId === doubtful.candidate.id) return { ran: verdict.view };
        advance(verdict);
        return { ran: false };
      case "fence-lost":
        return holder.lose(verdict.why);
      default:
        return holder.unsettled(beat, problem?.message);
    }
  }

  function refusal(kind: "dead" | "refused", { problem, change }: RoundResult): PartOutcome {
    const known: Problem = problem ?? { code: "STORE_REFUSED", message: "kintone refused the write." };
    return { kind, index: change, problem: known };
  }

  /** Null: the revision went elsewhere; plan again. */
  async function conclude(
    set: ChangeSet,
    result: RoundResult,
    expired: () => boolean,
    signal: AbortSignal,
  ): Promise<PartOutcome | null> {
    const { verdict } = result;
    switch (verdict.kind) {
      case "applied":
        return applied(set, { results: result.results, view: verdict.view }, expired, signal);
      case "superseded":
        advance(verdict);
        return null;
      case "dead":
        advance(verdict.moved);
        return refusal("dead", result);
      case "refused": {
        const burnt = await burn(set, expired, signal);
        if (!("ran" in burnt)) return burnt;
        if (burnt.ran === false) return refusal("refused", result);
        return applied(set, { results: null, view: burnt.ran }, expired, signal);
      }
      case "fence-lost":
        return holder.lose(verdict.why);
      case "unsettled":
        return holder.unsettled(set, result.problem?.message);
    }
  }

  /** An unsettled change set whose witness could be taken for this part's. */
  function lookalike(part: Part): ChangeSet | null {
    const mark = witnessOf(part.changes, apps)?.mark;
    if (mark === undefined) return null;
    return holder.sent().find((set) => set.witness?.mark === mark) ?? null;
  }

  async function attempt(part: Part, release: ReleaseAs | null, expired: () => boolean, signal: AbortSignal) {
    const twin = lookalike(part);
    if (twin !== null) {
      const burnt = await burn(twin, expired, signal);
      if (!("ran" in burnt)) return burnt;
      if (burnt.ran !== false) advance({ appliedId: twin.candidate.id, view: burnt.ran });
      // Whatever used the revision up may have been this very write, or may have given the lock back.
      return null;
    }
    const set = holder.prepare(part, release);
    return conclude(set, await round(set, expired, signal), expired, signal);
  }

  return {
    /**
     * Writes one part; `part` without changes is a beat or a lone release. A write that stayed unsettled may be
     * asked for again: it is applied at most once, and the outcome is that of the copy that ran.
     */
    async write(part: Part, release: ReleaseAs | null, task: Task): Promise<PartOutcome> {
      const start = stampNow(clock);
      const signal = task.signal ?? NEVER;
      const expired = (): boolean =>
        signal.aborted || closing.aborted || elapsedSince(start, stampNow(clock)) >= task.limitMs;
      for (let plan = 0; plan < REPLANS_MAX; plan += 1) {
        const outcome =
          (await claim(part, release, expired, signal)) ??
          holder.closed() ??
          (await attempt(part, release, expired, signal));
        if (outcome !== null) return outcome;
      }
      return holder.unsettled(null, "the lock record was changed by somebody else again and again");
    },
  };
}
