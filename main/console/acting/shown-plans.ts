import { FREE_WORDS, type Intent } from "../../../shared/api/index.ts";
import { instantOf } from "../../../shared/domain/datetime.ts";
import type { OperationPlan } from "../../../shared/domain/operations/index.ts";

/** Plans remembered; the oldest go first. */
const KEPT = 2_000;

/** An intent without its words: a plan to end a node as failed is none to end it as succeeded. Pure. */
export const decisionOf = (intent: Intent): string =>
  JSON.stringify(
    Object.entries(intent)
      .filter(([name]) => !FREE_WORDS.has(name))
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );

/** Which plans this console showed, and when: nothing is confirmed that nobody could have looked at (operator-ux D6). */
export interface ShownPlans {
  shown(intent: Intent, plan: Pick<OperationPlan, "fingerprint" | "readAt">): void;
  /** Milliseconds since it was read; null: no such plan was shown here. */
  ageMs(intent: Intent, fingerprint: string): number | null;
}

export function createShownPlans(nowMs: () => number): ShownPlans {
  const plans = new Map<string, string>();
  const key = (intent: Intent, fingerprint: string): string =>
    JSON.stringify([decisionOf(intent), fingerprint]);
  return {
    shown(intent, { fingerprint, readAt }) {
      const name = key(intent, fingerprint);
      plans.delete(name);
      plans.set(name, readAt);
      const [oldest] = plans.keys();
      if (plans.size > KEPT && oldest !== undefined) plans.delete(oldest);
    },
    ageMs(intent, fingerprint) {
      const readAt = plans.get(key(intent, fingerprint));
      const instant = readAt === undefined ? null : instantOf(readAt);
      return instant === null ? null : Math.max(0, Math.round(nowMs() - instant));
    },
  };
}
