import { perform } from "./actions.ts";
import { barrierTimedOut, refusal } from "./answers.ts";
import type { BarrierEnd } from "./barriers.ts";
import type { EffectOf } from "./effect-schema.ts";
import { type Early, lineFault, type Passage, type PipelineTools } from "./passage.ts";
import type { Firing } from "./rule-book.ts";
import { draw } from "./schedule.ts";

async function timed<T>(tools: PipelineTools, passage: Passage, work: Promise<T>): Promise<T> {
  const start = tools.monotonic();
  const result = await work;
  passage.heldMs += tools.monotonic() - start;
  return result;
}

async function hold(
  tools: PipelineTools,
  passage: Passage,
  { rule }: Firing,
  { phase, limitMs }: EffectOf<"barrier">,
): Promise<Early> {
  const { request, subject } = passage;
  const [call] = subject.parts;
  const arrival = { rule: rule.id, phase, method: call?.method ?? "", path: call?.path ?? "" };
  const end: BarrierEnd = await timed(tools, passage, tools.barriers.hold(arrival, limitMs));
  if (end !== "timed_out") return null;
  return refusal(barrierTimedOut(phase), request, subject, { index: null, wording: tools.wording });
}

/** Milliseconds of a delay: grown by every firing, or drawn from the seed (F9). */
function delayOf(tools: PipelineTools, effect: EffectOf<"delay">, { rule, counts }: Firing): number {
  const grown = effect.ms + effect.growMs * (counts.fired - 1);
  if (effect.upToMs === undefined) return grown;
  const span = Math.max(0, effect.upToMs - effect.ms) + 1;
  return grown + Math.floor(draw(tools.seed(), rule.id, "delay", counts.met) * span);
}

async function pass(tools: PipelineTools, passage: Passage, firing: Firing): Promise<Early> {
  const { effect } = firing.rule;
  switch (effect.kind) {
    case "barrier":
      return hold(tools, passage, firing, effect);
    case "delay":
      await timed(tools, passage, tools.pause(delayOf(tools, effect, firing)));
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

/**
 * Carries out the rules that hold a request, do something else or end the process, in order: the same before, between
 * and after. Answers what ends the request early, or null.
 */
export async function passAll(
  tools: PipelineTools,
  passage: Passage,
  firings: readonly Firing[],
): Promise<Early> {
  for (const firing of firings) {
    const early = await pass(tools, passage, firing);
    if (tools.ended.aborted) return lineFault({ kind: "reset" });
    if (early !== null) return early;
  }
  return null;
}
