import type { Problem } from "../../../../shared/domain/problem.ts";
import { retryDelay, type Sleep, type WriteResult } from "../../../kintone-client/index.ts";
import { judgeAnswer, staleTarget } from "./answer.ts";
import type { ChangeSet } from "./change-set.ts";
import type { FenceGateway } from "./gateway.ts";
import {
  beginRound,
  type FenceAction,
  type FenceEvent,
  type HeldLock,
  step,
  type Verdict,
} from "./settle.ts";

/** Pauses between copies and reads of one change set, in milliseconds. */
const SETTLE_PAUSE = { attempts: Number.POSITIVE_INFINITY, firstDelayMs: 100, maxDelayMs: 2_000 };

export interface RoundDeps {
  readonly gateway: FenceGateway;
  readonly sleep: Sleep;
}

export interface RoundInput {
  readonly held: HeldLock & { readonly recordId: string };
  readonly set: ChangeSet;
  /** Other change sets sent with the same revision. */
  readonly earlier: readonly ChangeSet[];
  /** The caller's: gives up the request in flight, whose outcome is then unknown. */
  readonly signal: AbortSignal;
  /** Cuts pauses short. */
  readonly waiting: AbortSignal;
  /** True once the round must end, settled or not. */
  readonly expired: () => boolean;
  /** Told when a read fails: the lease becomes uncertain (fenced-writes R4). */
  readonly onUncertain: () => void;
}

export interface RoundResult {
  readonly verdict: Verdict;
  readonly results: readonly WriteResult[] | null;
  /** What the last refusal said. */
  readonly problem: Problem | null;
  readonly change: number | null;
}

/**
 * Sends one change set and settles it: performs what the state machine asks until it has a verdict
 * (fenced-writes R1). Nothing is decided here.
 */
export async function runRound(deps: RoundDeps, input: RoundInput): Promise<RoundResult> {
  const { gateway, sleep } = deps;
  const { held, set, earlier, signal } = input;
  let told: Omit<RoundResult, "verdict"> = { results: null, problem: null, change: null };

  async function send(): Promise<FenceEvent> {
    const judged = judgeAnswer(set, await gateway.send(set, signal));
    if (judged.problem !== null) told = { ...told, problem: judged.problem, change: judged.change };
    if (judged.results !== null) told = { ...told, results: judged.results };
    return { kind: "answered", answer: judged.answer };
  }

  async function readLock(): Promise<FenceEvent> {
    const view = await gateway.readLock(held.recordId, signal);
    if (view === null) input.onUncertain();
    return { kind: "lock-read", view };
  }

  async function readWitness(id: number): Promise<FenceEvent> {
    const asked = [set, ...earlier].find((one) => one.candidate.id === id);
    const shows = asked === undefined ? false : await gateway.readWitness(asked, signal);
    if (shows === null) input.onUncertain();
    return { kind: "witness-read", shows };
  }

  async function readTarget(index: number): Promise<FenceEvent> {
    const slots = set.part.subRequests[index - 1]?.slots ?? [];
    const stale = await gateway.readTarget(slots, signal);
    if (stale === true) told = { ...told, ...staleTarget(set, index) };
    return { kind: "target-read", stale };
  }

  async function perform(action: Exclude<FenceAction, { readonly kind: "done" }>): Promise<FenceEvent> {
    if (input.expired()) return { kind: "expired" };
    switch (action.kind) {
      case "send":
        return send();
      case "read-lock":
        return readLock();
      case "read-witness":
        return readWitness(action.id);
      case "read-target":
        return readTarget(action.index);
      case "pause":
        await sleep(retryDelay(SETTLE_PAUSE, action.next), input.waiting);
        return { kind: "resumed" };
    }
  }

  const candidates = earlier.map((one) => one.candidate);
  let next = step(beginRound(held, set.candidate, candidates), { kind: "start" });
  while (next.action.kind !== "done") next = step(next.round, await perform(next.action));
  return { verdict: next.action.verdict, ...told };
}
