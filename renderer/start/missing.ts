import { REASON_MIN } from "../../shared/api/index.ts";
import type { Gate } from "../state/context.tsx";
import { type StartState, targetOf } from "../state/start.ts";

export const MISSING = [
  "network",
  "target",
  "problems",
  "exists",
  "reason",
  "preview",
  "stale",
  "clock",
  "mode",
] as const;
export type Missing = (typeof MISSING)[number];

/** What a start still lacks, in the order of the form; the confirm button lists it (screens, operator-ux D11). */
export function missingOf(state: StartState, timeZone: string, gate: Gate): readonly Missing[] {
  const { form, preview } = state;
  const missing: Missing[] = [];
  const target = targetOf(form, timeZone);
  if (form.networkId === "") missing.push("network");
  else if (target === null) missing.push("target");
  if ((preview !== null && preview.problems.length > 0) || state.previewProblem !== null)
    missing.push("problems");
  if (preview?.existing) missing.push("exists");
  if (form.reason.trim().length < REASON_MIN) missing.push("reason");
  if (target !== null && (preview === null || state.previewing) && state.previewProblem === null) {
    missing.push("preview");
  }
  if (gate !== null) missing.push(gate);
  return missing;
}
