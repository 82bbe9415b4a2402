import { planRelease, planStop } from "../../../shared/domain/hold.ts";
import type { Hold, Run, Stored } from "../../../shared/domain/model.ts";
import { checkSeen } from "../../../shared/domain/operations/seen.ts";
import { holdSeen } from "../../../shared/domain/operations/stop.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { LoneWrite } from "../../store/index.ts";
import { isoNow } from "../deps.ts";
import type { CancelRunInput, CancelRunOutcome } from "../recovery-ports.ts";
import type { RecoveryDeps } from "./deps.ts";

/** How often a hold that changed under the plan is planned again. */
const ROUNDS_MAX = 3;

/**
 * STOP or RELEASE of a Run (orchestration section 4.7): one record, fenced by its own revision, no lock. Codes
 * `RUN_NOT_FOUND`, `RUN_ALREADY_TERMINAL`, `PLAN_STALE`, `REVISION_CONFLICT`, `WRITE_UNCERTAIN`, `STORE_*`.
 */
export async function cancelRun(
  deps: RecoveryDeps,
  input: CancelRunInput,
): Promise<Result<CancelRunOutcome>> {
  let conflict: Problem | null = null;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const [run, hold] = await Promise.all([
      deps.store.findRunById(input.runId, input.signal),
      deps.store.findHold(input.runId, input.signal),
    ]);
    if (run === null) return fail(notFound(input.runId));
    const seen = checkSeen(round === 0 ? input.seen : null, holdSeen({ run, hold }));
    if (!seen.ok) return seen;
    const done = await planAndWrite(deps, input, run, hold);
    if (!("conflict" in done)) return done;
    ({ conflict } = done);
  }
  return fail(conflict ?? notFound(input.runId));
}

async function planAndWrite(
  deps: RecoveryDeps,
  { release, reason, requestedBy, signal }: CancelRunInput,
  run: Stored<Run>,
  hold: Stored<Hold> | null,
): Promise<Result<CancelRunOutcome> | { readonly conflict: Problem }> {
  const wish = { runId: run.runId, requestedBy, reason, at: isoNow(deps.clock) };
  const plan = release ? ok(planRelease(hold, wish)) : planStop(hold, run.status, wish);
  if (!plan.ok) return plan;
  const { value } = plan;
  if (value.kind === "none") return ok({ hold, changed: false });
  const written =
    value.kind === "insert" || hold === null
      ? await deps.store.insertHold(value.next, signal)
      : await deps.store.updateHold(hold.ref, value.next, signal);
  return outcomeOf(written, value.next);
}

function outcomeOf(
  written: LoneWrite,
  next: Hold,
): Result<CancelRunOutcome> | { readonly conflict: Problem } {
  if (written.kind === "applied") return ok({ hold: { ...next, ref: written.ref }, changed: true });
  return written.kind === "conflict" ? { conflict: written.problem } : fail(written.problem);
}

const notFound = (runId: string): Problem => ({
  code: "RUN_NOT_FOUND",
  message: "No Run of this id is in the state app.",
  place: runId,
  remedy: "Check the id; status lists the Runs of a network.",
});
