import { setTimeout as after } from "node:timers/promises";
import { expect } from "vitest";
import type { OpenedWorkspace } from "../../../main/console/index.ts";
import { createInspector } from "../../../main/process/index.ts";
import type { RunGraph } from "../../../main/store/index.ts";
import { reconcile } from "../../../shared/domain/index.ts";
import { NETWORK } from "./world.ts";

/** Longest way back to an end: each round is one documented command. */
const ROUNDS = 8;
const PERSON = { requestedBy: "ops1", servicePrincipal: "svc" } as const;

/** Children outlive a killed orchestrator; only when they are gone is the world at rest. */
export async function childrenGone(graph: RunGraph): Promise<void> {
  const inspector = createInspector();
  const giveUp = AbortSignal.timeout(30_000);
  const open = graph.attempts.filter(({ status }) => status === "RUNNING");
  while (open.some(({ attemptId }) => inspector.findByAttemptId(attemptId).length > 0)) {
    await after(20, undefined, { signal: giveUp });
  }
}

const scopeOf = (workspace: OpenedWorkspace) => ({ profile: workspace.profile, networkId: NETWORK });

/** A lock the killed process left is taken from it, as a person would: by its owner's absence. */
export async function unlock(workspace: OpenedWorkspace): Promise<boolean> {
  const lock = await workspace.reads.findLock(scopeOf(workspace));
  if (lock === null) return false;
  const released = await workspace.recovery.forceUnlock({
    wish: {
      ...scopeOf(workspace),
      expectedOwnerInvocationId: lock.ownerInvocationId ?? "",
      reason: "crash matrix",
      evidenceRef: "matrix",
      stopConfirmedBy: "ops2",
      stopEvidenceRef: "killed by the matrix",
      stopMethod: "local_pid",
      expectedPid: null,
      ...PERSON,
    },
    seen: null,
    evidenceFile: null,
    withoutAudit: false,
  });
  expect(released, "a lock of a killed process is released by its proof").toMatchObject({ ok: true });
  return true;
}

export async function theRun(workspace: OpenedWorkspace): Promise<RunGraph | null> {
  const runs = await workspace.reads.listRuns(scopeOf(workspace));
  expect(runs.length, "at most one Run of the key").toBeLessThanOrEqual(1);
  const [run] = runs;
  if (run === undefined) return null;
  const graph = await workspace.reads.readRunGraph(run.runId);
  await childrenGone(graph);
  return workspace.reads.readRunGraph(run.runId);
}

/** What holds whenever the records are read (orchestration section 2.3, crash matrix). */
export function expectSound(graph: RunGraph): void {
  for (const { nodeId } of graph.states) {
    const numbers = graph.attempts.filter((each) => each.nodeId === nodeId).map(({ attemptNo }) => attemptNo);
    expect(numbers, `attempt numbers of ${nodeId}`).toEqual(numbers.map((_, index) => index + 1));
  }
  for (const state of graph.states.filter(({ status }) => status === "SUCCESS")) {
    const current = graph.attempts.find(
      ({ nodeId, attemptNo }) => nodeId === state.nodeId && attemptNo === state.latestAttemptNo,
    );
    const resolved = graph.resolutions.some(
      ({ attemptId, outcome }) => attemptId === current?.attemptId && outcome === "SUCCESS",
    );
    expect(current?.status === "SUCCESS" || resolved, `${state.nodeId} succeeded by proof or by word`).toBe(
      true,
    );
  }
  const words = graph.resolutions.map(({ attemptId }) => attemptId);
  expect(new Set(words).size, "one word about one attempt").toBe(words.length);
}

/** Brings the Run to SUCCESS by documented commands alone; how many it took. */
export async function bringHome(workspace: OpenedWorkspace, definitionPath: string): Promise<number> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    await unlock(workspace);
    const graph = await theRun(workspace);
    if (graph !== null) expectSound(graph);
    if (graph?.run?.status === "SUCCESS") {
      // A word about an earlier attempt stays as history (W-05).
      const left = reconcile({ ...graph, run: graph.run }).filter(({ severity }) => severity !== "notice");
      expect(left, "no contradiction is left").toEqual([]);
      return round - 1;
    }
    const unknown = graph?.states.find(({ status }) => status === "UNKNOWN");
    if (graph?.run != null && unknown !== undefined)
      await resolveOne(workspace, graph.run.runId, unknown.nodeId);
    else await go(workspace, definitionPath);
  }
  throw new Error("the Run did not come home by documented commands");
}

async function resolveOne(workspace: OpenedWorkspace, runId: string, nodeId: string): Promise<void> {
  const resolved = await workspace.recovery.resolveNode({
    runId,
    seen: null,
    wish: {
      nodeId,
      outcome: "FAILED",
      manualCompletion: false,
      compensation: false,
      reason: "not provable",
      evidenceRef: "matrix",
      stopConfirmedBy: "ops2",
      stopEvidenceRef: "killed by the matrix",
      approvedBy: null,
      ...PERSON,
    },
  });
  expect(resolved, "an unknown node can be decided").toMatchObject({ ok: true });
}

async function go(workspace: OpenedWorkspace, definitionPath: string): Promise<void> {
  const result = await workspace.orchestrator.runNetwork({
    definitionPath,
    businessKey: "k",
    resume: true,
    requestedBy: "matrix",
  });
  expect(result.outcome, `${result.problem?.code}: ${result.problem?.message}`).not.toBe("REJECTED");
}
