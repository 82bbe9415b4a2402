import type { Intent, RunRow } from "../../shared/api/index.ts";
import type { RunKind } from "./names.ts";

type RunState = Pick<RunRow, "status" | "lifecycle" | "activity" | "resumeAllowed">;

/** Whether the Run may have something left to resume, before its plan says what; the plan decides. */
export const mayResume = ({ status, lifecycle, activity, resumeAllowed }: RunState): boolean =>
  lifecycle === "ACTIVE" &&
  resumeAllowed &&
  status !== "SUCCESS" &&
  status !== "UNKNOWN" &&
  activity !== "LIVE" &&
  activity !== "STOPPED";

/** The action that stands on the button of a Run; the others are in its menu. Null: only the menu is left. */
export function mainKind(run: RunState): RunKind | null {
  if (run.lifecycle !== "ACTIVE") return null;
  if (run.activity === "LIVE") return "stop";
  if (run.activity === "STOPPED") return "release";
  return mayResume(run) ? "resume" : null;
}

/** The form that completes the audit of a closed Run, with what its record tells already. */
export function auditIntent(run: Pick<RunRow, "runId" | "status" | "revision">): Intent {
  return {
    kind: "completeAudit",
    runId: run.runId,
    reason: "",
    eventId: "",
    archivedAt: "",
    previousStatus: run.status === "CANCELLED" ? "CANCELLED" : "FAILED",
    runRevisionBefore: Math.max(1, run.revision - 1),
  };
}

export const rerunIntent = (runId: string, fromNode: string): Intent => ({
  kind: "rerun",
  runId,
  fromNode,
  reason: "",
});
