import type { ActionExecute, Operation, PlannedAction } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";

/** An action from the moment of its sending. */
export interface SentAction {
  readonly operationId: string;
  readonly kind: ActionExecute["intent"]["kind"];
  /** What was confirmed. */
  readonly planned: PlannedAction;
  /** As last told by main; null before its first word. */
  readonly operation: Operation | null;
  /** Why its answer did not come, or why nothing is known of it; null while nothing is wrong. */
  readonly problem: Problem | null;
}

/** The life of an action as the operator sees it (operator-ux D8). */
const ACTION_PHASES = ["sending", "accepted", "applied", "done", "refused", "uncertain"] as const;
export type ActionPhase = (typeof ACTION_PHASES)[number];

export function phaseOf({ operation, problem }: SentAction): ActionPhase {
  if (operation !== null) return operation.state;
  return problem === null ? "sending" : "uncertain";
}

/** Whether more is to come by itself. */
export const underWay = (sent: SentAction): boolean =>
  ["sending", "accepted", "applied"].includes(phaseOf(sent));

/** Whether its end is not known: a form for the same thing shows it instead of asking anew. */
export const unsettled = (sent: SentAction): boolean => underWay(sent) || phaseOf(sent) === "uncertain";

/** An answer that may have got lost on its way: the action may stand in the records (operator-ux D8). */
export const lost = ({ code }: Problem): boolean => code === "CONSOLE_UNREACHABLE";
