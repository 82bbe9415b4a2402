import type { StartExecute, StartPreview } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { HandlerDeps } from "./deps.ts";
import { allowedNetwork, changedParts, previewStart } from "./start-preview.ts";

/**
 * Why a start must not happen, judged on a fresh preview, or null: it is not startable, its Run exists already, or
 * what the operator confirmed has moved (architecture §4). The same facts grey the button of the form.
 */
export function startRefusal(fresh: StartPreview, seen: string): Problem | null {
  const changed = changedParts(seen, fresh.fingerprint);
  if (changed.length > 0) {
    return {
      code: "PREVIEW_STALE",
      message: "What was confirmed is no longer what is there; nothing was started.",
      remedy: "Read the preview again and confirm what it shows now.",
      details: { changed },
    };
  }
  const [first] = fresh.problems;
  if (first !== undefined) return first.problem;
  if (fresh.existing === null) return null;
  return {
    code: "RUN_ALREADY_EXISTS",
    message: "A Run of this business key exists; a start never makes a second one.",
    remedy: "Open the Run and resume it there.",
    details: { runId: fresh.existing.runId, status: fresh.existing.status },
  };
}

/** Accepts a start and hands it to the orchestrator; the answer does not wait for the Run (operator-ux D8). */
export async function executeStart(
  deps: HandlerDeps,
  input: StartExecute,
  signal?: AbortSignal,
): Promise<Result<{ operationId: string; acceptedAt: string }>> {
  const { operationId, fingerprint, reason, ...target } = input;
  const known = deps.operations.get(operationId);
  if (known !== undefined) return ok({ operationId, acceptedAt: known.acceptedAt });
  // By an earlier start of this console: the page asks again after it came back.
  const before = await deps.recorded(operationId);
  if (before !== null) return ok({ operationId, acceptedAt: before.acceptedAt });
  const closed = await deps.gate();
  if (closed !== null) return fail(closed);
  const entry = allowedNetwork(deps, target.networkId);
  if (!entry.ok) return entry;
  const fresh = await previewStart(deps, entry.value, target, signal);
  const refusal = startRefusal(fresh, fingerprint);
  if (refusal !== null) return fail(refusal);
  if (fresh.businessKey === null) return fail(keyless);
  const wish = {
    operationId,
    businessKey: fresh.businessKey,
    scheduledFor: target.scheduledFor ?? null,
    reason,
  };
  const { networkId } = entry.value;
  // The preview took its time: the mode may have been changed, or the picture grown old.
  const closedSince = await deps.gate();
  if (closedSince !== null) return fail(closedSince);
  const started = deps.operations.start({
    ...wish,
    entry: entry.value,
    record: deps.recordStart({ ...wish, networkId, profile: deps.workspace.profile, fingerprint }),
  });
  return started.ok ? ok({ operationId, acceptedAt: started.value.acceptedAt }) : started;
}

const keyless: Problem = {
  code: "BUSINESS_KEY_INVALID",
  message: "No business key could be resolved; the Run has no name.",
  place: "--business-key",
};
