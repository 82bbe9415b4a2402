import type { LiveBatch, PlannedAction } from "../../shared/api/index.ts";
import type { ActionDraft } from "./action-draft.ts";

/** Whether news may have changed what the plan of the open form rests on. A judging time alone changes nothing. */
export function concerns(
  { resync, runs, nodes }: Pick<LiveBatch, "resync" | "runs" | "nodes">,
  { intent, subject }: ActionDraft,
  planned: PlannedAction | null,
): boolean {
  if (resync) return true;
  const runId = "runId" in intent ? intent.runId : (subject.runId ?? null);
  if (runId === null || runId === "") return false;
  if (nodes.some((node) => node.runId === runId)) return true;
  const revision = planned?.plan.seen.run?.revision;
  return runs.some(({ id, fields, ...diff }) => {
    if (id !== runId) return false;
    if (revision !== undefined && diff.revision > revision) return true;
    return fields.status !== undefined || fields.activity !== undefined || fields.lifecycle !== undefined;
  });
}
