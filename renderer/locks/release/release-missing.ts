import { type Intent, type LockHolder, STOP_CHECKS } from "../../../shared/api/index.ts";
import { type Missing, missingAround, missingInForm } from "../../action/missing.ts";
import type { ActionState } from "../../state/action.ts";
import type { Gate } from "../../state/context.tsx";
import { firmRefusals, formIsOpen, type ReleaseGate } from "./release-gate.ts";

export type ForceUnlock = Extract<Intent, { readonly kind: "forceUnlock" }>;
export type ReleaseMissing = Missing | "releaseGate" | "pid" | "checks";

/** The owner's own host is this one: what is said of its process can be verified here. */
export const isOwnHost = ({ thisHost, pid }: LockHolder): boolean => thisHost && pid !== null;

/**
 * What a forced release still lacks, in the order of the page: first what speaks against it, then the form. While the
 * only refusals are those a filled-in form answers, the fields are told one by one (operator-ux D11).
 */
export function releaseMissing(
  state: ActionState,
  frameGate: Gate,
  gate: ReleaseGate | null,
  holder: LockHolder,
): readonly ReleaseMissing[] {
  const { draft, planned } = state;
  if (draft === null || draft.intent.kind !== "forceUnlock")
    return gate === null ? ["plan"] : ["releaseGate"];
  const closed = gate !== null || firmRefusals(planned?.plan.refusals ?? []).length > 0;
  // Nothing is filled in for what cannot be done; a lease, though, ends by itself.
  const form = formIsOpen(gate) ? [...formMissing(draft.intent, holder), ...missingInForm(state)] : [];
  return [...(closed ? (["releaseGate"] as const) : []), ...form, ...missingAround(state, frameGate)];
}

function formMissing(intent: ForceUnlock, holder: LockHolder): readonly ("pid" | "checks")[] {
  const pid = holder.pid !== null && intent.pid !== holder.pid;
  const checks = !isOwnHost(holder) && !STOP_CHECKS.every((check) => intent.checked.includes(check));
  return [...(pid ? (["pid"] as const) : []), ...(checks ? (["checks"] as const) : [])];
}
