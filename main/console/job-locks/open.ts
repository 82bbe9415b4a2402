import type { AllowedNetworks } from "../allowed-networks.ts";
import { describeNetwork } from "../api/networks.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { Workspace } from "../ports.ts";
import { createJobLocks, type JobLocks } from "./job-locks.ts";

export interface OpenJobLocksDeps {
  readonly workspace: Workspace;
  readonly allowed: Pick<AllowedNetworks, "read">;
  readonly live: Pick<LiveModel, "known">;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** The job locks of a workspace, over its runner, its allow list and the Runs of its picture. */
export function openJobLocks({ workspace, allowed, live, nowMs }: OpenJobLocksDeps): JobLocks {
  return createJobLocks({
    runner: workspace.runnerLocks,
    recovery: workspace.recovery,
    networks: async () =>
      Promise.all((await allowed.read()).map((entry) => describeNetwork(workspace.orchestrator, entry))),
    knownRuns: live.known,
    profile: workspace.profile,
    host: workspace.host,
    nowMs,
  });
}
