import { describe, expect, it } from "vitest";
import type { IntendedOperation } from "../../../main/orchestrator/index.ts";
import type { OperationPlan } from "../../../shared/domain/operations/index.ts";
import { type JobScript, type NetworkNode, PROFILE } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();

const node = (
  id: string,
  dependsOn: readonly string[],
  script: JobScript = { ending: "OK" },
): NetworkNode => ({
  id,
  dependsOn,
  script,
});
const nodes = (second: JobScript): readonly NetworkNode[] => [
  node("n1", []),
  node("n2", ["n1"], second),
  node("n3", ["n2"]),
];
const FAILS: JobScript = { ending: "ASSERT_FAILED" };
const person = { requestedBy: "ops1", reason: "month end" };

/** A plan, and the proof that making it asked for nothing but reads. */
async function plan(operation: IntendedOperation): Promise<OperationPlan> {
  bench.kintone.seen.clear();
  const made = await bench.workspace.plans.plan(operation);
  expect(bench.kintone.seen.list().filter(({ method }) => method !== "GET")).toEqual([]);
  if (!made.ok) throw new Error(`${made.error.code}: ${made.error.message}`);
  return made.value;
}
const run = (definitionPath: string, more: object): IntendedOperation => ({
  kind: "run-network",
  input: { definitionPath, requestedBy: "ops1", ...more },
});
const named = (made: OperationPlan, fate: string): readonly string[] =>
  made.nodes.filter(({ does }) => does === fate).map(({ nodeId }) => nodeId);

describe("a plan and its execution (architecture §4, operator-ux D6)", () => {
  it("START, RESUME, RERUN_FROM and CLOSE do what their plans said, and nothing once a record moved", async () => {
    const file = await bench.network("plan_run", nodes(FAILS));
    const start = await plan(run(file, { businessKey: "k1" }));
    expect(start).toMatchObject({ operation: "START", available: true, counts: { run: 3, writes: 6 } });
    const first = await bench.run(file, { businessKey: "k1", seen: start.seen });
    const runId = first.runId ?? "";
    expect(first).toMatchObject({ outcome: "NEW", aggregateStatus: "FAILED" });
    const taken = await plan(run(file, { businessKey: "k1" }));
    expect(taken.refusals[0]?.code).toBe("RUN_ALREADY_EXISTS");

    const resume = await plan(run(file, { resumeRunId: runId }));
    expect([named(resume, "run"), named(resume, "keep")]).toEqual([["n2", "n3"], ["n1"]]);
    const rerun = await plan(run(file, { resumeRunId: runId, rerunFrom: "n2" }));
    expect(rerun).toMatchObject({ operation: "RERUN_FROM", danger: "L2" });
    const closing = { runId, profile: PROFILE, networkId: "plan_run", ...person };
    const close = await plan({ kind: "archive-run", ...closing });
    expect([close.danger, close.counts.writes]).toEqual(["L4", 3]);

    const before = await bench.graph(first);
    const resumed = await bench.run(file, { resumeRunId: runId, seen: resume.seen });
    expect(resumed.outcome).toBe("RESUME");
    const { attempts } = await bench.graph(resumed);
    // The stored definition fails again: what was to follow the failed node did not start.
    expect(attempts.slice(before.attempts.length).map(({ nodeId }) => nodeId)).toEqual(["n2"]);

    const refused = await bench.run(file, { resumeRunId: runId, rerunFrom: "n2", seen: rerun.seen });
    expect(refused).toMatchObject({ outcome: "REJECTED", invocationResultCode: "PLAN_STALE" });
    const moved = (refused.problem?.details?.moved ?? []) as readonly { name: string }[];
    expect(moved.map(({ name }) => name)).toEqual(expect.arrayContaining(["node n2"]));
    const { recovery } = bench.workspace;
    const input = { ...closing, servicePrincipal: "svc" };
    expect(await recovery.archiveRun({ ...input, seen: close.seen })).toMatchObject({ code: "PLAN_STALE" });
    const anew = await plan({ kind: "archive-run", ...closing });
    expect(await recovery.archiveRun({ ...input, seen: anew.seen })).toMatchObject({ outcome: "ARCHIVED" });
    const twice = await plan({ kind: "archive-run", ...closing });
    expect(twice.refusals[0]?.code).toBe("RUN_ALREADY_ARCHIVED");
    const stop = await plan({ kind: "cancel-run", runId, release: false, ...person });
    expect(stop.refusals.map(({ code }) => code)).toEqual(["RUN_ALREADY_TERMINAL"]);
  });

  it("a resolution becomes what its plan said of node and Run (W-21)", async () => {
    const file = await bench.network("plan_resolve", [node("n2", [], { ending: "NO_RESULT" })]);
    const runId = (await bench.run(file)).runId ?? "";
    const wish = {
      nodeId: "n2",
      outcome: "FAILED",
      manualCompletion: false,
      compensation: false,
      reason: "seen",
      evidenceRef: "INC-1",
      stopConfirmedBy: "tanaka",
      stopEvidenceRef: "log",
      approvedBy: null,
      requestedBy: "ops1",
      servicePrincipal: "svc",
    } as const;
    const made = await plan({ kind: "resolve-node", runId, wish });
    const after = made.consequences.find(({ name }) => name === "runStatusAfter")?.params.status;
    const resolved = await bench.workspace.recovery.resolveNode({ runId, wish, seen: made.seen });
    expect(resolved).toMatchObject({ ok: true, value: { outcome: "FAILED", runStatus: after } });
    const stale = await bench.workspace.recovery.resolveNode({ runId, wish, seen: made.seen });
    expect(stale).toMatchObject({ error: { code: "PLAN_STALE" } });
  });

  it("what cannot be planned is told as a problem, not thrown", async () => {
    const plans = bench.workspace.plans;
    const missing = await plans.plan({ kind: "cancel-run", runId: "netrun_none", release: false, ...person });
    expect(missing).toMatchObject({ error: { code: "RUN_NOT_FOUND" } });
    const file = await bench.network("plan_none", [node("a", [])]);
    expect(await plans.plan(run(file, { resumeRunId: "netrun_none" }))).toMatchObject({
      error: { code: "RUN_NOT_FOUND" },
    });
    expect(await plans.plan({ kind: "request-cancel", requestId: "1" })).toMatchObject({
      error: { code: "REQUESTS_NOT_CONFIGURED" },
    });
  });
});
