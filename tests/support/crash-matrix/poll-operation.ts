import { expect } from "vitest";
import {
  clockFor,
  type OpenedWorkspace,
  pollOptions,
  requireRequests,
  workspacePollerDeps,
} from "../../../main/console/index.ts";
import { createPoller, settleRequest } from "../../../main/orchestrator/index.ts";
import type { OperationRequest } from "../../../shared/domain/request.ts";
import type { CrashOperation } from "./operation.ts";
import { bringHome, theRun, unlock } from "./recover.ts";
import type { CrashWorld } from "./world.ts";

/** A clock beyond the lease and beyond every silence a claim is allowed, milliseconds. */
const SILENT_MS = 20 * 60_000;
const PASSED = { n1: "OK", n2: "OK" };

/** The poller of a person's next cycle, and how to end what it cannot. */
async function desk(world: CrashWorld, workspace: OpenedWorkspace) {
  const env = world.env(SILENT_MS);
  const requests = requireRequests(workspace, env);
  const deps = workspacePollerDeps({
    workspace,
    requests,
    clock: clockFor(workspace.baseUrl, env),
    options: pollOptions(env),
    runNetwork: workspace.orchestrator.runNetwork,
  });
  const only = async (): Promise<OperationRequest> => {
    const [parsed, ...more] = await requests.listRecent({ limit: 2, beforeId: null });
    expect(more).toEqual([]);
    if (parsed?.valid !== true) throw new Error("the request cannot be read");
    return parsed.request;
  };
  return { deps, poller: createPoller(deps), only };
}

/** Every request comes to an end: by the next cycle, as STALE, or by a person's word where there is no Run (W-10). */
async function endRequest(world: CrashWorld, workspace: OpenedWorkspace): Promise<OperationRequest> {
  const { deps, poller, only } = await desk(world, workspace);
  await poller.pollOnce();
  const now = await only();
  if (now.state === "ACCEPTED") {
    expect(await theRun(workspace), "a poller leaves only what has no Run").toBeNull();
    const wish = { reason: "killed", evidenceRef: "matrix", stopConfirmedBy: "ops2", requestedBy: "ops1" };
    const { staleAfterMs } = deps;
    const settled = await settleRequest(deps, { requestId: now.id, wish, staleAfterMs, seen: null });
    expect(settled).toMatchObject({ ok: true });
  }
  return only();
}

/** One cycle of the poller: claim, START, result. */
export const poll: CrashOperation = {
  name: "poll",
  async prepare(world) {
    await world.script(PASSED);
    await world.askForRun();
  },
  args: async () => ["poll-requests"],
  async after(world) {
    await world.script(PASSED);
    const workspace = await world.open(SILENT_MS);
    try {
      await unlock(workspace);
      const ended = await endRequest(world, workspace);
      expect(["DONE", "REJECTED"]).toContain(ended.state);
      const graph = await theRun(workspace);
      // Acknowledged is what is there; what was not carried out is not called done.
      if (ended.state === "DONE") expect(graph?.run?.status).toBe("SUCCESS");
      else expect(ended.resultCode).toBe("STALE");
      await bringHome(workspace, world.definition);
    } finally {
      await workspace.dispose();
    }
  },
};
