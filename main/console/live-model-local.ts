import type { NodeDiff } from "../../shared/api/index.ts";
import type { RunEvent } from "../orchestrator/index.ts";
import type { Clock } from "../store/index.ts";
import type { LiveHub } from "./live-model-hub.ts";
import type { Picture } from "./live-model-picture.ts";
import type { Poller } from "./live-model-poller.ts";

export interface LocalNewsDeps {
  readonly picture: Picture;
  readonly poller: Pick<Poller, "touch" | "wake">;
  readonly hub: Pick<LiveHub, "push">;
  /** Runs this console executes now; kept here. */
  readonly own: Set<string>;
  readonly clock: Clock;
}

/**
 * Shows what this host's scheduler tells, at once and without a request (operator-ux U3). Only a Run that is new to
 * the picture, or has ended, is read: to show all of it, and to let its record speak again.
 */
export function createLocalNews({ picture, poller, hub, own, clock }: LocalNewsDeps) {
  const judgedNow = (): { activityJudgedAt: string } => ({
    activityJudgedAt: new Date(clock.nowMs()).toISOString(),
  });
  const node = (diff: NodeDiff): void => hub.push((queue) => queue.node(diff));

  return (event: RunEvent): void => {
    const { runId } = event;
    switch (event.kind) {
      case "run-created":
      case "run-resumed":
        own.add(runId);
        poller.touch(runId);
        break;
      case "node-started":
        own.add(runId);
        picture.overlay(runId, { status: "RUNNING", activity: "LIVE", ...judgedNow() });
        node({ runId, nodeId: event.nodeId, status: "RUNNING", attemptId: event.attemptId, pid: event.pid });
        if (picture.row(runId) === undefined) poller.touch(runId);
        else poller.wake();
        break;
      case "node-ended":
        node({ runId, nodeId: event.nodeId, status: event.status, attemptId: null, pid: null });
        break;
      case "run-ended":
        own.delete(runId);
        picture.overlay(runId, { status: event.status, activity: null, ...judgedNow() });
        poller.touch(runId);
        break;
    }
  };
}
