import { describe, expect, it } from "vitest";
import { statusJson, statusText } from "../../../main/cli/render-status.ts";
import type { RecordRef } from "../../../shared/domain/model.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { PROFILE } from "../../support/scripted-workspace.ts";
import { openStore } from "../../support/store-fixture.ts";
import { benchForTests } from "../../support/test-bench.ts";

const bench = benchForTests();
const FAILING = [{ id: "n1", script: { ending: "ASSERT_FAILED" } }];
const PERSON = { requestedBy: "ops1", servicePrincipal: "svc" } as const;

/** A Run that failed, and its records. */
async function failedRun(networkId: string, businessKey: string) {
  const file = await bench.network(networkId, FAILING);
  const result = await bench.run(file, { businessKey });
  const { run, states } = await bench.graph(result);
  if (run === null || states[0] === undefined) throw new Error("nothing was written");
  return { file, run, state: states[0] };
}
const spoil = (ref: RecordRef, columns: Readonly<Record<string, string>>): Promise<void> => {
  const record = Object.fromEntries(Object.entries(columns).map(([code, value]) => [code, { value }]));
  return bench.records.update("state", { id: ref.recordId, record });
};
const every = (runId: string): Promise<readonly string[]> =>
  bench.records.revisions(`run_id in ("${runId}")`);
const place = ({ recordId, revision }: RecordRef): string => `record ${recordId} (revision ${revision + 1})`;

/** Everything a person or a schedule may try about a Run. */
async function tryAll(networkId: string, file: string, businessKey: string, runId: string) {
  const { recovery } = bench.workspace;
  const about = { runId, reason: "try", seen: null, ...PERSON };
  const wish = {
    ...{
      nodeId: "n1",
      outcome: "FAILED" as const,
      manualCompletion: false,
      compensation: false,
      approvedBy: null,
    },
    ...{ reason: "r", evidenceRef: "e", stopConfirmedBy: "s", stopEvidenceRef: "x", ...PERSON },
  } as const;
  const codeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  return [
    await bench.run(file, { businessKey, resume: true }),
    await bench.run(file, { resumeRunId: runId, rerunFrom: "n1" }),
    await codeOf(recovery.cancelRun({ ...about, release: true })),
    await codeOf(recovery.resolveNode({ runId, wish, seen: null })),
    await recovery.archiveRun({ ...about, profile: PROFILE, networkId }),
  ];
}

describe("a record that cannot be read is told with its id and revision, and nothing is written over it", () => {
  it("a Run: the list shows the others whole, and says of this one that it cannot be judged", async () => {
    const broken = await failedRun("runs", "broken");
    await spoil(broken.run.ref, { resolved_profile_snapshot: "{" });
    const before = await every(broken.run.runId);
    const report = await bench.workspace.orchestrator.status({ networkId: "runs", profile: PROFILE });
    expect(report.unreadable).toMatchObject([
      { code: "RECORD_UNREADABLE", details: { recordId: broken.run.ref.recordId, runId: broken.run.runId } },
    ]);
    expect(statusText(report)).toContain(`! UNDETERMINED (RECORD_UNREADABLE) ${place(broken.run.ref)}`);
    expect(JSON.parse(statusJson(report)).unreadable_records).toMatchObject([
      {
        record_id: broken.run.ref.recordId,
        revision: broken.run.ref.revision + 1,
        judgement: "UNDETERMINED",
      },
    ]);
    const said = JSON.stringify(await tryAll("runs", broken.file, "broken", broken.run.runId));
    expect(said.match(/RECORD_UNREADABLE/g)?.length).toBeGreaterThanOrEqual(4);
    // Whether another Run may be started depends on all of them: what cannot be read is not guessed.
    expect(await bench.run(broken.file, { businessKey: "another" })).toMatchObject({
      invocationResultCode: "RECORD_UNREADABLE",
    });
    expect(await every(broken.run.runId)).toEqual(before);
    expect(await bench.workspace.reads.findLock({ networkId: "runs", profile: PROFILE })).toBeNull();
  });

  it("a Node State: its Run is neither resumed nor resolved", async () => {
    const { file, run, state } = await failedRun("states", "k");
    await spoil(state.ref, { blocked_by: "n1, n2" });
    const before = await every(run.runId);
    for (const more of [{ resume: true }, { resumeRunId: run.runId, rerunFrom: "n1" }]) {
      expect(await bench.run(file, more)).toMatchObject({
        outcome: "REJECTED",
        problem: { code: "RECORD_UNREADABLE", place: expect.stringContaining(place(state.ref)) },
      });
    }
    expect(await every(run.runId)).toEqual(before);
    expect(await bench.records.lastLock()).toMatchObject({ leaseToken: null });
  });

  it("a hold: whether the Run is held is not known, so nothing goes on", async () => {
    const { file, run } = await failedRun("holds", "k");
    await bench.records.requestHold(run.runId);
    const hold = await bench.workspace.reads.findHold(run.runId);
    if (hold === null) throw new Error("no hold");
    await spoil(hold.ref, { status_reason: '{"state":"MAYBE"}' });
    const before = await every(run.runId);
    const report = await bench.workspace.orchestrator.status({ networkId: "holds", profile: PROFILE });
    expect(report.runs).toMatchObject([{ runId: run.runId }]);
    expect(report.unreadable).toMatchObject([{ details: { recordId: hold.ref.recordId, runId: run.runId } }]);
    const tried = await tryAll("holds", file, "k", run.runId);
    expect(JSON.stringify(tried).match(/RECORD_UNREADABLE/g)?.length).toBeGreaterThanOrEqual(4);
    expect(await every(run.runId)).toEqual(before);
    // It is nobody else's: other networks do not see it.
    const other = await bench.workspace.orchestrator.status({ networkId: "states", profile: PROFILE });
    expect(other.unreadable).toEqual([]);
  });

  it("a lock: neither free nor held, and nobody takes it", async () => {
    const store = openStore(bench.kintone);
    const input = lockInput({ profile: PROFILE, networkId: "locks" });
    await (await takeLock(store, input)).dispose();
    await store.dispose();
    const { ref } = await bench.records.lastLock();
    await spoil(ref, { lease_expires_at: "" });
    const report = await bench.workspace.orchestrator.status({ networkId: "locks", profile: PROFILE });
    expect(statusText(report)).toContain("Lock: UNDETERMINED, its record cannot be read");
    expect(statusText(report)).toContain(place(ref));
    const file = await bench.network("locks", [{ id: "n1" }]);
    expect(await bench.run(file)).toMatchObject({ outcome: "REJECTED", runId: null });
    const wish = {
      ...{ profile: PROFILE, networkId: "locks", expectedOwnerInvocationId: input.ownerInvocationId },
      ...{ reason: "r", evidenceRef: "e", stopConfirmedBy: "s", stopEvidenceRef: "x", stopMethod: "manual" },
      ...{ expectedPid: null, ...PERSON },
    };
    const forced = { wish, seen: null, evidenceFile: null, withoutAudit: false };
    expect(await bench.workspace.recovery.forceUnlock(forced)).toMatchObject({
      ok: false,
      error: { code: "LOCK_READ_FAILED" },
    });
    const revisions = await bench.records.revisions(`$id = "${ref.recordId}"`);
    expect(revisions).toContain(`${bench.kintone.apps.state}/${ref.recordId} ${ref.revision + 1}`);
  });
});
