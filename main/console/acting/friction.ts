import type { Friction, Intent } from "../../../shared/api/index.ts";
import { DANGER_LEVELS, type OperationPlan } from "../../../shared/domain/operations/index.ts";
import { identifierOf } from "./identifier.ts";
import { breakGlassSentence } from "./sentence.ts";

/** How long a complete dialog waits before its button works (operator-ux §2.1, level 3). Milliseconds. */
export const ARM_MS = 3_000;

const atLeast = (plan: OperationPlan, level: OperationPlan["danger"]): boolean =>
  DANGER_LEVELS.indexOf(plan.danger) >= DANGER_LEVELS.indexOf(level);

/** The approver a record needs by its own rules (orchestration §5.4); a sentence of one person does not replace them. */
export const needsApprover = ({ evidence }: OperationPlan): boolean =>
  evidence.some(({ field, required }) => field === "approvedBy" && required);

/** What a confirmation asks for beyond its form, by the danger of the plan (operator-ux §2.1, §2.4). */
export function frictionOf(intent: Intent, plan: OperationPlan): Friction {
  const grave = atLeast(plan, "L3");
  const approver = needsApprover(plan);
  const last = atLeast(plan, "L4");
  return {
    identifier: grave ? identifierOf(intent, plan) : null,
    armMs: grave ? ARM_MS : 0,
    secondPerson: last || approver,
    breakGlassSentence: last && !approver ? breakGlassSentence(intent, plan) : null,
  };
}
