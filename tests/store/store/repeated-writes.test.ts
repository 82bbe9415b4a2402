import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Change, FlowStore, LockSession, ReleaseAs } from "../../../main/store/ports.ts";
import {
  type Fault,
  type FaultProxy,
  isBulk,
  isLonePut,
  isRead,
  startFaultProxy,
} from "../../support/fault-proxy.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { freshInvocation, freshRun, freshState } from "../../support/store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
let proxy: FaultProxy;
let store: FlowStore;
/** Past the proxy. */
let other: FlowStore;
beforeAll(async () => {
  kintone = await startKintoneFixture();
  proxy = await startFaultProxy(kintone.port);
  store = openStore(kintone, { port: proxy.port });
  other = openStore(kintone);
});
afterEach(() => proxy.clear());
afterAll(async () => {
  await store.dispose();
  await other.dispose();
  await proxy.dispose();
  await kintone.dispose();
});

const OK: ReleaseAs = { status: "SUCCESS", resultCode: "OK" };
const HTML = "<html><body>maintenance</body></html>";

function creation(): { readonly runId: string; readonly invocationId: string; readonly changes: Change[] } {
  const run = freshRun();
  const invocation = freshInvocation(run.runId);
  return {
    runId: run.runId,
    invocationId: invocation.invocationId,
    changes: [
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation },
      { kind: "nodeStates.insert", states: [freshState(run.runId, "a"), freshState(run.runId, "b")] },
    ],
  };
}

/** A write that its caller gives up at the moment the fault strikes. */
async function unsettledWrite(
  session: LockSession,
  changes: readonly Change[],
  release: ReleaseAs | null,
  fault: (giveUp: () => Promise<void>) => Fault,
  match = isBulk,
): Promise<void> {
  const stop = new AbortController();
  proxy.on(
    match,
    fault(async () => stop.abort()),
  );
  const options = { signal: stop.signal, ...(release === null ? {} : { release }) };
  expect((await session.write(changes, options)).kind).toBe("unsettled");
  expect(proxy.unmet()).toBe(0);
}

const committed = (run: () => Promise<void>): Fault => ({ kind: "lose-answer-after", run });
const neverArrived = (run: () => Promise<void>): Fault => ({ kind: "answer", status: 502, body: HTML, run });
const beat = (session: LockSession): Promise<unknown> => session.beat();
const nothing = async (): Promise<void> => undefined;

const REPEATS: readonly (readonly [
  string,
  typeof committed,
  ReleaseAs | null,
  (session: LockSession) => Promise<unknown>,
])[] = [
  ["it had been applied", committed, null, nothing],
  ["it had been applied, and a beat proved it", committed, null, beat],
  ["it had been applied with its release", committed, OK, nothing],
  ["it had been applied with its release, and a beat proved it", committed, OK, beat],
  ["it had never arrived", neverArrived, null, nothing],
  ["it had never arrived, and a beat ruled it out", neverArrived, null, beat],
  ["it had never arrived with its release", neverArrived, OK, nothing],
];

describe("the caller repeats an unsettled write (fenced-writes R1)", () => {
  it.each(REPEATS)("is told the outcome of the copy that ran: %s", async (_name, fault, release, between) => {
    const session = await takeLock(store);
    const { runId, changes } = creation();
    await unsettledWrite(session, changes, release, fault);
    await between(session);
    const outcome = await session.write(changes, release === null ? {} : { release });
    const graph = await other.readRunGraph(runId);
    expect(outcome).toEqual({
      kind: "applied",
      refs: [graph.run?.ref, graph.invocations[0]?.ref, ...graph.states.map((state) => state.ref)],
    });
    expect(graph.states).toHaveLength(2);
    expect(session.state()).toBe(release === null ? "HELD" : "RELEASED");
    await session.dispose();
  });

  it("a write with other contents under the same key is no repeat: it is dead, and says so", async () => {
    const session = await takeLock(store);
    const { changes } = creation();
    await unsettledWrite(session, changes, null, committed);
    expect(await session.write(changes.slice(0, 2))).toMatchObject({ kind: "dead", index: 0 });
    await session.dispose();
  });

  it("nothing is sent after the earlier write gave the lock back", async () => {
    const session = await takeLock(store);
    const { changes } = creation();
    await unsettledWrite(session, changes, OK, committed);
    const before = proxy.requests().filter(isBulk).length;
    expect((await session.write(changes)).kind).toBe("fence-lost");
    expect(session.state()).toBe("RELEASED");
    expect(proxy.requests().filter(isBulk)).toHaveLength(before);
    await session.dispose();
  });

  it("a lone release that was applied is told as applied, also after a beat", async () => {
    const session = await takeLock(store);
    await unsettledWrite(session, [], OK, committed, isLonePut);
    await session.beat();
    expect(await session.release(OK)).toEqual({ kind: "applied", refs: [] });
    await session.dispose();
  });

  it("an applied write whose records could not be read back is read back by the repeat", async () => {
    const session = await takeLock(store);
    const { runId, invocationId, changes } = creation();
    proxy.on(isBulk, { kind: "lose-answer" });
    const reads = (request: Parameters<typeof isRead>[0]): boolean =>
      isRead(request) && request.query.includes(invocationId);
    await unsettledWrite(session, changes, null, neverArrived, reads);
    const sent = proxy.requests().filter(isBulk).length;
    const outcome = await session.write(changes);
    const graph = await other.readRunGraph(runId);
    expect(outcome).toMatchObject({ kind: "applied", refs: [graph.run?.ref, {}, {}, {}] });
    expect(proxy.requests().filter(isBulk)).toHaveLength(sent);
    await session.dispose();
  });
});
