import { FlowError } from "../../../shared/domain/problem.ts";
import type { FaultEffect } from "./effect-schema.ts";
import { findMatch, type TokenLabels } from "./match.ts";
import type { FaultRule } from "./rule-schema.ts";
import { type Counts, NO_COUNTS, takeTurn } from "./schedule.ts";
import type { Subject, SubjectPart } from "./subject.ts";

/** Moments of a request at which rules may act, in this order. */
export type Stage = "before" | "entry" | "gate" | "between" | "delivery" | "after" | "answer" | "line";

/** A rule that acts on a request now. */
export interface Firing {
  readonly rule: FaultRule;
  readonly part: SubjectPart;
  readonly counts: Counts;
}

export interface RuleState {
  readonly rule: FaultRule;
  readonly met: number;
  readonly fired: number;
}

export interface RuleBook {
  /** Throws FlowError `FAULT_RULE_EXISTS`; then none was added. */
  add(rules: readonly FaultRule[]): void;
  /** Removes all rules, or the named ones; answers the ids of those removed. */
  remove(ids: readonly string[] | null): readonly string[];
  list(): readonly RuleState[];
  /** True when a rule of the stage is about this request, whether or not it is its turn. */
  concerns(stage: Stage, subject: Subject): boolean;
  /**
   * Rules that act at a stage. `applies` asks whether the effect makes sense on the answer at hand: a rule is not spent
   * where it does not. At the stages where one effect excludes the next, only the first one that acts is met.
   */
  take(stage: Stage, subject: Subject, applies?: (effect: FaultEffect) => boolean): readonly Firing[];
}

export interface RuleBookOptions {
  now(): number;
  seed(): number;
  readonly labelOf: TokenLabels;
}

/** The stage an effect belongs to. */
function stageOf(effect: FaultEffect): Stage {
  switch (effect.kind) {
    case "barrier":
    case "act":
      if (effect.phase === "after-success") return "after";
      return effect.phase;
    case "delay":
      return effect.phase;
    case "crash":
      return effect.phase === "before" ? "before" : "after";
    case "block":
    case "lose-request":
    case "status":
    case "refuse":
      return "gate";
    case "concurrency":
      return "entry";
    case "duplicate":
      return "delivery";
    case "revision-loser":
    case "wrong-bytes":
    case "abort-search":
    case "malformed":
      return "answer";
    case "lose-response":
    case "cut-response":
    case "slow-body":
      return "line";
  }
}

const EXCLUSIVE: ReadonlySet<Stage> = new Set(["gate", "delivery", "line"]);

interface Held {
  readonly rule: FaultRule;
  readonly stage: Stage;
  counts: Counts;
}

function refuseDoubles(held: readonly Held[], rules: readonly FaultRule[]): void {
  const ids = new Set(held.map(({ rule }) => rule.id));
  for (const { id } of rules) {
    if (ids.has(id)) {
      throw new FlowError({
        code: "FAULT_RULE_EXISTS",
        message: `There is a rule "${id}" already; none of these was added.`,
        place: id,
        remedy: "Choose another id, or clear that rule first.",
      });
    }
    ids.add(id);
  }
}

/** Creates an empty book. All matching is done by pure functions; only the counts live here. */
export function createRuleBook({ now, seed, labelOf }: RuleBookOptions): RuleBook {
  const held: Held[] = [];

  function turn(entry: Held, subject: Subject): Firing | null {
    const { rule } = entry;
    const part = findMatch(rule.match, subject, labelOf);
    if (part === null) return null;
    const { acts, counts } = takeTurn(rule, entry.counts, { now: now(), seed: seed(), ruleId: rule.id });
    entry.counts = counts;
    return acts ? { rule, part, counts } : null;
  }

  return {
    add(rules) {
      refuseDoubles(held, rules);
      for (const rule of rules) held.push({ rule, stage: stageOf(rule.effect), counts: NO_COUNTS });
    },
    remove(ids) {
      const gone = held.filter(({ rule }) => ids === null || ids.includes(rule.id));
      for (const entry of gone) held.splice(held.indexOf(entry), 1);
      return gone.map(({ rule }) => rule.id);
    },
    list: () => held.map(({ rule, counts }) => ({ rule, ...counts })),
    concerns: (stage, subject) =>
      held.some((entry) => entry.stage === stage && findMatch(entry.rule.match, subject, labelOf) !== null),
    take(stage, subject, applies = () => true) {
      const firings: Firing[] = [];
      for (const entry of [...held]) {
        if (entry.stage !== stage || !applies(entry.rule.effect)) continue;
        const firing = turn(entry, subject);
        if (firing === null) continue;
        firings.push(firing);
        if (EXCLUSIVE.has(stage)) break;
      }
      return firings;
    },
  };
}
