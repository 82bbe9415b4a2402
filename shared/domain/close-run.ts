import { onHold } from "./lease.ts";
import type { HoldState, Run, RunStatus } from "./model.ts";
import type { Problem } from "./problem.ts";

export type CloseVerdict =
  | { readonly kind: "close"; readonly previousStatus: "FAILED" | "CANCELLED" }
  | { readonly kind: "already-archived" }
  | { readonly kind: "refused"; readonly problem: Problem };

type Refusal = readonly [code: string, message: string, remedy: string];

const NOT_ENDED: Refusal = [
  "RUN_NOT_TERMINAL",
  "The Run has not ended.",
  "Resume it, or stop it and let it end.",
];
const BY_STATUS: Readonly<Record<Exclude<RunStatus, "FAILED" | "CANCELLED">, Refusal>> = {
  SUCCESS: [
    "RUN_STATUS_NOT_CLOSABLE",
    "The Run succeeded; a succeeded Run is settled and is not closed.",
    "Nothing is to be done.",
  ],
  UNKNOWN: [
    "RUN_UNKNOWN_NOT_CLOSABLE",
    "The outcome of the Run is unknown; closing it would hide a question nobody has answered.",
    "Resolve its unknown nodes first.",
  ],
  CREATED: NOT_ENDED,
  RUNNING: NOT_ENDED,
};
const HELD: Refusal = [
  "RUN_ON_HOLD",
  "The Run is held: somebody still has plans for it.",
  "Release the hold first.",
];

/**
 * Whether a Run may be closed (orchestration §4.8, A3 and A4), in the peer's order: archived before, status, hold.
 * `hold` null: none. Codes `RUN_STATUS_NOT_CLOSABLE`, `RUN_UNKNOWN_NOT_CLOSABLE`, `RUN_NOT_TERMINAL`, `RUN_ON_HOLD`.
 */
export function closeVerdict(
  run: Pick<Run, "runId" | "status" | "lifecycle">,
  hold: HoldState | null,
): CloseVerdict {
  if (run.lifecycle === "ARCHIVED") return { kind: "already-archived" };
  const refuse = ([code, message, remedy]: Refusal): CloseVerdict => ({
    kind: "refused",
    problem: { code, message, place: run.runId, remedy },
  });
  if (run.status !== "FAILED" && run.status !== "CANCELLED") return refuse(BY_STATUS[run.status]);
  return onHold(hold) ? refuse(HELD) : { kind: "close", previousStatus: run.status };
}
