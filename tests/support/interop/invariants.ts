import { expect } from "vitest";
import type { ScriptedRig } from "./scripted-rig.ts";
import { findings } from "./seen.ts";

/** What may differ from a Run that nobody disturbed. */
export interface RunStory {
  readonly networkId: string;
  readonly runId: string;
  /** Nodes whose outcome a person stated: SUCCESS without a child's word for it. */
  readonly resolved?: readonly string[];
  /** Nodes that RERUN_FROM ran again although they had ended well. */
  readonly rerun?: readonly string[];
}

/**
 * What holds whoever wrote the records of a Run: one Run per key; attempt numbers unique and without a gap; a node runs
 * again only when it is idempotent and its last child has provably ended; nothing is SUCCESS without its child's SUCCESS;
 * and neither program finds anything to say (orchestration sections 2.2, 4.2, 6.2).
 */
export async function expectInvariants(rig: ScriptedRig, story: RunStory): Promise<void> {
  const { networkId, runId, resolved = [], rerun = [] } = story;
  const { reads, profile } = rig.workspace;
  const { run, states, attempts } = await reads.readRunGraph(runId);
  const sameKey = (await reads.listRuns({ profile, networkId })).filter(
    ({ businessKey }) => businessKey === run?.businessKey,
  );
  expect(sameKey.map((each) => each.runId)).toEqual([runId]);

  const children = await rig.children(networkId);
  const started = children.map(({ attemptId }) => attemptId);
  expect(new Set(started).size).toBe(started.length);
  const endings = new Map(children.map(({ attemptId, ending }) => [attemptId, ending]));
  for (const state of states) {
    const { nodeId } = state;
    const own = attempts.filter((attempt) => attempt.nodeId === nodeId);
    const ordered = own.toSorted((a, b) => a.attemptNo - b.attemptNo);
    expect(ordered.map(({ attemptNo }) => attemptNo)).toEqual(ordered.map((_, index) => index + 1));
    expect(state.latestAttemptNo).toBe(ordered.length);

    const ran = ordered.filter(({ attemptId }) => started.includes(attemptId));
    if (!state.idempotent) expect(ran.length).toBeLessThanOrEqual(1);
    const before = ran.slice(0, -1).map(({ status }) => status);
    const again = rerun.includes(nodeId) ? ["SUCCESS", "FAILED", "CANCELLED"] : ["FAILED", "CANCELLED"];
    expect(before.filter((status) => !again.includes(status))).toEqual([]);

    for (const { attemptId, status } of ordered) {
      if (status === "SUCCESS") expect(endings.get(attemptId)).toBe("OK");
    }
    const last = ordered.at(-1);
    if (state.status === "SUCCESS" && !resolved.includes(nodeId)) expect(last?.status).toBe("SUCCESS");
  }
  if (run?.status === "SUCCESS")
    expect(states.map(({ status }) => status)).toEqual(states.map(() => "SUCCESS"));
  expect(await findings(rig, networkId, runId)).toEqual({ ours: [], peer: [] });
}
