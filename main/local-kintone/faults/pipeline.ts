import { negotiateLocale } from "../api/locale.ts";
import { errorBody } from "../api/respond.ts";
import type { Delivery, KintoneRequest, KintoneResponse } from "../model.ts";
import { type ActionTools, perform } from "./actions.ts";
import { barrierTimedOut, overLimit, refusal, refusalError, statusAnswer, type Wording } from "./answers.ts";
import type { Barriers } from "./barriers.ts";
import type { EffectOf, FaultEffect } from "./effect-schema.ts";
import { abortSearch, asLockFailure, isSuccess, malform, suits, turnBytes } from "./reshape.ts";
import type { Firing, RuleBook } from "./rule-book.ts";
import { draw } from "./schedule.ts";
import { isWrite, type Subject, writesRecords } from "./subject.ts";
import { onTrial } from "./trial.ts";

export interface PipelineTools extends ActionTools {
  readonly book: RuleBook;
  readonly barriers: Barriers;
  readonly wording: Wording;
  seed(): number;
  monotonic(): number;
  pause(ms: number): Promise<void>;
  /** Aborted when the server ends: whatever is held then is given up, not carried out. */
  readonly ended: AbortSignal;
  /** Ends the process as `kill -9` would; throws FlowError where the server is not a process of its own. */
  crash(): void;
  logAction(action: string, rule: string): void;
}

/** A request on its way, with what the journal will say about it. */
export interface Passage {
  readonly request: KintoneRequest;
  readonly subject: Subject;
  readonly rules: string[];
  heldMs: number;
  /** Called when the request has ended, whatever became of it. */
  readonly finally: (() => void)[];
}

/** What became of a request: an answer, or an early one that nothing was executed for. */
type Early = KintoneResponse | null;

const WITHOUT_ANSWER: Omit<KintoneResponse, "delivery"> = { status: 0, headers: {}, body: "" };
const lineFault = (delivery: Delivery): KintoneResponse => ({ ...WITHOUT_ANSWER, delivery });

export interface Pipeline {
  run(passage: Passage): Promise<KintoneResponse>;
}

/** Creates the way of a request through the rules (kintone-rest §19). */
export function createPipeline(tools: PipelineTools): Pipeline {
  const { book, barriers, core, wording } = tools;
  const running = new Map<string, number>();

  function take(
    stage: Parameters<RuleBook["take"]>[0],
    passage: Passage,
    applies?: (effect: FaultEffect) => boolean,
  ): readonly Firing[] {
    const firings = book.take(stage, passage.subject, applies);
    passage.rules.push(...firings.map(({ rule }) => rule.id));
    return firings;
  }

  async function timed(passage: Passage, work: Promise<void>): Promise<void> {
    const start = tools.monotonic();
    await work;
    passage.heldMs += tools.monotonic() - start;
  }

  async function hold(passage: Passage, { rule }: Firing, effect: EffectOf<"barrier">): Promise<Early> {
    const [call] = passage.subject.parts;
    const arrival = {
      rule: rule.id,
      phase: effect.phase,
      method: call?.method ?? "",
      path: call?.path ?? "",
    };
    let end = "released";
    const held = barriers.hold(arrival, effect.limitMs).then((how) => {
      end = how;
    });
    await timed(passage, held);
    if (end !== "timed_out") return null;
    const error = barrierTimedOut(effect.phase);
    return refusal(error, passage.request, passage.subject, { index: null, wording });
  }

  function delayOf(effect: EffectOf<"delay">, { rule, counts }: Firing): number {
    const grown = effect.ms + effect.growMs * (counts.fired - 1);
    if (effect.upToMs === undefined) return grown;
    return (
      grown + Math.floor(draw(tools.seed(), rule.id, "delay", counts.met) * (effect.upToMs - effect.ms + 1))
    );
  }

  /** Effects that stand still, do something else or end the process: the same before, between and after. */
  async function pass(passage: Passage, firing: Firing): Promise<Early> {
    const { effect } = firing.rule;
    switch (effect.kind) {
      case "barrier":
        return hold(passage, firing, effect);
      case "delay":
        await timed(passage, tools.pause(delayOf(effect, firing)));
        return null;
      case "act":
        tools.logAction(effect.action.kind, firing.rule.id);
        perform(tools, effect.action, firing.part);
        return null;
      case "crash":
        // Said first: nothing can be said afterwards.
        tools.logAction("crash", firing.rule.id);
        tools.crash();
        return null;
      default:
        return null;
    }
  }

  async function passAll(passage: Passage, firings: readonly Firing[]): Promise<Early> {
    for (const firing of firings) {
      const early = await pass(passage, firing);
      if (tools.ended.aborted) return lineFault({ kind: "reset" });
      if (early !== null) return early;
    }
    return null;
  }

  function enter(passage: Passage, { rule }: Firing, limit: number): Early {
    const inside = running.get(rule.id) ?? 0;
    if (inside >= limit) {
      const answer = refusal(overLimit(), passage.request, passage.subject, { index: null, wording });
      const headers = {
        "X-ConcurrencyLimit-Limit": String(limit),
        "X-ConcurrencyLimit-Running": String(inside + 1),
      };
      return { ...answer, headers: { ...answer.headers, ...headers } };
    }
    running.set(rule.id, inside + 1);
    passage.finally.push(() => running.set(rule.id, (running.get(rule.id) ?? 1) - 1));
    return null;
  }

  function enterAll(passage: Passage): Early {
    for (const firing of take("entry", passage)) {
      const { effect } = firing.rule;
      const early = effect.kind === "concurrency" ? enter(passage, firing, effect.limit) : null;
      if (early !== null) return early;
    }
    return null;
  }

  function gate(passage: Passage): Early {
    const applies = (effect: FaultEffect): boolean => {
      if (effect.kind !== "block" || effect.calls === "all") return true;
      return (effect.calls === "writes") === isWrite(passage.subject);
    };
    for (const firing of take("gate", passage, applies)) {
      const { effect } = firing.rule;
      if (effect.kind === "lose-request") return lineFault({ kind: "reset" });
      if (effect.kind === "block") {
        return lineFault({ kind: effect.how === "black-hole" ? "silent" : "reset" });
      }
      if (effect.kind === "status") return statusAnswer(effect, passage.request, wording);
      if (effect.kind === "refuse") {
        const { index } = firing.part;
        return refusal(refusalError(effect), passage.request, passage.subject, { index, wording });
      }
    }
    return null;
  }

  /** F3: a request whose checks fail is answered at once and meets no barrier. */
  async function between(passage: Passage): Promise<Early> {
    if (!book.concerns("between", passage.subject)) return null;
    // Whatever checks nothing and writes no record is held as before its start.
    if (!writesRecords(passage.subject)) return passAll(passage, take("between", passage));
    const tried = await core.serve(passage.request, onTrial(core.services()));
    if (!isSuccess(tried)) return tried;
    return passAll(passage, take("between", passage));
  }

  async function execute(passage: Passage): Promise<KintoneResponse> {
    const [twice] = take("delivery", passage);
    const first = await core.serve(passage.request);
    if (twice?.rule.effect.kind !== "duplicate") return first;
    const second = await core.serve(passage.request);
    return twice.rule.effect.answer === "first" ? first : second;
  }

  function loser(passage: Passage, response: KintoneResponse, firing: Firing, code: string): KintoneResponse {
    const isLockFailure =
      code === "GAIA_DA02" ||
      (code === "alternate" && draw(tools.seed(), firing.rule.id, "loser", firing.counts.met) < 0.5);
    if (!isLockFailure) return response;
    const error = refusalError({ code: "GAIA_DA02" });
    const locale = negotiateLocale(passage.request.headers["accept-language"], wording.fallback);
    return asLockFailure(response, error.status, errorBody(error, locale, wording.ids));
  }

  function reshape(passage: Passage, response: KintoneResponse): KintoneResponse {
    let shaped = response;
    for (const firing of take("answer", passage, (effect) => suits(effect, shaped))) {
      const { effect } = firing.rule;
      if (effect.kind === "revision-loser") shaped = loser(passage, shaped, firing, effect.code);
      if (effect.kind === "wrong-bytes") shaped = turnBytes(shaped);
      if (effect.kind === "abort-search") shaped = abortSearch(shaped, effect.keep);
      if (effect.kind === "malformed") shaped = malform(shaped, effect);
    }
    return shaped;
  }

  function onLine(passage: Passage, response: KintoneResponse): KintoneResponse {
    const [firing] = take("line", passage);
    const effect = firing?.rule.effect;
    if (effect?.kind === "lose-response") return { ...response, delivery: { kind: "reset" } };
    if (effect?.kind === "cut-response") {
      const bytes = Math.floor(Buffer.byteLength(response.body) * effect.keep);
      return { ...response, delivery: { kind: "cut", bytes } };
    }
    if (effect?.kind !== "slow-body") return response;
    const pause = (): Promise<void> => tools.pause(effect.pauseMs);
    return { ...response, delivery: { kind: "slow", chunkBytes: effect.chunkBytes, pause } };
  }

  return {
    async run(passage) {
      const stopped =
        enterAll(passage) ??
        (await passAll(passage, take("before", passage))) ??
        gate(passage) ??
        (await between(passage));
      if (stopped !== null) return stopped.delivery === undefined ? onLine(passage, stopped) : stopped;
      const response = await execute(passage);
      const late = await passAll(
        passage,
        take("after", passage, (effect) => suits(effect, response)),
      );
      return onLine(passage, late ?? reshape(passage, response));
    },
  };
}
