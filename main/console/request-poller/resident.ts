import type { Problem } from "../../../shared/domain/problem.ts";
import { type ResidentPoller, startResidentPoller } from "../../orchestrator/index.ts";
import { type WorkspacePollerOptions, workspacePollerDeps } from "./deps.ts";

/** Polls a workspace until disposed. What keeps it from reading is logged once, and that it reads again. */
export function startWorkspacePoller(parts: WorkspacePollerOptions): ResidentPoller {
  const { log } = parts.workspace;
  let last: Problem | null = null;
  return startResidentPoller(workspacePollerDeps(parts), parts.options.intervalMs, ({ problem }) => {
    if (problem?.code === last?.code) return;
    last = problem;
    if (problem !== null) log.problem("poller", problem);
    else log.write("info", "poller", "POLLER_READS_AGAIN");
  });
}
