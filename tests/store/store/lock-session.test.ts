import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AcquireInput, FlowStore, LockSession } from "../../../main/store/ports.ts";
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
afterEach(() => kintone.seen.clear());

const asked = (over: Partial<AcquireInput> = {}): AcquireInput => ({
  profile: "prod",
  networkId: `net_${randomUUID()}`,
  ownerInvocationId: `invoke_${randomUUID()}`,
  ownerInstanceId: "local-pid://HOST-A/4321",
  leaseMs: 180_000,
  heartbeatMs: 60_000,
  ...over,
});

async function hold(input: AcquireInput = asked()): Promise<LockSession> {
  const outcome = await store.acquireLock(input);
  if (outcome.kind !== "acquired") throw new Error(outcome.problem.message);
  return outcome.session;
}

describe("acquiring a Network lock (wire-format §4.5)", () => {
  it("inserts the lock record with one request and knows its lease", async () => {
    const input = asked();
    const session = await hold(input);
    expect(kintone.seen.list()).toMatchObject([{ method: "POST", path: "/k/v1/record.json", status: 200 }]);
    const lock = await store.findLock(input);
    expect(lock).toMatchObject({
      ownerInvocationId: input.ownerInvocationId,
      status: "RUNNING",
      statusReason: "owner_instance_id=local-pid://HOST-A/4321",
      revision: 1,
      ref: { revision: 1 },
    });
    expect(session.state()).toBe("HELD");
    expect(session.remainingLeaseMs()).toBeGreaterThan(150_000);
    await session.dispose();
  });

  it("answers a conflict with the holder, even when the lease of the holder is long over", async () => {
    const input = asked({ leaseMs: 3_000 });
    const session = await hold(input);
    const second = await store.acquireLock({ ...input, ownerInvocationId: "invoke_second" });
    expect(second).toMatchObject({
      kind: "conflict",
      problem: { code: "LOCK_CONFLICT" },
      holder: { ownerInvocationId: input.ownerInvocationId },
    });
    await session.dispose();
  });

  it("releases into a tombstone and frees the lock for the next (wire-format §1.1)", async () => {
    const input = asked();
    const session = await hold(input);
    expect(await session.release({ status: "SUCCESS", resultCode: "OK" })).toEqual({
      kind: "applied",
      refs: [],
    });
    expect(session.state()).toBe("RELEASED");
    expect(await store.findLock(input)).toBeNull();
    const late = await session.write([
      { kind: "invocation.insert", invocation: freshInvocation("netrun_x") },
    ]);
    expect(late.kind).toBe("fence-lost");
    const next = await hold({ ...input, ownerInvocationId: "invoke_next" });
    await next.release({ status: "SUCCESS", resultCode: "OK" });
    await session.dispose();
    await next.dispose();
  });
});

describe("writing under the lock (fenced-writes §1, §3)", () => {
  it("creates a Run with Invocation and Node States in one request, refs in the order of the changes", async () => {
    const session = await hold();
    const run = freshRun();
    const invocation = freshInvocation(run.runId);
    const states = ["a", "b", "c"].map((nodeId) => freshState(run.runId, nodeId));
    kintone.seen.clear();
    const outcome = await session.write([
      { kind: "nodeStates.insert", states },
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation },
    ]);
    expect(kintone.seen.list()).toMatchObject([
      { method: "POST", path: "/k/v1/bulkRequest.json", status: 200, subRequests: 4 },
    ]);
    const graph = await store.readRunGraph(run.runId);
    expect(outcome).toEqual({
      kind: "applied",
      refs: [...graph.states.map((state) => state.ref), graph.run?.ref, graph.invocations[0]?.ref],
    });
    expect(graph.states.map((state) => state.nodeId)).toEqual(["a", "b", "c"]);
    await session.dispose();
  });

  it("starts and ends a node with one request each, and the lock's revision counts them", async () => {
    const input = asked();
    const session = await hold(input);
    const run = freshRun();
    const invocation = freshInvocation(run.runId);
    const state = freshState(run.runId, "a");
    const made = await session.write([
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation },
      { kind: "nodeStates.insert", states: [state] },
    ]);
    if (made.kind !== "applied") throw new Error(made.kind);
    const [runRef, invocationRef, stateRef] = made.refs;
    if (!runRef || !invocationRef || !stateRef) throw new Error("refs are missing");
    const attempt = freshAttempt(state, invocation.invocationId);
    const running = { ...state, status: "RUNNING" as const, revision: 2, latestAttemptNo: 1 };
    kintone.seen.clear();
    const started = await session.write([
      { kind: "attempt.insert", attempt },
      { kind: "nodeState.update", ref: stateRef, next: { ...running, activeAttemptId: attempt.attemptId } },
    ]);
    if (started.kind !== "applied") throw new Error(started.kind);
    const [attemptRef, runningRef] = started.refs;
    if (!attemptRef || !runningRef) throw new Error("refs are missing");
    expect(runningRef).toEqual({ recordId: stateRef.recordId, revision: 2 });
    const done = { status: "SUCCESS" as const, resultCode: "OK", finishedAt: "2026-09-01T00:05:00.000Z" };
    const ended = await session.write(
      [
        { kind: "attempt.finalise", ref: attemptRef, next: { ...attempt, ...done } },
        { kind: "nodeState.update", ref: runningRef, next: { ...running, status: "SUCCESS", revision: 3 } },
        { kind: "invocation.finalise", ref: invocationRef, next: { ...invocation, ...done } },
      ],
      { release: { status: "SUCCESS", resultCode: "OK" } },
    );
    expect(ended).toMatchObject({
      kind: "applied",
      refs: [{ revision: 2 }, { revision: 3 }, { revision: 2 }],
    });
    expect(kintone.seen.list().map(({ path, subRequests }) => [path, subRequests])).toEqual([
      ["/k/v1/bulkRequest.json", 3],
      ["/k/v1/bulkRequest.json", 4],
    ]);
    const graph = await store.readRunGraph(run.runId);
    expect(graph.attempts).toMatchObject([{ status: "SUCCESS", resultCode: "OK" }]);
    expect(graph.states).toMatchObject([{ status: "SUCCESS", revision: 3, ref: { revision: 3 } }]);
    expect(await store.findLock(input)).toBeNull();
    await session.dispose();
  });

  it("reports a stale revision as dead and writes nothing of the change set (R3)", async () => {
    const session = await hold();
    const run = freshRun();
    const state = freshState(run.runId, "a");
    const made = await session.write([
      { kind: "run.insert", run },
      { kind: "nodeStates.insert", states: [state] },
    ]);
    if (made.kind !== "applied") throw new Error(made.kind);
    const stateRef = made.refs[1];
    if (!stateRef) throw new Error("refs are missing");
    const stale = { recordId: stateRef.recordId, revision: 7 };
    const outcome = await session.write([
      { kind: "attempt.insert", attempt: freshAttempt(state, "invoke_x") },
      { kind: "nodeState.update", ref: stale, next: { ...state, status: "RUNNING", revision: 8 } },
    ]);
    expect(outcome).toMatchObject({ kind: "dead", index: 1, problem: { code: "REVISION_CONFLICT" } });
    expect(await store.listAttempts(run.runId)).toEqual([]);
    expect(session.state()).toBe("HELD");
    await session.dispose();
  });

  it("reports a Run key that is taken as dead: DUPLICATE_RECORD (wire-format §4.4)", async () => {
    const session = await hold();
    const run = freshRun();
    await session.write([{ kind: "run.insert", run }]);
    const twin = { ...run, runId: `netrun_${randomUUID()}` };
    const outcome = await session.write([
      { kind: "run.insert", run: twin },
      { kind: "invocation.insert", invocation: freshInvocation(twin.runId) },
    ]);
    expect(outcome).toMatchObject({ kind: "dead", index: 0, problem: { code: "DUPLICATE_RECORD" } });
    expect(await store.listInvocations(twin.runId)).toEqual([]);
    await session.dispose();
  });
});
