import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FlowStore } from "../../../main/store/ports.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { freshAttempt, freshInvocation, freshRun, freshState } from "../../support/store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
let store: FlowStore;

beforeAll(async () => {
  kintone = await startKintoneFixture();
  store = openStore(kintone);
});
afterAll(async () => {
  await store.dispose();
  await kintone.dispose();
});

const posts = (): readonly number[] =>
  kintone.seen
    .list()
    .flatMap(({ path, subRequests }) => (path.endsWith("bulkRequest.json") ? [subRequests] : []));

describe("large Runs (fenced-writes §3, R9)", () => {
  it.each([
    [1_700, [20]],
    [1_701, [20, 2]],
  ])(
    "creates a Run of %i nodes in bulk requests of %j sub-requests, and reads it back whole",
    async (count, sizes) => {
      const session = await takeLock(store);
      const run = freshRun();
      const states = Array.from({ length: count }, (_, index) => freshState(run.runId, `n${index}`));
      kintone.seen.clear();
      const outcome = await session.write([
        { kind: "run.insert", run },
        { kind: "invocation.insert", invocation: freshInvocation(run.runId) },
        { kind: "nodeStates.insert", states },
      ]);
      expect(posts()).toEqual(sizes);
      const read = await store.listNodeStates(run.runId);
      expect(read.map((state) => state.nodeId)).toEqual(states.map((state) => state.nodeId));
      expect(outcome.kind === "applied" ? outcome.refs.slice(2) : []).toEqual(read.map((state) => state.ref));
      await session.release({ status: "SUCCESS", resultCode: "OK" });
      await session.dispose();
    },
  );

  it("resets 250 Node States with one bulk request of batches", async () => {
    const session = await takeLock(store);
    const run = freshRun();
    const states = Array.from({ length: 250 }, (_, index) => freshState(run.runId, `n${index}`));
    const made = await session.write([{ kind: "nodeStates.insert", states }]);
    const refs = made.kind === "applied" ? made.refs : [];
    kintone.seen.clear();
    const reset = states.flatMap((state, index) => {
      const ref = refs[index];
      return ref ? [{ kind: "nodeState.update" as const, ref, next: { ...state, revision: 2 } }] : [];
    });
    const outcome = await session.write(reset);
    expect(posts()).toEqual([4]);
    expect(outcome.kind === "applied" ? outcome.refs.map(({ revision }) => revision) : []).toEqual(
      Array.from({ length: 250 }, () => 2),
    );
    await session.dispose();
  });
});

describe("reads (wire-format §4.2, fenced-writes §4)", () => {
  it("pages by $id past 500 rows, in order", async () => {
    const session = await takeLock(store);
    const run = freshRun();
    const states = Array.from({ length: 1_050 }, (_, index) => freshState(run.runId, `n${index}`));
    await session.write([
      { kind: "run.insert", run },
      { kind: "nodeStates.insert", states },
    ]);
    kintone.seen.clear();
    const read = await store.listNodeStates(run.runId);
    expect(kintone.seen.list()).toHaveLength(3);
    const ids = read.map((state) => Number(state.ref.recordId));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(read).toHaveLength(1_050);
    await session.dispose();
  });

  it("reads one Run's whole graph in three round trips: status stays within five (fenced-writes §4)", async () => {
    const input = lockInput({ networkId: "monthly_jobs" });
    const session = await takeLock(store, input);
    const run = freshRun();
    const state = freshState(run.runId, "a");
    const invocation = freshInvocation(run.runId);
    await session.write([
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation },
      { kind: "nodeStates.insert", states: [state] },
      { kind: "attempt.insert", attempt: freshAttempt(state, invocation.invocationId) },
    ]);
    kintone.seen.clear();
    const key = { profile: "prod", networkId: run.networkId, businessKey: run.businessKey };
    const found = await store.findRunByKey(key);
    const lock = await store.findLock(input);
    const graph = await store.readRunGraph(run.runId);
    expect(kintone.seen.list().length).toBeLessThanOrEqual(5);
    expect(found?.runId).toBe(run.runId);
    expect(lock?.ownerInvocationId).toBe(input.ownerInvocationId);
    expect(graph).toMatchObject({
      run: { runId: run.runId },
      states: [{ nodeId: "a" }],
      hold: null,
      invocations: [{ invocationId: invocation.invocationId }],
      attempts: [{ nodeId: "a", status: "RUNNING" }],
      resolutions: [],
    });
    expect(await store.findRunIdOfInvocation(invocation.invocationId)).toBe(run.runId);
    expect(await store.findRunIdOfInvocation("invoke_none")).toBeNull();
    expect((await store.listRuns({ profile: "other", networkId: run.networkId })).length).toBe(0);
    expect((await store.listHeldLocks()).map((one) => one.lockKey)).toContain(lock?.lockKey);
    await session.dispose();
  });

  it("a NOOP costs three requests: lock, Run, release (fenced-writes §4)", async () => {
    const run = freshRun();
    const first = await takeLock(store);
    await first.write([{ kind: "run.insert", run }]);
    await first.dispose();
    kintone.seen.clear();
    const session = await takeLock(store);
    await store.findRunByKey({ profile: "prod", networkId: run.networkId, businessKey: run.businessKey });
    await session.release({ status: "SUCCESS", resultCode: "ALREADY_SUCCESS" });
    expect(kintone.seen.list()).toHaveLength(3);
    await session.dispose();
  });

  it("uploads a bundle, attaches it with the Run, and downloads it by the key read back (wire-format §3)", async () => {
    const bytes = new Uint8Array([80, 75, 5, 6, 0, 255, 10, 13]);
    const session = await takeLock(store);
    const run = freshRun({ bundleFileKey: await store.uploadBundle(bytes) });
    expect((await session.write([{ kind: "run.insert", run }])).kind).toBe("applied");
    const stored = await store.findRunById(run.runId);
    expect(await store.downloadBundle(stored?.bundleFileKey ?? "")).toEqual(bytes);
    await expect(store.downloadBundle("no-such-key")).rejects.toMatchObject({
      problem: { code: "BUNDLE_UPLOAD_FAILED", details: { code: "GAIA_BL01" } },
    });
    await session.dispose();
  });
});
