import type { FaultEffect } from "./effect-schema.ts";
import type { FaultWhen } from "./match-schema.ts";

/** How often a rule was met and how often it acted. */
export interface Counts {
  /** Requests that matched while the rule was in its window. */
  readonly met: number;
  readonly fired: number;
}

export const NO_COUNTS: Counts = { met: 0, fired: 0 };

/** Effects that stand for a state of the service go on; events happen once unless the rule says otherwise. */
const LASTING: ReadonlySet<FaultEffect["kind"]> = new Set([
  "block",
  "delay",
  "slow-body",
  "concurrency",
  "revision-loser",
  "abort-search",
]);

/** How often a rule acts in all. */
export function timesOf(effect: FaultEffect, when: FaultWhen): number {
  if (when.times === "unlimited") return Number.POSITIVE_INFINITY;
  return when.times ?? (LASTING.has(effect.kind) ? Number.POSITIVE_INFINITY : 1);
}

/**
 * A number in [0, 1) that depends on its words alone, so that the chances of one rule do not move when another is added
 * (kintone-rest §19, "Determinism").
 */
export function draw(seed: number, ...words: readonly (string | number)[]): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (const character of words.join("\u0000")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

interface Moment {
  /** Milliseconds on the server's clock. */
  readonly now: number;
  readonly seed: number;
  readonly ruleId: string;
}

function inWindow(when: FaultWhen, now: number): boolean {
  if (when.from !== undefined && now < Date.parse(when.from)) return false;
  if (when.until !== undefined && now >= Date.parse(when.until)) return false;
  return when.seconds === undefined || when.seconds.includes(new Date(now).getUTCSeconds());
}

function isTurn(when: FaultWhen, met: number): boolean {
  const { skip = 0, nth, every } = when;
  if (met <= skip) return false;
  if (nth !== undefined && met - skip !== nth) return false;
  return every === undefined || (met - skip) % every === 0;
}

/** Whether a rule acts on the match it just met, and its counts from then on (kintone-rest §19). Pure. */
export function takeTurn(
  rule: { readonly effect: FaultEffect; readonly when: FaultWhen },
  counts: Counts,
  moment: Moment,
): { readonly acts: boolean; readonly counts: Counts } {
  const { when } = rule;
  if (!inWindow(when, moment.now)) return { acts: false, counts };
  const met = counts.met + 1;
  const isLucky = when.probability === undefined || draw(moment.seed, moment.ruleId, met) < when.probability;
  const acts = counts.fired < timesOf(rule.effect, when) && isTurn(when, met) && isLucky;
  return { acts, counts: { met, fired: counts.fired + (acts ? 1 : 0) } };
}
