import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { write } from "../../../main/kintone-client/index.ts";
import { createRecovery } from "../../../main/orchestrator/recovery/index.ts";
import type { Recovery } from "../../../main/orchestrator/recovery-ports.ts";
import type { FlowStore } from "../../../main/store/ports.ts";
import type { NodeState, Run, Stored } from "../../../shared/domain/model.ts";
import { type BadLine, badLineForTests, bulkError } from "../../support/bad-line.ts";
import { isBulk } from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { systemClock } from "../../support/store-fixture.ts";
import { seedRun } from "./seeded-run.ts";

const line = badLineForTests();
let bad: BadLine;
let other: FlowStore;
let recovery: Recovery;
beforeAll(() => {
  bad = line();
  other = bad.other;
  recovery = createRecovery({
    store: bad.store,
    clock: systemClock,
    ids: { uuid: () => randomUUID() },
    profile: "prod",
    host: "HOST-A",
    ownerInstanceId: "local-pid://HOST-A/99",
    journalLockOwner: async () => {},
    judgeOwner: async () => ({ kind: "gone", by: "pid" }),
    askCloudRun: async () => ({ kind: "unknown", why: "not asked" }),
  });
});

const wish = {
  nodeId: "a",
  reason: "a remark was corrected",
  evidenceRef: "INC-1",
  confirmedBy: "ops2",
  requestedBy: "ops1",
  servicePrincipal: "svc",
};
const realign = (runId: string) => recovery.realignNode({ runId, wish, seen: null });

async function only(runId: string): Promise<Stored<NodeState>> {
  const [state] = (await other.readRunGraph(runId)).states;
  if (state === undefined) throw new Error("no state");
  return state;
}

/** A failed Run whose Node State somebody opened, changed a word of, and saved. */
async function editedRun(): Promise<{ readonly run: Run; readonly state: Stored<NodeState> }> {
  const failed = { status: "FAILED", statusReason: "SQL_ERROR" } as const;
  const { run } = await seedRun(
    other,
    "FAILED",
    { a: failed },
    { a: { status: "FAILED", stateRevisionBefore: 0 } },
  );
  const { ref } = await only(run.runId);
  const entry = { id: ref.recordId, record: { status_reason: { value: "edited by hand" } } };
  const answer = await bad.person.send(write({ kind: "updateRecord", app: bad.kintone.apps.state, entry }));
  if (answer.kind !== "ok") throw new Error(JSON.stringify(answer));
  return { run, state: await only(run.runId) };
}
const lockOf = ({ networkId }: Run) => other.findLock({ profile: "prod", networkId });

describe("realign-node (orchestration §11.1, fenced-writes §3)", () => {
  it("sets the revision and adds the audit in one request, and gives the lock back", async () => {
    const { run, state } = await editedRun();
    expect(state).toMatchObject({ revision: 1, ref: { revision: 2 } });
    bad.kintone.seen.clear();
    const done = await realign(run.runId);
    // The Run, the lock, the graph in its two apps and the Resolutions, and one write that is the release too.
    expect(bad.kintone.seen.list()).toHaveLength(6);
    if (!done.ok) throw new Error(done.error.message);
    expect(done.value).toMatchObject({ nodeId: "a", revision: 3, status: "FAILED" });
    const { ref, ...after } = await only(run.runId);
    const { ref: _ref, ...before } = state;
    expect(after).toEqual({ ...before, revision: 3 });
    expect(ref.revision).toBe(3);
    expect(await other.findAudit(done.value.eventId)).toMatchObject({
      runId: run.runId,
      resultCode: "REVISION_SERIES_REALIGNED",
      event: { confirmed_by: "ops2", reason: "a remark was corrected", after: { revision: 3 } },
    });
    expect(await lockOf(run)).toBeNull();
    expect(await realign(run.runId)).toMatchObject({ error: { code: "REVISION_NOT_INVERTED" } });
  });

  it("under a held lock nothing is written, and a refusal leaves none behind", async () => {
    const { run, state } = await editedRun();
    const session = await takeLock(other, lockInput({ networkId: run.networkId }));
    expect(await realign(run.runId)).toMatchObject({ error: { code: "LOCK_CONFLICT" } });
    await session.release({ status: "SUCCESS", resultCode: "NORMAL" });
    await session.dispose();
    expect(await only(run.runId)).toEqual(state);
    const moved = { run: null, "node a": state.ref, attempt: null };
    expect(await recovery.realignNode({ runId: run.runId, wish, seen: moved })).toMatchObject({
      error: { code: "PLAN_STALE" },
    });
    expect(await lockOf(run)).toBeNull();
    expect(await realign("netrun_none")).toMatchObject({ error: { code: "RECORD_NOT_FOUND" } });
  });

  it("a lost answer is settled: written once, with its audit", async () => {
    const { run } = await editedRun();
    bad.proxy.on(isBulk, { kind: "lose-answer" });
    const done = await realign(run.runId);
    if (!done.ok) throw new Error(done.error.message);
    expect(await other.findAudit(done.value.eventId)).toMatchObject({ runId: run.runId });
    expect(await only(run.runId)).toMatchObject({ revision: 3, ref: { revision: 3 } });
  });

  it("an audit that kintone refuses leaves the record as it was", async () => {
    const { run, state } = await editedRun();
    bad.proxy.on(isBulk, { kind: "answer", status: 403, body: bulkError(2, "GAIA_NO01") });
    expect(await realign(run.runId)).toMatchObject({ ok: false });
    expect(await only(run.runId)).toEqual(state);
    expect(await lockOf(run)).toBeNull();
  });
});
