import { beforeAll, describe, expect, it } from "vitest";
import { getRecords, write } from "../../../main/kintone-client/index.ts";
import type { Change, FlowStore } from "../../../main/store/ports.ts";
import {
  type BadLine,
  badLineForTests,
  bulkError,
  creation,
  forceRelease,
  html,
  json,
} from "../../support/bad-line.ts";
import {
  type Fault,
  type FaultProxy,
  isBulk,
  isInsert,
  isRead,
  startFaultProxy,
} from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { freshAttempt, freshInvocation, freshRun, freshState } from "../../support/store-entities.ts";
import { openStore } from "../../support/store-fixture.ts";

const line = badLineForTests();
let proxy: FaultProxy;
/** Through the proxy. */
let store: FlowStore;
/** Past the proxy. */
let other: FlowStore;
let person: BadLine["person"];
let kintone: BadLine["kintone"];
beforeAll(() => {
  ({ proxy, store, other, person, kintone } = line());
});

const settledAsApplied: readonly (readonly [string, Fault, number])[] = [
  ["the answer is lost after the commit", { kind: "lose-answer" }, 1],
  ["the body is cut", { kind: "cut-body" }, 1],
  ["the request is lost", { kind: "lose-request" }, 3],
  ["the request arrives twice", { kind: "duplicate" }, 1],
  ["a gateway page hides the commit", { kind: "replace", status: 502, body: html, type: "text/html" }, 1],
  ["an empty 200 hides the commit", { kind: "replace", status: 200, body: "" }, 1],
  ["results of another shape hide the commit", { kind: "replace", status: 200, body: '{"results":[{}]}' }, 1],
  [
    "an error without entry hides the commit",
    { kind: "replace", status: 400, body: '{"results":[{},{}]}' },
    1,
  ],
  ["a legacy 520 hides the commit", { kind: "replace", status: 520, body: json("GAIA_NO01") }, 1],
  ["a gateway page stands before it", { kind: "answer", status: 502, body: html, type: "text/html" }, 1],
  ["kintone is overloaded", { kind: "answer", status: 429, body: json("GAIA_TO04") }, 2],
  ["the lock failure code at the lock", { kind: "answer", status: 400, body: bulkError(0, "GAIA_DA02") }, 1],
  ["the lock failure code at a change", { kind: "answer", status: 400, body: bulkError(1, "GAIA_DA02") }, 1],
  ["a stale lock revision that is none", { kind: "answer", status: 409, body: bulkError(0, "GAIA_CO02") }, 1],
];

describe("a write whose answer proves nothing is settled by lock and witness (fenced-writes R1, R3)", () => {
  it.each(settledAsApplied)("applied exactly once when %s", async (_name, fault, count) => {
    const session = await takeLock(store);
    const { runId, changes } = creation();
    proxy.on(isBulk, fault, count);
    const outcome = await session.write(changes);
    const graph = await other.readRunGraph(runId);
    expect(outcome).toEqual({
      kind: "applied",
      refs: [graph.run?.ref, graph.invocations[0]?.ref, ...graph.states.map((state) => state.ref)],
    });
    expect(graph.states).toHaveLength(2);
    expect(session.state()).toBe("HELD");
    expect(await session.release({ status: "SUCCESS", resultCode: "OK" })).toMatchObject({ kind: "applied" });
    expect(proxy.unmet()).toBe(0);
    await session.dispose();
  });

  it("repeats byte for byte, and costs two reads for a lost answer (R1, §4)", async () => {
    const session = await takeLock(store);
    proxy.clear();
    proxy.on(isBulk, { kind: "lose-request" }, 2);
    proxy.on(isBulk, { kind: "lose-answer" });
    expect((await session.write(creation().changes)).kind).toBe("applied");
    const bulks = proxy.requests().filter(isBulk);
    expect(bulks.length).toBeGreaterThan(2);
    expect(new Set(bulks.map(({ body }) => body)).size).toBe(1);
    await session.dispose();
  });

  it("a copy that arrives after its change set was planned again changes nothing", async () => {
    const session = await takeLock(store);
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "delay" });
    expect((await session.write(changes)).kind).toBe("applied");
    const before = await other.readRunGraph(runId);
    expect(await proxy.deliver()).toEqual([409]);
    expect(await other.readRunGraph(runId)).toEqual(before);
    await session.dispose();
  });

  it("a copy that arrives after the release changes nothing", async () => {
    const session = await takeLock(store);
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "delay" });
    await session.write(changes);
    await session.release({ status: "SUCCESS", resultCode: "OK" });
    const before = await other.readRunGraph(runId);
    expect(await proxy.deliver()).toEqual([409]);
    expect(await other.readRunGraph(runId)).toEqual(before);
    await session.dispose();
  });

  it("a copy that arrives after a forced release changes nothing, and the holder stops", async () => {
    const input = lockInput();
    const session = await takeLock(store, input);
    const lock = await other.findLock(input);
    if (lock === null) throw new Error("no lock");
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "delay" });
    proxy.on(isRead, { kind: "first", run: () => forceRelease(line(), lock.ref) });
    expect(await session.write(changes)).toMatchObject({ kind: "fence-lost" });
    expect(session.state()).toBe("FENCE_LOST");
    expect(await proxy.deliver()).toEqual([409]);
    expect((await other.readRunGraph(runId)).run).toBeNull();
    expect((await session.write(changes)).kind).toBe("fence-lost");
    await session.dispose();
  });

  it("refuses with kintone's words when a field is not accepted, and keeps the lock (R3)", async () => {
    const session = await takeLock(store);
    const body = JSON.stringify({
      results: [
        {},
        {
          code: "CB_VA01",
          id: "x",
          message: "入力内容が正しくありません。",
          errors: { "record.status.value": { messages: ['"X"は選択肢にありません。'] } },
        },
      ],
    });
    proxy.on(isBulk, { kind: "answer", status: 400, body });
    const outcome = await session.write(creation().changes);
    expect(outcome).toMatchObject({ kind: "refused", index: 0, problem: { code: "STORE_REFUSED" } });
    expect(session.state()).toBe("HELD");
    await session.dispose();
  });

  it("a refusal after a lost copy uses the revision up before it is told (R3)", async () => {
    const session = await takeLock(store);
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "delay" });
    proxy.on(isBulk, { kind: "answer", status: 403, body: json("GAIA_NO01") });
    expect(await session.write(changes)).toMatchObject({ kind: "refused" });
    expect(await proxy.deliver()).toEqual([409]);
    expect((await other.readRunGraph(runId)).run).toBeNull();
    await session.dispose();
  });

  it("a refusal after a copy that had been applied is told as applied", async () => {
    const session = await takeLock(store);
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "delay" });
    proxy.on(isBulk, { kind: "answer", status: 403, body: json("GAIA_NO01"), run: () => proxy.deliver() });
    expect(await session.write(changes)).toMatchObject({ kind: "applied" });
    expect((await other.readRunGraph(runId)).run?.runId).toBe(runId);
    await session.dispose();
  });

  it("a lock record that is gone ends the fence", async () => {
    const session = await takeLock(store);
    proxy.on(isBulk, { kind: "answer", status: 404, body: bulkError(0, "GAIA_RE01") });
    expect(await session.write(creation().changes)).toMatchObject({
      kind: "fence-lost",
      problem: { code: "LOCK_UNAVAILABLE" },
    });
    await session.dispose();
  });

  it("is unsettled when neither answer nor reads arrive, and the next write rules it out (R1, R4)", async () => {
    const session = await takeLock(store, lockInput({ leaseMs: 900, heartbeatMs: 60_000 }));
    const { runId, changes } = creation();
    proxy.on(() => true, { kind: "lose-request" }, 1_000);
    expect(await session.write(changes)).toMatchObject({
      kind: "unsettled",
      problem: { code: "LEASE_UNCERTAIN" },
    });
    expect(session.state()).toBe("LEASE_UNCERTAIN");
    expect(session.remainingLeaseMs()).toBe(0);
    proxy.clear();
    const second = creation();
    expect((await session.write(second.changes)).kind).toBe("applied");
    expect((await other.readRunGraph(runId)).run).toBeNull();
    expect((await other.readRunGraph(second.runId)).run).not.toBeNull();
    await session.dispose();
  });

  it("an abort leaves the write unsettled and the session usable", async () => {
    const session = await takeLock(store);
    const stop = new AbortController();
    proxy.on(isBulk, { kind: "first", run: async () => stop.abort() });
    expect((await session.write(creation().changes, { signal: stop.signal })).kind).toBe("unsettled");
    expect((await session.write(creation().changes)).kind).toBe("applied");
    await session.dispose();
  });
});

describe("the last resort (fenced-writes R7)", () => {
  it("a final write that the audit app refuses leaves the lock to be released alone", async () => {
    const input = lockInput();
    const session = await takeLock(store, input);
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "answer", status: 403, body: bulkError(2, "GAIA_NO01") }, 100);
    const as = { status: "FAILED", resultCode: "SCHEDULER_FAILED" } as const;
    expect(await session.write(changes, { release: as })).toMatchObject({
      kind: "refused",
      index: 1,
      problem: { details: { code: "GAIA_NO01" } },
    });
    expect((await session.release(as)).kind).toBe("applied");
    expect(await other.findLock(input)).toBeNull();
    expect((await other.readRunGraph(runId)).run).toBeNull();
    await session.dispose();
  });

  it("a file key survives the rollback of the bulk that carried it", async () => {
    const session = await takeLock(store);
    const run = freshRun({ bundleFileKey: await store.uploadBundle(new Uint8Array([1, 2, 3])) });
    const invocation = freshInvocation(run.runId);
    await session.write([{ kind: "invocation.insert", invocation }]);
    const both: readonly Change[] = [
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation },
    ];
    expect(await session.write(both)).toMatchObject({ kind: "dead", index: 1 });
    expect((await session.write([{ kind: "run.insert", run }])).kind).toBe("applied");
    const stored = await other.findRunById(run.runId);
    expect(await other.downloadBundle(stored?.bundleFileKey ?? "")).toEqual(new Uint8Array([1, 2, 3]));
    await session.dispose();
  });

  it("the lock failure code at a change, with a copy that lands meanwhile, is settled as applied (R3)", async () => {
    const session = await takeLock(store);
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "delay" });
    const run = (): Promise<unknown> => proxy.deliver();
    proxy.on(isBulk, { kind: "answer", status: 400, body: bulkError(1, "GAIA_DA02"), run });
    expect((await session.write(changes)).kind).toBe("applied");
    expect((await other.readRunGraph(runId)).states).toHaveLength(2);
    expect(proxy.unmet()).toBe(0);
    await session.dispose();
  });
});

describe("node end on a lost answer (fenced-writes R2)", () => {
  it("is settled by the Attempt with its status and result code", async () => {
    const session = await takeLock(store);
    const run = freshRun();
    const state = freshState(run.runId, "a");
    const attempt = freshAttempt(state, "invoke_x");
    const made = await session.write([
      { kind: "run.insert", run },
      { kind: "nodeStates.insert", states: [state] },
      { kind: "attempt.insert", attempt },
    ]);
    const [, stateRef, attemptRef] = made.kind === "applied" ? made.refs : [];
    if (!stateRef || !attemptRef) throw new Error(made.kind);
    const next = { ...attempt, status: "FAILED" as const, resultCode: "SQL_ERROR" };
    proxy.clear();
    proxy.on(isBulk, { kind: "lose-answer" });
    const outcome = await session.write([
      { kind: "attempt.finalise", ref: attemptRef, next },
      { kind: "nodeState.update", ref: stateRef, next: { ...state, status: "FAILED", revision: 2 } },
    ]);
    expect(outcome).toEqual({
      kind: "applied",
      refs: [
        { recordId: attemptRef.recordId, revision: 2 },
        { recordId: stateRef.recordId, revision: 2 },
      ],
    });
    expect(proxy.requests().filter(isRead)).toHaveLength(2);
    await session.dispose();
  });

  it("the lock failure code for a Node State that moved on is dead, not repeated (R3)", async () => {
    const session = await takeLock(store);
    const run = freshRun();
    const state = freshState(run.runId, "a");
    const made = await session.write([
      { kind: "run.insert", run },
      { kind: "nodeStates.insert", states: [state] },
    ]);
    const stateRef = made.kind === "applied" ? made.refs[1] : undefined;
    if (!stateRef) throw new Error(made.kind);
    const entry = { id: stateRef.recordId, record: { status_reason: { value: "by hand" } } };
    await person.send(write({ kind: "updateRecord", app: kintone.apps.state, entry }));
    proxy.on(isBulk, { kind: "answer", status: 400, body: bulkError(1, "GAIA_DA02") });
    const outcome = await session.write([
      { kind: "nodeState.update", ref: stateRef, next: { ...state, status: "RUNNING", revision: 2 } },
    ]);
    expect(outcome).toMatchObject({ kind: "dead", index: 0, problem: { code: "REVISION_CONFLICT" } });
    await session.dispose();
  });
});

describe("acquiring over a bad line (fenced-writes R6)", () => {
  it("knows its own lock after a lost answer", async () => {
    const input = lockInput();
    proxy.on(isInsert, { kind: "lose-answer" });
    const session = await takeLock(store, input);
    expect((await session.write(creation().changes)).kind).toBe("applied");
    expect((await other.findLock(input))?.ownerInvocationId).toBe(input.ownerInvocationId);
    await session.dispose();
  });

  it("sends another copy with a fresh token after a lost request", async () => {
    proxy.on(isInsert, { kind: "lose-request" });
    const session = await takeLock(store, lockInput({ leaseMs: 6_000 }));
    const tokens = proxy
      .requests()
      .filter(isInsert)
      .map(({ body }) => JSON.parse(body).record.lease_token.value);
    expect(new Set(tokens).size).toBe(2);
    await session.dispose();
  });

  it("gives up as unavailable, and releases the lock a late copy still creates", async () => {
    const own = openStore(kintone, { port: proxy.port });
    const input = lockInput({ leaseMs: 3_000 });
    proxy.on(isInsert, { kind: "delay" });
    proxy.on(isInsert, { kind: "answer", status: 401, body: json("CB_WA01") });
    const late = { kind: "first", run: async () => void (await proxy.deliver()) } as const;
    const outcome = own.acquireLock(input);
    await expect(outcome).resolves.toMatchObject({
      kind: "unavailable",
      problem: { code: "LOCK_UNAVAILABLE" },
    });
    proxy.on(isRead, late);
    await own.dispose();
    expect(await other.findLock(input)).toBeNull();
    const query = `record_type in ("NETWORK_LOCK") and status_reason like "LOCK_UNAVAILABLE"`;
    const rows = await person.send(getRecords(kintone.apps.state, query));
    expect(rows.kind === "ok" && rows.value.length).toBe(1);
  });

  it("is unavailable at once when nobody listens, with nothing left to look for", async () => {
    const closed = await startFaultProxy(kintone.port);
    await closed.dispose();
    const nobody = openStore(kintone, { port: closed.port, sleep: async () => undefined });
    expect(await nobody.acquireLock(lockInput())).toMatchObject({
      kind: "unavailable",
      problem: { code: "LOCK_UNAVAILABLE" },
    });
    await nobody.dispose();
  });

  it("a validation refusal is not taken for a conflict (kintone-rest W4)", async () => {
    proxy.on(isInsert, { kind: "answer", status: 400, body: json("CB_VA01") });
    expect(await store.acquireLock(lockInput())).toMatchObject({ kind: "unavailable" });
  });
});
