import { describe, expect, it } from "vitest";
import { fingerprintOf } from "../../../shared/domain/operations/index.ts";
import type { NetworkNode } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();

/** A node that always fails, what waits for it, and one that has nothing to do with either. */
const nodes = (idempotent: boolean): readonly NetworkNode[] => [
  { id: "a", idempotent, script: { ending: "ASSERT_FAILED" } },
  { id: "b", dependsOn: ["a"] },
  { id: "c" },
];

const invocations = async (runId: string | null) =>
  (await bench.workspace.reads.listInvocations(runId ?? "")).map(({ invocationId, mode }) => [
    invocationId,
    mode,
  ]);

describe("a schedule that resumes a Run again and again (orchestration section 4.6, W-31)", () => {
  it("braked: every resume by the peer's rule adds an Invocation that says the same; ours names the one that said it", async () => {
    const file = await bench.network("braked", nodes(true));
    const { runId } = await bench.run(file);
    for (const _ of [2, 3]) await bench.run(file, { resume: true });
    const first = await bench.run(file, { resume: true });
    expect(first).toMatchObject({ retryBrakeNodeIds: ["a"], aggregateStatus: "FAILED", problem: null });
    // Whoever names the Run or says why is answered as the peer answers everybody: with a record of its own.
    const byPerson = await bench.run(file, { resume: true, reason: "let us see" });
    expect(byPerson.invocationId).not.toBe(first.invocationId);
    const before = await invocations(runId);
    expect(before).toHaveLength(5);
    const written = await bench.records.revisions(`run_id in ("${runId}")`);

    for (const _ of [1, 2, 3]) {
      expect(await bench.run(file, { resume: true })).toMatchObject({
        outcome: "RESUME",
        runId,
        invocationId: byPerson.invocationId,
        aggregateStatus: "FAILED",
        invocationResultCode: "NODE_FAILED_OR_BLOCKED",
        retryBrakeNodeIds: ["a"],
        problem: { code: "RETRY_BRAKE" },
      });
    }
    expect(await invocations(runId)).toEqual(before);
    expect(await bench.records.revisions(`run_id in ("${runId}")`)).toEqual(written);
    expect(await bench.records.lastLock()).toMatchObject({ leaseToken: null, status: "FAILED" });
  });

  it("its plan says so: the lock and nothing else", async () => {
    const file = await bench.network("planned", nodes(false));
    await bench.run(file);
    const plan = async () => {
      const input = { definitionPath: file, businessKey: "k", resume: true, requestedBy: "scenario" };
      const made = await bench.workspace.plans.plan({ kind: "run-network", input });
      if (!made.ok) throw new Error(made.error.message);
      return made.value;
    };
    const first = await plan();
    expect(first.writes.map(({ record }) => record)).toContain("invocation");
    const told = await bench.run(file, { resume: true, seen: first.seen });
    const second = await plan();
    expect(fingerprintOf(second.seen)).not.toBe(first.fingerprint);
    expect(second.writes.map(({ record }) => record)).toEqual(["lock"]);
    expect(await bench.run(file, { resume: true, seen: second.seen })).toMatchObject({
      invocationId: told.invocationId,
      problem: { code: "NODE_FAILED_OR_BLOCKED" },
    });
  });

  it("goes on as soon as there is something to do", async () => {
    const file = await bench.network("freed", nodes(false));
    const { runId } = await bench.run(file);
    await bench.run(file, { resume: true });
    await bench.workspace.recovery.resolveNode({
      runId: runId ?? "",
      seen: null,
      wish: {
        ...{ nodeId: "a", outcome: "SUCCESS", manualCompletion: true, compensation: false },
        ...{ reason: "done by hand", evidenceRef: "INC-1", stopConfirmedBy: "ops2", stopEvidenceRef: "ps" },
        ...{ approvedBy: "ops3", requestedBy: "ops1", servicePrincipal: "svc" },
      },
    });
    const gone = await bench.run(file, { resume: true });
    expect(gone).toMatchObject({ aggregateStatus: "SUCCESS", problem: null });
    expect(await invocations(runId)).toHaveLength(3);
  });
});
